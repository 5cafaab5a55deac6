import type { SkinWeights } from "./skin-weights.ts";

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
  const out: SkinWeights = {
    influences: slots,
    joints: new Uint16Array(joints.length),
    weights: new Float32Array(joints.length),
  };
  const rowJoints: number[] = [];
  const rowValues: number[] = [];
  for (let vertex = 0; vertex < vertices; vertex++) {
    rowJoints.length = 0;
    rowValues.length = 0;
    for (let i = vertex * slots; i < (vertex + 1) * slots; i++) {
      if (joints[i] >= 0 && values[i] > 0 && values[i] < Infinity) {
        addToRow(rowJoints, rowValues, joints[i], values[i]);
      }
    }
    writeRow(out, vertex, rowJoints, rowValues);
  }
  return out;
}

/**
 * Writes one vertex: sorts the pairs in place, divides by their sum, cuts what has no slot.
 *
 * @param joints the joints of the row, each once
 * @param values their weights, > 0
 */
export function writeRow(
  out: SkinWeights,
  vertex: number,
  joints: number[],
  values: number[],
): void {
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

function addToRow(joints: number[], values: number[], joint: number, value: number): void {
  const at = joints.indexOf(joint);
  if (at >= 0) {
    values[at] += value;
  } else {
    joints.push(joint);
    values.push(value);
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
