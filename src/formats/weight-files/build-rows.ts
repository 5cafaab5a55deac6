import { InputError } from "../../input-error.ts";
import {
  emptyWeights,
  type SkinWeights,
  type WeightRow,
  writeRow,
} from "../../weights/skin-weights.ts";
import { type Budget, spend } from "../budget.ts";
import { MAX_ROW } from "../rows.ts";

/** Collects weights of a mesh point by point, in any order. */
export interface RowBuilder {
  /** Adds a weight; weights of one joint are summed. */
  add(point: number, joint: number, weight: number): void;
  /** Builds P rows; the number of points is at least `count`. */
  build(count?: number): SkinWeights;
}

/** Larger weights could overflow when they are summed. */
const MAX_WEIGHT = 1e30;

/** Bytes of a joint and its weight in a row. */
const SLOT_BYTES = 6;

/** Starts a collection of weights of the file of a budget. */
export function createRowBuilder(budget: Budget): RowBuilder {
  const rows = new Map<number, number[]>();
  let last = -1;
  return {
    add(point, joint, weight) {
      if (!(Number.isInteger(point) && point >= 0)) {
        throw new InputError(
          `${budget.name}: "${point}" is not the index of a vertex; export it again.`,
        );
      }
      if (!(Math.abs(weight) <= MAX_WEIGHT)) {
        throw new InputError(
          `${budget.name}: a weight of vertex ${point} is not a number; export it again.`,
        );
      }
      last = Math.max(last, point);
      if (weight <= 0) return;
      const row = rows.get(point);
      if (row) row.push(joint, weight);
      else rows.set(point, [joint, weight]);
    },
    build(count = 0) {
      const points = Math.max(count, last + 1);
      spend(budget, points, "vertices");
      const merged = new Map([...rows].map(([point, list]) => [point, mergeRow(list)]));
      let slots = 1;
      for (const { joints } of merged.values()) slots = Math.max(slots, joints.length);
      spend(budget, points * slots * SLOT_BYTES);
      const weights = emptyWeights(points, slots);
      for (const [point, row] of merged) writeRow(weights, point, row);
      return weights;
    },
  };
}

/** Sums the weights of each joint and keeps the largest; time is linear in the list, up to sorting. */
function mergeRow(list: number[]): WeightRow {
  const sums = new Map<number, number>();
  for (let i = 0; i < list.length; i += 2) {
    sums.set(list[i], (sums.get(list[i]) ?? 0) + list[i + 1]);
  }
  const kept = [...sums].sort(([a, x], [b, y]) => y - x || a - b).slice(0, MAX_ROW);
  return { joints: kept.map(([joint]) => joint), values: kept.map(([, value]) => value) };
}
