import { takeRows } from "../math/take-rows.ts";
import type { SkinWeights } from "./skin-weights.ts";

/** The weights of one vertex, in any order; each joint once. */
export interface WeightRow {
  joints: number[];
  /** As many as joints, > 0. */
  values: number[];
}

/** The weights above zero of a vertex. */
export function readRow({ influences, joints, weights }: SkinWeights, vertex: number): WeightRow {
  const row: WeightRow = { joints: [], values: [] };
  for (let i = vertex * influences; i < (vertex + 1) * influences; i++) {
    if (weights[i] > 0) addWeight(row, joints[i], weights[i]);
  }
  return row;
}

/** The weight of a joint in a row; 0 where it has none. */
export function weightIn({ joints, values }: WeightRow, joint: number): number {
  const at = joints.indexOf(joint);
  return at < 0 ? 0 : values[at];
}

/** Adds to a joint's weight in place. */
export function addWeight(row: WeightRow, joint: number, value: number): void {
  const at = row.joints.indexOf(joint);
  if (at >= 0) {
    row.values[at] += value;
  } else {
    row.joints.push(joint);
    row.values.push(value);
  }
}

/** Adds a share of each weight of another row, in place. */
export function addRow(row: WeightRow, { joints, values }: WeightRow, share: number): void {
  for (let i = 0; i < joints.length; i++) {
    const value = values[i] * share;
    if (value > 0) addWeight(row, joints[i], value);
  }
}

/** The sum of a row's weights. */
export function sumOf({ values }: WeightRow): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}

/** Weights of V vertices without any yet. */
export function emptyWeights(vertices: number, influences: number): SkinWeights {
  return {
    influences,
    joints: new Uint16Array(vertices * influences),
    weights: new Float32Array(vertices * influences),
  };
}

/** Puts a vertex's row of one into that of another, which has no fewer slots. */
export function copyRow(from: SkinWeights, row: number, to: SkinWeights, vertex: number): void {
  for (let i = 0; i < from.influences; i++) {
    to.joints[vertex * to.influences + i] = from.joints[row * from.influences + i];
    to.weights[vertex * to.influences + i] = from.weights[row * from.influences + i];
  }
}

/** The same weights, to be changed in place. */
export function copyWeights({ influences, joints, weights }: SkinWeights): SkinWeights {
  return { influences, joints: joints.slice(), weights: weights.slice() };
}

/** The weights of some vertices, in the order given. */
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

/** Number of vertices V. */
export function rowCount({ influences, weights }: SkinWeights): number {
  return weights.length / influences;
}
