import {
  besideLargest,
  mapRows,
  type SkinWeights,
  type WeightRow,
  weightsFromSlots,
} from "./skin-weights.ts";
import { limitInfluences, lockTest, type WeightLocks } from "./weight-locks.ts";

/** How rows are shortened. */
export interface TrimOptions {
  /** Most joints per vertex. */
  maxInfluences: number;
  /** Weights below this fraction of the vertex's largest are dropped; 0 keeps all. */
  prune: number;
}

/**
 * Prunes and limits in one go, around locked weights: they keep their slots and their values.
 *
 * @returns `maxInfluences` slots; a vertex with more locked weights than slots keeps the heaviest
 */
export function trimWeights(
  weights: SkinWeights,
  options: TrimOptions,
  locks?: WeightLocks,
): SkinWeights {
  if (!locks) return limitInfluences(pruneWeights(weights, options.prune), options.maxInfluences);
  return mapRows(weights, options.maxInfluences, (row, vertex) =>
    trimRow(row, options, lockTest(locks, vertex)),
  );
}

/**
 * Shortens a row that sums to 1; the row that comes back does too.
 *
 * @param isFixed joints whose weight stays as it is
 * @param twins J, the mirror image of each joint: given, twins stay or go together
 */
export function trimRow(
  row: WeightRow,
  { maxInfluences, prune }: TrimOptions,
  isFixed: (joint: number) => boolean,
  twins?: Int32Array,
): WeightRow {
  const order = heaviestFirst(row);
  const least = prune * (order.length > 0 ? row.values[order[0]] : 0);
  const fixed: number[] = [];
  const free: number[] = [];
  for (const i of order) {
    if (isFixed(row.joints[i])) fixed.push(i);
    // Fixed weights are not scaled, so someone must take the rest even where all of it is small.
    else if (row.values[i] >= least || free.length === 0) free.push(i);
  }
  fixed.length = Math.min(fixed.length, maxInfluences);
  const slots = maxInfluences - fixed.length;
  const kept = twins ? fillSlots(groupTwins(row, free, twins), slots) : free.slice(0, slots);
  return scaledRow(row, fixed, kept);
}

/** The slots of a row by weight, ties by joint; an insertion sort, since rows are short. */
function heaviestFirst({ joints, values }: WeightRow): number[] {
  const order: number[] = [];
  for (let i = 0; i < joints.length; i++) {
    let at = i;
    for (; at > 0; at--) {
      const before = order[at - 1];
      const isHeavier = values[before] - values[i] || joints[i] - joints[before];
      if (isHeavier > 0) break;
      order[at] = before;
    }
    order[at] = i;
  }
  return order;
}

/** Free slots with their twins where both are in the row; heaviest first. */
function groupTwins({ joints }: WeightRow, free: number[], twins: Int32Array): number[][] {
  const groups: number[][] = [];
  const taken = new Set<number>();
  for (const i of free) {
    if (taken.has(i)) continue;
    const twin = free.find((k) => k !== i && joints[k] === twins[joints[i]]);
    const group = twin === undefined ? [i] : [i, twin];
    for (const k of group) taken.add(k);
    groups.push(group);
  }
  return groups;
}

/** The first groups that fit; half of a pair where nothing else does. */
function fillSlots(groups: number[][], slots: number): number[] {
  const kept: number[] = [];
  for (const group of groups) {
    if (kept.length + group.length <= slots) kept.push(...group);
  }
  return kept.length === 0 ? (groups[0] ?? []).slice(0, Math.max(0, slots)) : kept;
}

function scaledRow({ joints, values }: WeightRow, fixed: number[], free: number[]): WeightRow {
  const sum = (slots: number[]) => slots.reduce((total, i) => total + values[i], 0);
  const scale = (1 - sum(fixed)) / (sum(free) || 1);
  const row: WeightRow = { joints: [], values: [] };
  for (const i of fixed) {
    row.joints.push(joints[i]);
    row.values.push(values[i]);
  }
  for (const i of free) {
    row.joints.push(joints[i]);
    row.values.push(Math.max(0, values[i] * scale));
  }
  return row;
}

/**
 * Drops weights below a fraction of the vertex's largest and divides the rest by their sum.
 *
 * @param fraction 0 keeps all, 1 keeps only the largest (and its equals)
 */
export function pruneWeights(weights: SkinWeights, fraction: number): SkinWeights {
  if (!(fraction >= 0 && fraction <= 1)) {
    throw new RangeError(`pruneWeights: fraction must be 0 to 1, got ${fraction}.`);
  }
  return besideLargest(weights, (weight, largest) => (weight < largest * fraction ? 0 : weight));
}

/**
 * Rows in order: heaviest first (ties: lower joint first), sum 1, joint 0 where the weight is 0.
 *
 * A joint that appears twice in a row is added up.
 */
export function sortInfluences(weights: SkinWeights): SkinWeights {
  return weightsFromSlots(weights.joints, weights.weights, weights.influences);
}

/**
 * What each weight gives up, as a share of the vertex's largest: the best on the validation
 * characters (bench/adaptive.ts), where 0.04 to 0.08 hardly differ.
 */
export const ADAPT_SHARE = 0.06;

/**
 * Lets the number of influences follow from the prediction: takes a share of the vertex's largest
 * weight from every weight, drops those that had no more, and divides the rest by their sum.
 *
 * Where the prediction is sure, one joint is left; where joints meet, all that matter stay. Unlike
 * cutting at a threshold, a weight reaches zero without a jump, so neighbors do not part.
 * Related to: Martins and Astudillo. From softmax to sparsemax. 2016.
 *
 * @param share 0 changes nothing, below 1
 */
export function adaptInfluences(weights: SkinWeights, share: number = ADAPT_SHARE): SkinWeights {
  if (!(share >= 0 && share < 1)) {
    throw new RangeError(`adaptInfluences: share must be at least 0 and below 1, got ${share}.`);
  }
  if (share === 0) return weights;
  return besideLargest(weights, (weight, largest) => Math.max(0, weight - largest * share));
}
