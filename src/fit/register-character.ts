import type { Lists } from "../math/arrays.ts";
import {
  BLOCK,
  factorCholesky,
  type SymmetricMatrix,
  solveCholesky,
} from "../math/sparse-cholesky.ts";
import { parentsFirst, type Skeleton } from "../skeleton/skeleton.ts";

export interface RegisterPoints {
  points: Float64Array;
  normals: Float64Array;
  centrality: Float64Array;
}

export interface RegisterSource extends RegisterPoints {
  /** Weights per sample. */
  influences: number;
  joints: Int32Array;
  weights: Float64Array;
  skeleton: Skeleton;
}

export interface RegisterSettings {
  iterations: number;
  heat: [number, number];
  stiff: [number, number];
  normal: number;
  central: [number, number];
  connect: number;
  similar: number;
}

export const REGISTER_DEFAULTS: RegisterSettings = {
  iterations: 30,
  heat: [0.02, 0.0004],
  stiff: [10, 0.3],
  normal: 0.02,
  central: [0.3, 0.02],
  connect: 0.05,
  similar: 0.3,
};

export interface Registered {
  /** J×3. */
  joints: Float64Array;
  /** N×3, the samples of the source, moved. */
  points: Float64Array;
  residual: number;
}

/** Deforms a character by its own weights until its surface covers that of another; its joints follow. */
export function registerCharacter(
  source: RegisterSource,
  target: RegisterPoints,
  options: Partial<RegisterSettings> = {},
): Registered {
  const set = { ...REGISTER_DEFAULTS, ...options };
  const system = createSystem(source);
  const J = source.skeleton.parents.length;
  const N = source.points.length / 3;
  let points = source.points.slice();
  let normals = source.normals.slice();
  let solution = restSolution(source);
  const goals = new Float64Array(N * 3);
  const masses = new Float64Array(N);
  let residual = Infinity;
  for (let round = 0; round < set.iterations; round++) {
    const t = set.iterations > 1 ? round / (set.iterations - 1) : 1;
    const geo = (a: number, b: number) => a * (b / a) ** t;
    residual = match(
      points,
      normals,
      source.centrality,
      target,
      {
        heat: geo(...set.heat),
        normal: set.normal,
        central: geo(...set.central),
      },
      goals,
      masses,
    );
    solution = system.solve(goals, masses, solution, {
      smooth: geo(...set.stiff),
      connect: set.connect,
      similar: set.similar * geo(...set.stiff),
    });
    ({ points, normals } = deform(source, solution));
  }
  const joints = new Float64Array(J * 3);
  for (let j = 0; j < J; j++)
    for (let d = 0; d < 3; d++) joints[j * 3 + d] = solution[(j * 4 + 3) * 3 + d];
  return { joints, points, residual };
}

/** J×4×3: rows of the linear part (by source axis) and the position, for each target axis. */
function restSolution({ skeleton }: RegisterSource): Float64Array {
  const J = skeleton.parents.length;
  const out = new Float64Array(J * 12);
  for (let j = 0; j < J; j++) {
    for (let d = 0; d < 3; d++) {
      out[(j * 4 + d) * 3 + d] = 1;
      out[(j * 4 + 3) * 3 + d] = skeleton.positions[j * 3 + d];
    }
  }
  return out;
}

