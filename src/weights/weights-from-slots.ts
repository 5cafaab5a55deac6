import type { SkinWeights } from "./skin-weights.ts";
import { addWeight, emptyWeights, readRow, rowCount, type WeightRow } from "./weight-row.ts";

/**
 * Skin weights from loose slots, in any order and of any sum.
 *
 * Slots with a negative joint, or whose value is not a positive finite number, are left out; slots
 * of one joint are added up; rows are sorted (ties: lower joint first) and sum to 1. A vertex
 * without any usable slot keeps a row of zeros, which `checkWeights` reports.
 *
 * @param joints V×slots
 * @param values V×slots
 */
export function weightsFromSlots(
  joints: ArrayLike<number>,
  values: ArrayLike<number>,
  slots: number,
): SkinWeights {
  const vertices = slots > 0 ? joints.length / slots : 0;
  const out = emptyWeights(vertices, slots);
  const row: WeightRow = { joints: [], values: [] };
  for (let vertex = 0; vertex < vertices; vertex++) {
    row.joints.length = row.values.length = 0;
    for (let i = vertex * slots; i < (vertex + 1) * slots; i++) {
      if (joints[i] >= 0 && values[i] > 0 && values[i] < Infinity) {
        addWeight(row, joints[i], values[i]);
      }
    }
    writeRow(out, vertex, row);
  }
  return out;
}

/** Weights above zero changed one by one, each beside the largest of its vertex, and divided by their sum. */
export function besideLargest(
  { influences, joints, weights }: SkinWeights,
  change: (weight: number, largest: number) => number,
): SkinWeights {
  const values = weights.slice();
  for (let start = 0; start < values.length; start += influences) {
    let largest = 0;
    for (let i = start; i < start + influences; i++) largest = Math.max(largest, values[i]);
    for (let i = start; i < start + influences; i++) {
      if (values[i] > 0) values[i] = change(values[i], largest);
    }
  }
  return weightsFromSlots(joints, values, influences);
}

/**
 * Weights of which each row is made from one row of others.
 *
 * @param influences slots of the result
 */
export function mapRows(
  weights: SkinWeights,
  influences: number,
  change: (row: WeightRow, vertex: number) => WeightRow,
): SkinWeights {
  const out = emptyWeights(rowCount(weights), influences);
  for (let vertex = 0; vertex < rowCount(out); vertex++) {
    writeRow(out, vertex, change(readRow(weights, vertex), vertex));
  }
  return out;
}

/** Writes one vertex: sorts the row in place, divides by its sum, cuts what has no slot. */
export function writeRow(out: SkinWeights, vertex: number, { joints, values }: WeightRow): void {
  sortRow(joints, values);
  const used = Math.min(joints.length, out.influences);
  let sum = 0;
  for (let i = 0; i < used; i++) sum += values[i];
  const start = vertex * out.influences;
  for (let i = 0; i < out.influences; i++) {
    // A value may round to zero in float32; its joint then goes too.
    const weight = i < used ? Math.fround(values[i] / sum) : 0;
    out.weights[start + i] = weight;
    out.joints[start + i] = weight > 0 ? joints[i] : 0;
  }
}

/** Insertion sort: rows are short. */
function sortRow(joints: number[], values: number[]): void {
  for (let i = 1; i < joints.length; i++) {
    const joint = joints[i];
    const value = values[i];
    let j = i - 1;
    while (j >= 0 && (values[j] < value || (values[j] === value && joints[j] > joint))) {
      joints[j + 1] = joints[j];
      values[j + 1] = values[j];
      j--;
    }
    joints[j + 1] = joint;
    values[j + 1] = value;
  }
}
