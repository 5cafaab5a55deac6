import { limitInfluences } from "./limit-influences.ts";
import { pruneWeights } from "./prune-weights.ts";
import type { SkinWeights } from "./skin-weights.ts";
import { lockTest, type WeightLocks } from "./weight-locks.ts";
import type { WeightRow } from "./weight-row.ts";
import { mapRows } from "./weights-from-slots.ts";

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