/** Soft correspondences: goals (N×3) and masses (N) of the source points. Returns the residual. */
function match(
  points: Float64Array,
  normals: Float64Array,
  centrality: Float64Array,
  target: RegisterPoints,
  { heat, normal, central }: { heat: number; normal: number; central: number },
  goals: Float64Array,
  masses: Float64Array,
): number {
  const N = points.length / 3;
  const M = target.points.length / 3;
  const q = target.points;
  const m = target.normals;
  const kernel = new Float64Array(N * M);
  const rowSums = new Float64Array(N);
  const columnSums = new Float64Array(M);
  const rowMin = new Float64Array(N).fill(Infinity);
  const columnMin = new Float64Array(M).fill(Infinity);
  for (let i = 0; i < N; i++) {
    const [x, y, z] = [points[i * 3], points[i * 3 + 1], points[i * 3 + 2]];
    const [nx, ny, nz] = [normals[i * 3], normals[i * 3 + 1], normals[i * 3 + 2]];
    const c = centrality[i];
    for (let j = 0; j < M; j++) {
      const dx = x - q[j * 3];
      const dy = y - q[j * 3 + 1];
      const dz = z - q[j * 3 + 2];
      const dot = nx * m[j * 3] + ny * m[j * 3 + 1] + nz * m[j * 3 + 2];
      const dc = c - target.centrality[j];
      const cost = dx * dx + dy * dy + dz * dz + normal * (1 - dot) + central * dc * dc;
      kernel[i * M + j] = cost;
      if (cost < rowMin[i]) rowMin[i] = cost;
      if (cost < columnMin[j]) columnMin[j] = cost;
    }
  }
  // Row- and column-normalized kernels, each relative to its own minimum.
  const inverse = 1 / heat;
  const columns = new Float64Array(N * M);
  for (let i = 0; i < N; i++) {
    for (let j = 0; j < M; j++) {
      const at = i * M + j;
      const cost = kernel[at];
      const r = (cost - rowMin[i]) * inverse;
      const s = (cost - columnMin[j]) * inverse;
      kernel[at] = r < 12 ? Math.exp(-r) : 0;
      columns[at] = s < 12 ? Math.exp(-s) : 0;
      rowSums[i] += kernel[at];
      columnSums[j] += columns[at];
    }
  }
  for (let i = 0; i < N; i++) {
    let mass = 0;
    let [gx, gy, gz] = [0, 0, 0];
    for (let j = 0; j < M; j++) {
      const at = i * M + j;
      const p = kernel[at] / rowSums[i] / N + columns[at] / columnSums[j] / M;
      if (p === 0) continue;
      mass += p;
      gx += p * q[j * 3];
      gy += p * q[j * 3 + 1];
      gz += p * q[j * 3 + 2];
    }
    masses[i] = mass / 2;
    goals[i * 3] = gx / mass;
    goals[i * 3 + 1] = gy / mass;
    goals[i * 3 + 2] = gz / mass;
  }
  let residual = 0;
  for (let i = 0; i < N; i++) residual += rowMin[i] / N / 2;
  for (let j = 0; j < M; j++) residual += columnMin[j] / M / 2;
  return residual;
}

const REACH = 0.1;

