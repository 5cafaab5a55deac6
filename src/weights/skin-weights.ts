import { takeRows } from "../math/arrays.ts";

/**
 * Skin weights: for each vertex its joints, heaviest first.
 *
 * @example
 * // Two vertices: one follows joint 3, one is shared by joints 0 and 1.
 * const made: SkinWeights = {
 *   influences: 2,
 *   joints: Uint16Array.of(3, 0, 0, 1),
 *   weights: Float32Array.of(1, 0, 0.75, 0.25),
 * };
 */
export interface SkinWeights {
  /** I, slots per vertex. */
  influences: number;
  /** V×I joint indices; 0 in an unused slot. */
  joints: Uint16Array;
  /** V×I, >= 0, descending in each row, each row sums to 1; 0 in an unused slot. */
  weights: Float32Array;
}

/** The weights of one vertex, in any order; each joint once. */
export interface WeightRow {
  joints: number[];
  /** One per joint, > 0. */
  values: number[];
}

/** Returns the nonzero weights of a vertex. */
export function readRow({ influences, joints, weights }: SkinWeights, vertex: number): WeightRow {
  const row: WeightRow = { joints: [], values: [] };
  for (let i = vertex * influences; i < (vertex + 1) * influences; i++) {
    if (weights[i] > 0) addWeight(row, joints[i], weights[i]);
  }
  return row;
}

/** Returns whether a vertex has any weight. */
export function hasWeight({ influences, weights }: SkinWeights, vertex: number): boolean {
  for (let i = vertex * influences; i < (vertex + 1) * influences; i++) {
    if (weights[i] > 0) return true;
  }
  return false;
}

/** Returns the weight of a joint in a row, or 0. */
export function weightIn({ joints, values }: WeightRow, joint: number): number {
  const at = joints.indexOf(joint);
  return at < 0 ? 0 : values[at];
}

/** Adds to a joint's weight, in place. */
export function addWeight(row: WeightRow, joint: number, value: number): void {
  const at = row.joints.indexOf(joint);
  if (at >= 0) row.values[at] += value;
  else {
    row.joints.push(joint);
    row.values.push(value);
  }
}

/** Adds another row times a factor, in place. */
export function addRow(row: WeightRow, { joints, values }: WeightRow, factor: number): void {
  for (let i = 0; i < joints.length; i++) {
    const value = values[i] * factor;
    if (value > 0) addWeight(row, joints[i], value);
  }
}

/** Returns the sum of a row's weights. */
export function sumOf({ values }: WeightRow): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}

/** Creates weights of V vertices, all zero. */
export function emptyWeights(vertices: number, influences: number): SkinWeights {
  return {
    influences,
    joints: new Uint16Array(vertices * influences),
    weights: new Float32Array(vertices * influences),
  };
}

/** Copies a row of `from` to a vertex of `to`, which has at least as many slots. */
export function copyRow(from: SkinWeights, row: number, to: SkinWeights, vertex: number): void {
  for (let i = 0; i < from.influences; i++) {
    to.joints[vertex * to.influences + i] = from.joints[row * from.influences + i];
    to.weights[vertex * to.influences + i] = from.weights[row * from.influences + i];
  }
}

/** Copies weights, to be changed in place. */
export function copyWeights({ influences, joints, weights }: SkinWeights): SkinWeights {
  return { influences, joints: joints.slice(), weights: weights.slice() };
}

/** Returns the weights of some vertices, in the given order. */
export function takeWeights(
  { influences, joints, weights }: SkinWeights,
  vertices: Int32Array,
): SkinWeights {
  return {
    influences,
    joints: takeRows(joints, vertices, influences),
    weights: takeRows(weights, vertices, influences),
  };
}

/** Returns the weight of each of J joints, summed over vertices. */
export function weightPerJoint({ joints, weights }: SkinWeights, J: number): Float64Array {
  const totals = new Float64Array(J);
  for (let slot = 0; slot < weights.length; slot++) totals[joints[slot]] += weights[slot];
  return totals;
}

/** Number of vertices V. */
export function rowCount({ influences, weights }: SkinWeights): number {
  return weights.length / influences;
}

/**
 * Builds skin weights from unsorted, unnormalized slots.
 *
 * Slots with a negative joint, or whose value is not a positive finite number, are ignored; slots of one joint
 * are summed; rows are sorted (ties: lower joint first) and normalized. A vertex without any usable slot keeps
 * a row of zeros, which `checkWeights` reports.
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

/** Changes each nonzero weight, given the largest of its vertex, and normalizes the rows. */
export function mapWithLargest(
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
 * Builds weights row by row from other weights.
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

/** Writes one vertex: sorts the row in place, cuts it to the slots and normalizes it. */
export function writeRow(out: SkinWeights, vertex: number, { joints, values }: WeightRow): void {
  sortRow(joints, values);
  const used = Math.min(joints.length, out.influences);
  let sum = 0;
  for (let i = 0; i < used; i++) sum += values[i];
  const start = vertex * out.influences;
  for (let i = 0; i < out.influences; i++) {
    // A value may round to zero in float32; its joint is then dropped too.
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

/**
 * Builds skin weights from a dense table; each row sorted and normalized.
 *
 * @param table V×J; values that are not positive finite numbers count as zero
 * @param joints J
 * @returns as many slots as the longest row needs, at least one
 */
export function weightsFromDense(table: ArrayLike<number>, joints: number): SkinWeights {
  const rows = Array.from({ length: table.length / joints }, (_, vertex) => {
    const row: WeightRow = { joints: [], values: [] };
    for (let joint = 0; joint < joints; joint++) {
      const value = table[vertex * joints + joint];
      if (value > 0 && value < Infinity) addWeight(row, joint, value);
    }
    return row;
  });
  const influences = rows.reduce((max, row) => Math.max(max, row.joints.length), 1);
  const out = emptyWeights(rows.length, influences);
  rows.forEach((row, vertex) => {
    writeRow(out, vertex, row);
  });
  return out;
}
