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

/** Weights that must stay as they are, and that the others are normalized around. */
export interface WeightLocks {
  /** V rows, what the locked weights are; a vertex without weight here is not bound by any lock. */
  weights: SkinWeights;
  /** J, 1 for joints whose weight is locked at every vertex. */
  joints: Uint8Array;
  /** Whether a vertex that has weights keeps all of them. */
  rows: boolean;
}

/** What is left of a row of weights that must sum to 1, within rounding. */
const NOTHING = 1e-6;

/**
 * Says which joints of a vertex are locked: those named, or all of them; none where the vertex has no
 * weights to keep.
 */
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
 * Gives locked joints their weight back and scales the others so that rows sum to 1.
 *
 * A vertex whose weights are all on locked joints, but for less than 1, gets the rest from `spare`.
 *
 * @param spare a joint without lock for such a vertex; -1 where there is none (the locked weights
 *   are then scaled)
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
 * Weights with the rows of others wherever those have some: each vertex its own, even where another at the
 * same place had a different one.
 *
 * @param weights V rows
 * @param own V rows, zero where there are none
 */
export function keepRows(weights: SkinWeights, own: SkinWeights): SkinWeights {
  const { influences } = weights;
  const kept = limitInfluences(own, influences);
  const out = copyWeights(weights);
  for (let vertex = 0; vertex < rowCount(out); vertex++) {
    // Heaviest first: a row whose first weight is zero has none.
    if (kept.weights[vertex * influences] > 0) copyRow(kept, vertex, out, vertex);
  }
  return out;
}

/** Joints per vertex where nobody says: what every engine takes. */
export const USUAL_INFLUENCES = 4;

/**
 * Keeps the `limit` heaviest joints of each vertex and divides them by their sum.
 *
 * @param limit slots of the result, >= 1; rows shorter than that are padded with zeros
 *
 * @example
 * const four = limitInfluences(weights, 4);
 * console.log(four.influences); // 4
 */
export function limitInfluences(weights: SkinWeights, limit: number): SkinWeights {
  if (!(Number.isInteger(limit) && limit >= 1)) {
    throw new RangeError(`limitInfluences: limit must be a whole number from 1, got ${limit}.`);
  }
  return mapRows(weights, limit, (row) => row);
}
