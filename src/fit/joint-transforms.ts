import type { Lists } from "../math/arrays.ts";
import {
  BLOCK,
  factorCholesky,
  type SymmetricMatrix,
  solveCholesky,
} from "../math/symmetric-solver.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { parentsFirst, type Skeleton, withPositions } from "../skeleton/skeleton.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";
import type { Matches, RegisterSource } from "./match-points.ts";

/** A character on its way into another body. */
export interface DeformedCharacter {
  mesh: Mesh;
  skeleton: Skeleton;
  weights: SkinWeights;
}

/** Weight of the connection of a joint with its parent. */
const CONNECT = 0.05;
/** Weight of similarity transforms relative to the smoothness between joints. */
const SIMILAR = 0.3;

/** Length, in longest sides, over which transforms of neighbors are compared. */
const REACH = 0.1;
const ZERO = [0, 0, 0];
const UNIT_ROWS = [
  [1, 0, 0, 0],
  [0, 1, 0, 0],
  [0, 0, 1, 0],
];

/** Returns transforms that change nothing, J×4×3: rows of the linear part (by source axis) and the position, for each target axis. */
export function restTransforms(skeleton: Skeleton): Float64Array {
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

/** Solves for the transforms of the joints, given where the points should go. */
export type TransformSystem = (
  matches: Pick<Matches, "goals" | "masses">,
  current: Float64Array,
  smooth: number,
) => Float64Array;

/**
 * Prepares the least-squares system of a character: its points follow their joints' transforms by their
 * weights; a joint stays on its parent, and transforms of neighbors are alike and near similarities.
 *
 * The three coordinates share one sparse matrix, which is factored from the leaves to the root.
 */
export function createSystem(source: RegisterSource): TransformSystem {
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
  const coordinates = (joint: number, point: ArrayLike<number>): number[] => [
    point[0] - c[joint * 3],
    point[1] - c[joint * 3 + 1],
    point[2] - c[joint * 3 + 2],
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
      const point = source.points.subarray(i * 3, i * 3 + 3);
      rows.push(coordinates(source.joints[a], point).map((value) => value * w));
    }
    sampleJoints.push(joints);
    sampleRows.push(rows);
  }

  return ({ goals, masses }, current, smooth) => {
    values.fill(0);
    right.fill(0);
    for (let i = 0; i < N; i++) {
      addTerm(sampleJoints[i], sampleRows[i], goals.subarray(i * 3, i * 3 + 3), masses[i]);
    }
    const unit = (smooth * REACH * REACH) / J;
    for (let j = 0; j < J; j++) {
      const k = parents[j] >= 0 ? parents[j] : j === roots[0] ? -1 : roots[0];
      if (k >= 0) {
        const row = coordinates(k, c.subarray(j * 3, j * 3 + 3));
        addTerm([k, j], [row, [0, 0, 0, -1]], ZERO, CONNECT);
        for (const unitRow of UNIT_ROWS) {
          addTerm([k, j], [unitRow, unitRow.map((value) => -value)], ZERO, unit);
        }
      }
      const goal = similarity(current.subarray(j * 12, j * 12 + 9));
      UNIT_ROWS.forEach((unitRow, a) => {
        addTerm([j], [unitRow], goal.slice(a * 3, a * 3 + 3), SIMILAR * unit);
      });
      // Determines joints without samples and connections.
      addTerm([j], [[0, 0, 0, 1]], current.subarray(j * 12 + 9, j * 12 + 12), 1e-9);
    }
    const diagonal = Float64Array.from({ length: J * 4 }, (_, at) => {
      const [j, a] = [at >> 2, at & 3];
      return values[blockAt[j].get(j)! * 16 + a * 4 + a];
    });
    const matrix = { diagonal, pattern, values: Float64Array.from(origin, (at) => values[at]) };
    return solveInOrder(matrix, order, right);
  };
}

function solveInOrder(matrix: SymmetricMatrix, order: Int32Array, right: Float64Array) {
  const x = new Float64Array(order.length * BLOCK);
  order.forEach((unknown, at) => {
    for (let d = 0; d < 3; d++) x[at * BLOCK + d] = right[unknown * 3 + d];
  });
  solveCholesky(factorCholesky(matrix, order), x);
  const out = new Float64Array(order.length * 3);
  order.forEach((unknown, at) => {
    for (let d = 0; d < 3; d++) out[unknown * 3 + d] = x[at * BLOCK + d];
  });
  return out;
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

/** Moves points, and turns their normals, by the transforms of their joints. */
export function deformPoints(
  source: RegisterSource,
  solution: Float64Array,
): { points: Float64Array; normals: Float64Array } {
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

/** Moves the vertices and joints of a character by the transforms of the joints. */
export function deformCharacter(
  { mesh, skeleton, weights }: DeformedCharacter,
  transforms: Float64Array,
): DeformedCharacter {
  const { points } = deformPoints(
    {
      points: Float64Array.from(mesh.positions),
      normals: new Float64Array(mesh.positions.length),
      centrality: new Float64Array(0),
      influences: weights.influences,
      joints: Int32Array.from(weights.joints),
      weights: Float64Array.from(weights.weights),
      skeleton,
    },
    transforms,
  );
  const J = skeleton.parents.length;
  const joints = Float32Array.from({ length: J * 3 }, (_, at) => {
    return transforms[(Math.floor(at / 3) * 4 + 3) * 3 + (at % 3)];
  });
  return {
    mesh: { ...mesh, positions: Float32Array.from(points) },
    skeleton: withPositions(skeleton, joints),
    weights,
  };
}
