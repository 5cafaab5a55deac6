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
  const least = prune * row.values.reduce((most, value) => Math.max(most, value), 0);
  const order = [...row.joints.keys()].sort(
    (a, b) => row.values[b] - row.values[a] || row.joints[a] - row.joints[b],
  );
  const isFixedAt = (i: number) => isFixed(row.joints[i]);
  const fixed = order.filter(isFixedAt).slice(0, maxInfluences);
  const free = order.filter((i) => !isFixedAt(i) && row.values[i] >= least);
  // Fixed weights are not scaled, so someone must take the rest even where all of it is small.
  if (free.length === 0) free.push(...order.filter((i) => !isFixedAt(i)).slice(0, 1));
  const groups = twins ? groupTwins(row, free, twins) : free.map((i) => [i]);
  const kept = fillSlots(groups, maxInfluences - fixed.length);
  return scaledRow(row, fixed, kept);
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
  return {
    joints: [...fixed, ...free].map((i) => joints[i]),
    values: [...fixed.map((i) => values[i]), ...free.map((i) => Math.max(0, values[i] * scale))],
  };
}