function createSystem(source: RegisterSource) {
  const { skeleton } = source;
  const { positions: c, parents } = skeleton;
  const J = parents.length;
  // Which joints share equations.
  const linked: Set<number>[] = Array.from({ length: J }, (_, j) => new Set([j]));
  const link = (a: number, b: number) => {
    linked[a].add(b);
    linked[b].add(a);
  };
  parents.forEach((parent, j) => parent >= 0 && link(j, parent));
  const roots = [...parents.keys()].filter((j) => parents[j] < 0);
  for (let i = 1; i < roots.length; i++) link(roots[0], roots[i]);
  const N = source.points.length / 3;
  for (let i = 0; i < N; i++) {
    for (let a = i * source.influences; a < (i + 1) * source.influences; a++) {
      if (source.weights[a] === 0) continue;
      for (let b = i * source.influences; b < a; b++) {
        if (source.weights[b] > 0) link(source.joints[a], source.joints[b]);
      }
    }
  }
  const neighbors = linked.map((set) => [...set].sort((x, y) => x - y));
  // 4x4 blocks: block (j, k) of neighbors.
  const blockAt: Map<number, number>[] = [];
  let blocks = 0;
  for (const list of neighbors) blockAt.push(new Map(list.map((k) => [k, blocks++])));
  const starts = new Int32Array(J * 4 + 1);
  const items: number[] = [];
  const origin: number[] = [];
  for (let j = 0; j < J; j++) {
    for (let a = 0; a < 4; a++) {
      for (const k of neighbors[j]) {
        for (let b = 0; b < 4; b++) {
          if (k === j && a === b) continue;
          items.push(k * 4 + b);
          origin.push(blockAt[j].get(k)! * 16 + a * 4 + b);
        }
      }
      starts[j * 4 + a + 1] = items.length;
    }
  }
  const pattern: Lists = { starts, items: Int32Array.from(items) };
  const order = Int32Array.from(
    [...parentsFirst(skeleton)].reverse().flatMap((j) => [0, 1, 2, 3].map((a) => j * 4 + a)),
  );

  const values = new Float64Array(blocks * 16);
  const right = new Float64Array(J * 12);
  const phi = (joint: number, x: number, y: number, z: number): number[] => [
    x - c[joint * 3],
    y - c[joint * 3 + 1],
    z - c[joint * 3 + 2],
    1,
  ];
  /** Adds factor * |sum of coefficients · unknowns - goal|². */
  const addTerm = (joints: number[], rows: number[][], goal: ArrayLike<number>, factor: number) => {
    for (let a = 0; a < joints.length; a++) {
      const base = joints[a] * 4;
      for (let r = 0; r < 4; r++) {
        const left = factor * rows[a][r];
        if (left === 0) continue;
        for (let d = 0; d < 3; d++) right[(base + r) * 3 + d] += left * goal[d];
        for (let b = 0; b < joints.length; b++) {
          const at = blockAt[joints[a]].get(joints[b])! * 16 + r * 4;
          for (let s = 0; s < 4; s++) values[at + s] += left * rows[b][s];
        }
      }
    }
  };
  const ZERO = [0, 0, 0];
  // Rows of the samples do not change.
  const sampleJoints: number[][] = [];
  const sampleRows: number[][][] = [];
  for (let i = 0; i < N; i++) {
    const joints: number[] = [];
    const rows: number[][] = [];
    for (let a = i * source.influences; a < (i + 1) * source.influences; a++) {
      const w = source.weights[a];
      if (w === 0) continue;
      joints.push(source.joints[a]);
      rows.push(
        phi(
          source.joints[a],
          source.points[i * 3],
          source.points[i * 3 + 1],
          source.points[i * 3 + 2],
        ).map((v) => v * w),
      );
    }
    sampleJoints.push(joints);
    sampleRows.push(rows);
  }

  return {
    solve(
      goals: Float64Array,
      masses: Float64Array,
      current: Float64Array,
      { smooth, connect, similar }: { smooth: number; connect: number; similar: number },
    ): Float64Array {
      values.fill(0);
      right.fill(0);
      for (let i = 0; i < N; i++) {
        addTerm(sampleJoints[i], sampleRows[i], goals.subarray(i * 3, i * 3 + 3), masses[i]);
      }
      const unit = (REACH * REACH) / J;
      for (let j = 0; j < J; j++) {
        const k = parents[j] >= 0 ? parents[j] : j === roots[0] ? -1 : roots[0];
        if (k >= 0) {
          const row = phi(k, c[j * 3], c[j * 3 + 1], c[j * 3 + 2]);
          addTerm([k, j], [row, [0, 0, 0, -1]], ZERO, connect);
          for (let a = 0; a < 3; a++) {
            const e = [0, 0, 0, 0];
            e[a] = 1;
            addTerm([k, j], [e, e.map((v) => -v)], ZERO, smooth * unit);
          }
        }
        const goal = similarity(current.subarray(j * 12, j * 12 + 9));
        for (let a = 0; a < 3; a++) {
          const e = [0, 0, 0, 0];
          e[a] = 1;
          addTerm([j], [e], goal.slice(a * 3, a * 3 + 3), similar * unit);
        }
        // Keeps a joint without samples and connections determined.
        addTerm([j], [[0, 0, 0, 1]], current.subarray(j * 12 + 9, j * 12 + 12), 1e-9);
      }
      const matrix: SymmetricMatrix = {
        diagonal: Float64Array.from({ length: J * 4 }, (_, at) => {
          const j = at >> 2;
          const a = at & 3;
          return values[blockAt[j].get(j)! * 16 + a * 4 + a];
        }),
        pattern,
        values: Float64Array.from(origin, (at) => values[at]),
      };
      const factor = factorCholesky(matrix, order);
      const x = new Float64Array(J * 4 * BLOCK);
      order.forEach((unknown, at) => {
        for (let d = 0; d < 3; d++) x[at * BLOCK + d] = right[unknown * 3 + d];
      });
      solveCholesky(factor, x);
      const out = new Float64Array(J * 12);
      order.forEach((unknown, at) => {
        for (let d = 0; d < 3; d++) out[unknown * 3 + d] = x[at * BLOCK + d];
      });
      return out;
    },
  };
}

