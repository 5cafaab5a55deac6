import { mean } from "../math/arrays.ts";
import { rowCount, type SkinWeights } from "../weights/skin-weights.ts";

/**
 * Returns the L1 error of each vertex (V): the sum over all joints of |predicted - artist|, 0 to 2. A vertex
 * without predicted weight scores 1.
 *
 * @param predicted V rows
 * @param artist V rows
 */
export function vertexL1(predicted: SkinWeights, artist: SkinWeights): Float32Array {
  const errors = new Float32Array(rowCount(artist));
  eachDifference(artist, predicted, (difference, joints, vertex) => {
    errors[vertex] = joints.reduce((sum, joint) => sum + Math.abs(difference[joint]), 0);
  });
  return errors;
}

/** Returns the L1 error of a character: the mean of {@link vertexL1}. */
export function meanL1(predicted: SkinWeights, artist: SkinWeights): number {
  const errors = vertexL1(predicted, artist);
  return errors.length === 0 ? 0 : mean(errors);
}

/** Returns the L1 error of each of J joints: the sum over all vertices of |predicted - artist|. */
export function jointL1(predicted: SkinWeights, artist: SkinWeights, J: number): Float64Array {
  const errors = new Float64Array(J);
  eachDifference(artist, predicted, (difference, joints) => {
    for (const joint of joints) errors[joint] += Math.abs(difference[joint]);
  });
  return errors;
}

/**
 * Visits the difference b - a of each vertex: a number per joint, which may be nonzero for `joints` only.
 *
 * @param a V rows
 * @param b V rows
 */
export function eachDifference(
  a: SkinWeights,
  b: SkinWeights,
  visit: (difference: readonly number[], joints: readonly number[], vertex: number) => void,
): void {
  // One list, reused for all rows, so that no V×J table is needed.
  const difference: number[] = [];
  let touched: number[] = [];
  const add = ({ influences, joints, weights }: SkinWeights, vertex: number, sign: number) => {
    for (let slot = vertex * influences; slot < (vertex + 1) * influences; slot++) {
      if (weights[slot] === 0) continue;
      const joint = joints[slot];
      if (!difference[joint]) {
        difference[joint] = 0;
        touched.push(joint);
      }
      difference[joint] += sign * weights[slot];
    }
  };
  for (let vertex = 0; vertex < rowCount(a); vertex++) {
    touched = [];
    add(a, vertex, -1);
    add(b, vertex, 1);
    visit(difference, touched, vertex);
    for (const joint of touched) difference[joint] = 0;
  }
}
