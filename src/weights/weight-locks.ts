import type { SkinWeights } from "./skin-weights.ts";
import { addRow, addWeight, readRow, sumOf, type WeightRow } from "./weight-row.ts";
import { mapRows } from "./weights-from-slots.ts";

/** Weights that must stay as they are, and that the others are normalised around. */
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
