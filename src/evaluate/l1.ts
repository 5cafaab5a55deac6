import type { SkinWeights } from "../weights/skin-weights.ts";

/**
 * The L1 error of each vertex: the sum over all joints of |predicted - artist|, 0 to 2.
 *
 * A vertex without predicted weight scores the artist's whole weight, 1.
 *
 * @param predicted V rows
 * @param artist V rows
 * @returns V
 */
export function vertexL1(predicted: SkinWeights, artist: SkinWeights): Float32Array {
  const V = artist.weights.length / artist.influences;
  const errors = new Float32Array(V);
  // One number per joint, filled and emptied row by row, so that no V×J table is needed.
  const difference: number[] = [];
  for (let vertex = 0; vertex < V; vertex++) {
    const touched: number[] = [];
    addRow(difference, touched, artist, vertex, -1);
    addRow(difference, touched, predicted, vertex, 1);
    let sum = 0;
    for (const joint of touched) {
      sum += Math.abs(difference[joint]);
      difference[joint] = 0;
    }
    errors[vertex] = sum;
  }
  return errors;
}

/** The L1 error of a character: the mean of {@link vertexL1}. */
export function meanL1(predicted: SkinWeights, artist: SkinWeights): number {
  const errors = vertexL1(predicted, artist);
  let sum = 0;
  for (const error of errors) sum += error;
  return errors.length === 0 ? 0 : sum / errors.length;
}

/**
 * The L1 error of each joint: the sum over all vertices of |predicted - artist|.
 *
 * @param J number of joints
 */
export function jointL1(predicted: SkinWeights, artist: SkinWeights, J: number): Float64Array {
  const errors = new Float64Array(J);
  const difference: number[] = [];
  for (let vertex = 0; vertex < artist.weights.length / artist.influences; vertex++) {
    const touched: number[] = [];
    addRow(difference, touched, artist, vertex, -1);
    addRow(difference, touched, predicted, vertex, 1);
    for (const joint of touched) {
      errors[joint] += Math.abs(difference[joint]);
      difference[joint] = 0;
    }
  }
  return errors;
}

function addRow(
  difference: number[],
  touched: number[],
  rows: SkinWeights,
  vertex: number,
  sign: number,
): void {
  const end = (vertex + 1) * rows.influences;
  for (let slot = vertex * rows.influences; slot < end; slot++) {
    const weight = rows.weights[slot];
    if (weight === 0) continue;
    const joint = rows.joints[slot];
    if (!difference[joint]) {
      difference[joint] = 0;
      touched.push(joint);
    }
    difference[joint] += sign * weight;
  }
}
