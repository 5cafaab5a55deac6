import { CONTROL } from "../skeleton/helper-joints.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import {
  addWeight,
  mapRows,
  mapWithLargest,
  type SkinWeights,
  sumOf,
  type WeightRow,
  weightsFromSlots,
} from "./skin-weights.ts";
import { limitInfluences, lockTest, type WeightLocks } from "./weight-locks.ts";

/** Limits of {@link trimWeights}. */
export interface TrimOptions {
  /** Maximum joints per vertex. */
  maxInfluences: number;
  /** Weights below this fraction of the vertex's largest are dropped; 0 keeps all. */
  prune: number;
}

/** Weights that differ by less are a tie: a left and a right joint in the middle of a character. */
const TIE = 1e-6;

/**
 * Prunes and limits weights; locked weights keep their slots and their values. Of joints that tie at the limit
 * none is kept, so that the result does not depend on their numbers and the middle of a character stays there.
 *
 * @returns `maxInfluences` slots; a vertex with more locked weights than slots keeps the heaviest
 */
export function trimWeights(
  weights: SkinWeights,
  options: TrimOptions,
  locks?: WeightLocks,
): SkinWeights {
  if (!locks) {
    const pruned = pruneWeights(weights, options.prune);
    if (pruned.influences <= options.maxInfluences) {
      return limitInfluences(pruned, options.maxInfluences);
    }
    return mapRows(pruned, options.maxInfluences, (row) => withoutTies(row, options.maxInfluences));
  }
  return mapRows(weights, options.maxInfluences, (row, vertex) =>
    trimRow(row, options, lockTest(locks, vertex)),
  );
}

/**
 * Shortens a row that sums to 1; the result does too.
 *
 * @param isFixed joints whose weight does not change
 * @param twins J, the mirror image of each joint: if given, twins stay or go together
 */
export function trimRow(
  row: WeightRow,
  { maxInfluences, prune }: TrimOptions,
  isFixed: (joint: number) => boolean,
  twins?: Int32Array,
): WeightRow {
  const order = heaviestFirst(row);
  const min = prune * (order.length > 0 ? row.values[order[0]] : 0);
  const fixed: number[] = [];
  const free: number[] = [];
  for (const i of order) {
    if (isFixed(row.joints[i])) fixed.push(i);
    // Fixed weights are not scaled, so one free joint must take the rest even if it is small.
    else if (row.values[i] >= min || free.length === 0) free.push(i);
  }
  fixed.length = Math.min(fixed.length, maxInfluences);
  const slots = maxInfluences - fixed.length;
  const kept = twins ? fillSlots(groupTwins(row, free, twins), slots) : free.slice(0, slots);
  return scaledRow(row, fixed, kept);
}

/** Removes the joints that tie at the limit; a row of which nothing would be left stays as it is. */
function withoutTies(row: WeightRow, limit: number): WeightRow {
  const order = heaviestFirst(row);
  if (order.length <= limit) return row;
  const last = row.values[order[limit - 1]];
  if (last - row.values[order[limit]] > TIE) return row;
  const kept = order.filter((slot) => row.values[slot] > last + TIE);
  if (kept.length === 0) return row;
  return {
    joints: kept.map((slot) => row.joints[slot]),
    values: kept.map((slot) => row.values[slot]),
  };
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

/** Free slots with their twins if both are in the row; heaviest first. */
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

/** The first groups that fit; half of a pair if nothing else does. */
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
 * Drops weights below a fraction of the vertex's largest and normalizes the rest.
 *
 * @param fraction 0 keeps all, 1 keeps only the largest (and its equals)
 */
export function pruneWeights(weights: SkinWeights, fraction: number): SkinWeights {
  if (!(fraction >= 0 && fraction <= 1)) {
    throw new RangeError(`pruneWeights: fraction must be 0 to 1, got ${fraction}.`);
  }
  return mapWithLargest(weights, (weight, largest) => (weight < largest * fraction ? 0 : weight));
}

/** Sorts rows (heaviest first, ties: lower joint first) and normalizes them; duplicate joints are merged. */
export function sortInfluences(weights: SkinWeights): SkinWeights {
  return weightsFromSlots(weights.joints, weights.weights, weights.influences);
}

/** Default fraction of {@link adaptInfluences}: the best on the validation characters (bench/adaptive.ts). */
export const ADAPT_FRACTION = 0.06;

/**
 * Adapts the number of influences to the prediction: subtracts a fraction of the vertex's largest weight from
 * every weight, drops those that become negative, and normalizes the rest.
 *
 * Confident vertices keep one joint; where joints meet, all that matter stay. Unlike a threshold, a weight
 * reaches zero continuously, so neighbors do not differ abruptly.
 * Related to: Martins and Astudillo. From softmax to sparsemax. 2016.
 *
 * @param fraction 0 changes nothing, below 1
 */
export function adaptInfluences(
  weights: SkinWeights,
  fraction: number = ADAPT_FRACTION,
): SkinWeights {
  if (!(fraction >= 0 && fraction < 1)) {
    throw new RangeError(`adaptInfluences: fraction must be >= 0 and < 1, got ${fraction}.`);
  }
  if (fraction === 0) return weights;
  return mapWithLargest(weights, (weight, largest) => Math.max(0, weight - largest * fraction));
}

/**
 * Removes the weight of some joints.
 *
 * It goes to the nearest ancestor that is not excluded. Controls are the exception: they are children of the
 * root, which moves the whole body, so their weight goes to the vertex's other joints, and to the ancestor only
 * if there are none. If there is neither, the vertex keeps a row of zeros.
 *
 * @param excluded J, 0 for joints that stay; `CONTROL` for controls; any other number excludes too
 */
export function excludeJoints(
  weights: SkinWeights,
  skeleton: Skeleton,
  excluded: Uint8Array,
): SkinWeights {
  if (excluded.every((kind) => kind === 0)) return weights;
  const heirs = heirsOf(skeleton, excluded);
  return mapRows(weights, weights.influences, (before) => {
    const row = moved(before, heirs, (joint) => excluded[joint] !== CONTROL);
    return sumOf(row) === 0 ? moved(before, heirs, () => true) : row;
  });
}

/** The joint that inherits the weight of each joint: itself, its nearest ancestor that stays, or -1. */
function heirsOf({ parents }: Skeleton, excluded: Uint8Array): Int32Array {
  return Int32Array.from(parents, (_, joint) => {
    let heir = joint;
    while (heir >= 0 && excluded[heir] !== 0) heir = parents[heir];
    return heir;
  });
}

function moved(
  { joints, values }: WeightRow,
  heirs: Int32Array,
  inherits: (joint: number) => boolean,
): WeightRow {
  const row: WeightRow = { joints: [], values: [] };
  joints.forEach((joint, i) => {
    if (heirs[joint] >= 0 && (heirs[joint] === joint || inherits(joint))) {
      addWeight(row, heirs[joint], values[i]);
    }
  });
  return row;
}
