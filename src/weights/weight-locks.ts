import {
  addRow,
  addWeight,
  copyRow,
  copyWeights,
  mapRows,
  readRow,
  rowCount,
  type SkinWeights,
  sumOf,
  type WeightRow,
} from "./skin-weights.ts";

/** Weights that must not change; the others are normalized around them. */
export interface WeightLocks {
  /** V rows of the locked weights; a vertex without weights here has no lock. */
  weights: SkinWeights;
  /** J, 1 for joints whose weight is locked at every vertex. */
  joints: Uint8Array;
  /** Whether a vertex that has weights keeps all of them. */
  rows: boolean;
}

/** Rounding tolerance of the remainder of a row. */
const NOTHING = 1e-6;

/** Returns a test for the locked joints of a vertex: the named ones, or all; none if it has no weights. */
export function lockTest(
  locks: WeightLocks | undefined,
  vertex: number,
): (joint: number) => boolean {
  if (!locks) return unlocked;
  const { influences, weights } = locks.weights;
  const start = vertex * influences;
  if (!weights.subarray(start, start + influences).some((weight) => weight > 0)) return unlocked;
  return locks.rows ? () => true : (joint) => locks.joints[joint] === 1;
}

const unlocked = () => false;

/**
 * Restores the weights of locked joints and scales the others so that rows sum to 1.
 *
 * A vertex with all its weights on locked joints, but a sum below 1, gets the rest from `spare`.
 *
 * @param spare an unlocked joint for such a vertex, or -1 (the locked weights are then scaled)
 */
export function applyLocks(
  weights: SkinWeights,
  locks: WeightLocks,
  spare: (vertex: number) => number,
): SkinWeights {
  return mapRows(weights, weights.influences + locks.weights.influences, (row, vertex) =>
    lockRow(row, locks, vertex, spare),
  );
}

function lockRow(
  row: WeightRow,
  locks: WeightLocks,
  vertex: number,
  spare: (vertex: number) => number,
): WeightRow {
  const isLocked = lockTest(locks, vertex);
  const free: WeightRow = { joints: [], values: [] };
  row.joints.forEach((joint, i) => {
    if (!isLocked(joint)) addWeight(free, joint, row.values[i]);
  });
  const fixed: WeightRow = { joints: [], values: [] };
  const kept = readRow(locks.weights, vertex);
  kept.joints.forEach((joint, i) => {
    if (isLocked(joint)) addWeight(fixed, joint, kept.values[i]);
  });
  const left = 1 - sumOf(fixed);
  if (left <= NOTHING) return fixed.joints.length > 0 ? fixed : row;
  if (free.joints.length === 0) {
    const joint = spare(vertex);
    if (joint >= 0) addWeight(free, joint, 1);
  }
  addRow(fixed, free, left / (sumOf(free) || 1));
  return fixed;
}

/**
 * Replaces rows by those of `own` that are not zero: each vertex keeps its own row, even if another vertex at
 * the same position has a different one.
 *
 * @param weights V rows
 * @param own V rows, zero if there are none
 */
export function keepRows(weights: SkinWeights, own: SkinWeights): SkinWeights {
  const { influences } = weights;
  const kept = limitInfluences(own, influences);
  const out = copyWeights(weights);
  for (let vertex = 0; vertex < rowCount(out); vertex++) {
    // Heaviest first: a row whose first weight is zero is empty.
    if (kept.weights[vertex * influences] > 0) copyRow(kept, vertex, out, vertex);
  }
  return out;
}

/** Default joints per vertex, which every engine supports. */
export const DEFAULT_INFLUENCES = 4;

/**
 * Keeps the `limit` heaviest joints of each vertex and normalizes the rows.
 *
 * @param limit slots of the result, >= 1; shorter rows are padded with zeros
 *
 * @example
 * const four = limitInfluences(weights, 4);
 * console.log(four.influences); // 4
 */
export function limitInfluences(weights: SkinWeights, limit: number): SkinWeights {
  if (!(Number.isInteger(limit) && limit >= 1)) {
    throw new RangeError(`limitInfluences: limit must be an integer >= 1, got ${limit}.`);
  }
  return mapRows(weights, limit, (row) => row);
}