/** The rotation with uniform scale nearest to a 3×3 matrix, by Newton's iteration for the polar factor. */
function similarity(m: ArrayLike<number>): number[] {
  let r = Array.from(m);
  for (let i = 0; i < 8; i++) {
    const inverse = invert3(r);
    if (!inverse) return [1, 0, 0, 0, 1, 0, 0, 0, 1];
    // Average with the inverse transpose.
    const size = Math.sqrt(Math.hypot(...inverse) / Math.hypot(...r));
    r = r.map(
      (value, at) => (value * size + inverse[(at % 3) * 3 + Math.floor(at / 3)] / size) / 2,
    );
  }
  const det = determinant3(r);
  if (!(det > 0)) return [1, 0, 0, 0, 1, 0, 0, 0, 1];
  let scale = 0;
  for (let at = 0; at < 9; at++) scale += (r[at] * m[at]) / 3;
  scale = Math.min(3, Math.max(0.3, scale));
  return r.map((value) => value * scale);
}

function determinant3(m: ArrayLike<number>): number {
  return (
    m[0] * (m[4] * m[8] - m[5] * m[7]) -
    m[1] * (m[3] * m[8] - m[5] * m[6]) +
    m[2] * (m[3] * m[7] - m[4] * m[6])
  );
}

function invert3(m: ArrayLike<number>): number[] | undefined {
  const det = determinant3(m);
  if (!(Math.abs(det) > 1e-12)) return undefined;
  return [
    m[4] * m[8] - m[5] * m[7],
    m[2] * m[7] - m[1] * m[8],
    m[1] * m[5] - m[2] * m[4],
    m[5] * m[6] - m[3] * m[8],
    m[0] * m[8] - m[2] * m[6],
    m[2] * m[3] - m[0] * m[5],
    m[3] * m[7] - m[4] * m[6],
    m[1] * m[6] - m[0] * m[7],
    m[0] * m[4] - m[1] * m[3],
  ].map((value) => value / det);
}

function deform(source: RegisterSource, solution: Float64Array) {
  const { points: p, normals: n, skeleton } = source;
  const { positions: c } = skeleton;
  const N = p.length / 3;
  const points = new Float64Array(N * 3);
  const normals = new Float64Array(N * 3);
  for (let i = 0; i < N; i++) {
    let [mx, my, mz] = [0, 0, 0];
    for (let a = i * source.influences; a < (i + 1) * source.influences; a++) {
      const w = source.weights[a];
      if (w === 0) continue;
      const j = source.joints[a];
      const s = j * 12;
      const x = p[i * 3] - c[j * 3];
      const y = p[i * 3 + 1] - c[j * 3 + 1];
      const z = p[i * 3 + 2] - c[j * 3 + 2];
      for (let d = 0; d < 3; d++) {
        points[i * 3 + d] +=
          w *
          (x * solution[s + d] +
            y * solution[s + 3 + d] +
            z * solution[s + 6 + d] +
            solution[s + 9 + d]);
      }
      mx +=
        w *
        (n[i * 3] * solution[s] + n[i * 3 + 1] * solution[s + 3] + n[i * 3 + 2] * solution[s + 6]);
      my +=
        w *
        (n[i * 3] * solution[s + 1] +
          n[i * 3 + 1] * solution[s + 4] +
          n[i * 3 + 2] * solution[s + 7]);
      mz +=
        w *
        (n[i * 3] * solution[s + 2] +
          n[i * 3 + 1] * solution[s + 5] +
          n[i * 3 + 2] * solution[s + 8]);
    }
    const size = Math.hypot(mx, my, mz) || 1;
    normals.set([mx / size, my / size, mz / size], i * 3);
  }
  return { points, normals };
}
