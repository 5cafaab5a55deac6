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

export interface RegisterTarget extends RegisterPoints {
  /** The nearest point of the surface that faces a direction; undefined if there is none near. */
  closest: (x: number, y: number, z: number, normal: Float64Array) => ArrayLike<number> | undefined;
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
  fine: number;
  slide: number;
}

export const REGISTER_DEFAULTS: RegisterSettings = {
  iterations: 22,
  heat: [0.02, 0.0004],
  stiff: [30, 1],
  normal: 0.02,
  central: [0.3, 0.02],
  connect: 0.05,
  similar: 0.3,
  fine: 6,
  slide: 0.7,
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
  target: RegisterTarget,
  options: Partial<RegisterSettings> = {},
): Registered {
  const set = { ...REGISTER_DEFAULTS, ...options };
  const system = createSystem(source);
  const J = source.skeleton.parents.length;
  const N = source.points.length / 3;
  const match = createMatcher(source.centrality, target);
  const self: RegisterPoints = {
    points: source.points.slice(),
    normals: source.normals.slice(),
    centrality: source.centrality,
  };
  const matchSelf = createMatcher(source.centrality, self);
  let points = source.points.slice();
  let normals = source.normals.slice();
  let solution = restSolution(source);
  let residual = Infinity;
  for (let round = 0; round < set.iterations; round++) {
    const t = set.iterations > 1 ? round / (set.iterations - 1) : 1;
    const between = ([a, b]: [number, number]) => a * (b / a) ** t;
    const terms = {
      heat: between(set.heat),
      normal: set.normal,
      central: between(set.central),
    };
    const matches = match(points, normals, terms);
    residual = matches.residual;
    // Soft goals are means, which shrink a body; what a body does to itself is subtracted.
    self.points.set(points);
    self.normals.set(normals);
    const { goals } = matchSelf(points, normals, terms);
    for (let at = 0; at < goals.length; at++) matches.goals[at] += points[at] - goals[at];
    const smooth = between(set.stiff);
    const stiffness = { smooth, connect: set.connect, similar: set.similar * smooth };
    solution = system.solve(matches.goals, matches.masses, solution, stiffness);
    ({ points, normals } = deform(source, solution));
  }
  // Where samples are sparse, correspondences with the surface itself are more exact.
  const stiffness = {
    smooth: set.stiff[1],
    connect: set.connect,
    similar: set.similar * set.stiff[1],
  };
  for (let round = 0; round < set.fine; round++) {
    const matches = match(points, normals, {
      heat: set.heat[1],
      normal: set.normal,
      central: set.central[1],
    });
    residual = matches.residual;
    projectGoals(matches.goals, points, normals, target, set.slide);
    solution = system.solve(matches.goals, matches.masses, solution, stiffness);
    ({ points, normals } = deform(source, solution));
  }
  void N;
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

/** Weights of the terms of a correspondence. */
interface MatchTerms {
  heat: number;
  normal: number;
  central: number;
}

/** Where each source point should go, and how much it counts. */
interface Matches {
  /** N×3. */
  goals: Float64Array;
  /** N, the sum is 1. */
  masses: Float64Array;
  /** Mean cost of the best correspondence of each point, in both directions. */
  residual: number;
}

/** Costs beyond this many heats above the best have no effect. */
const NEGLIGIBLE = 9;

/** Creates the soft assignment of points to each other, with its buffers. */
function createMatcher(centrality: Float64Array, target: RegisterPoints) {
  const { points: q, normals: m, centrality: g } = target;
  const [N, M] = [centrality.length, g.length];
  const costs = new Float32Array(N * M);
  const [rowMin, rowSum] = [new Float64Array(N), new Float64Array(N)];
  const [columnMin, columnSum] = [new Float64Array(M), new Float64Array(M)];
  const goals = new Float64Array(N * 3);
  const masses = new Float64Array(N);

  function measure(points: Float64Array, normals: Float64Array, { normal, central }: MatchTerms) {
    rowMin.fill(Infinity);
    columnMin.fill(Infinity);
    for (let i = 0, at = 0; i < N; i++) {
      const [x, y, z] = [points[i * 3], points[i * 3 + 1], points[i * 3 + 2]];
      const nx = normals[i * 3] * normal;
      const ny = normals[i * 3 + 1] * normal;
      const nz = normals[i * 3 + 2] * normal;
      const c = centrality[i];
      let min = Infinity;
      for (let j = 0, k = 0; j < M; j++, k += 3, at++) {
        const dx = x - q[k];
        const dy = y - q[k + 1];
        const dz = z - q[k + 2];
        const dc = c - g[j];
        const along = nx * m[k] + ny * m[k + 1] + nz * m[k + 2];
        const cost = dx * dx + dy * dy + dz * dz + normal - along + central * dc * dc;
        costs[at] = cost;
        if (cost < min) min = cost;
        if (cost < columnMin[j]) columnMin[j] = cost;
      }
      rowMin[i] = min;
    }
  }

  return function match(
    points: Float64Array,
    normals: Float64Array,
    terms: MatchTerms,
  ): Matches {
    measure(points, normals, terms);
    const inverse = 1 / terms.heat;
    const limit = NEGLIGIBLE * terms.heat;
    rowSum.fill(0);
    columnSum.fill(0);
    for (let i = 0, at = 0; i < N; i++) {
      for (let j = 0; j < M; j++, at++) {
        const r = costs[at] - rowMin[i];
        const s = costs[at] - columnMin[j];
        if (r < limit) rowSum[i] += Math.exp(-r * inverse);
        if (s < limit) columnSum[j] += Math.exp(-s * inverse);
      }
    }
    let residual = 0;
    for (let i = 0, at = 0; i < N; i++) {
      let [mass, gx, gy, gz] = [0, 0, 0, 0];
      for (let j = 0; j < M; j++, at++) {
        const r = costs[at] - rowMin[i];
        const s = costs[at] - columnMin[j];
        if (r >= limit && s >= limit) continue;
        let p = 0;
        if (r < limit) p += Math.exp(-r * inverse) / rowSum[i] / N;
        if (s < limit) p += Math.exp(-s * inverse) / columnSum[j] / M;
        mass += p;
        gx += p * q[j * 3];
        gy += p * q[j * 3 + 1];
        gz += p * q[j * 3 + 2];
      }
      masses[i] = mass / 2;
      goals[i * 3] = gx / mass;
      goals[i * 3 + 1] = gy / mass;
      goals[i * 3 + 2] = gz / mass;
      residual += rowMin[i] / N / 2;
    }
    for (let j = 0; j < M; j++) residual += columnMin[j] / M / 2;
    return { goals, masses, residual };
  };
}

const REACH = 0.1;

/** Replaces the goal of each point by the nearest point of the surface, if it faces the same way. */
function projectGoals(
  goals: Float64Array,
  points: Float64Array,
  normals: Float64Array,
  { closest }: RegisterTarget,
  slide: number,
): void {
  for (let i = 0; i < points.length / 3; i++) {
    const [x, y, z] = [points[i * 3], points[i * 3 + 1], points[i * 3 + 2]];
    const found = closest(x, y, z, normals.subarray(i * 3, i * 3 + 3));
    if (!found) continue;
    for (let d = 0; d < 3; d++) {
      goals[i * 3 + d] += slide * (found[d] - goals[i * 3 + d]);
    }
  }
}

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
  parents.forEach((parent, j) => {
    if (parent >= 0) link(j, parent);
  });
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

/** Returns how far two surfaces are from each other, features included, before any deformation. */
export function matchResidual(source: RegisterPoints, target: RegisterPoints, late = REGISTER_DEFAULTS.central[0]): number {
  const match = createMatcher(source.centrality, target);
  const { heat, normal } = REGISTER_DEFAULTS;
  return match(source.points, source.normals, { heat: heat[0], normal, central: late }).residual;
}
