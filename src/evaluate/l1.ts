import { mean } from "../math/arrays.ts";
import { rowCount, type SkinWeights } from "../weights/skin-weights.ts";

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
  const errors = new Float32Array(rowCount(artist));
  eachDifference(artist, predicted, (difference, joints, vertex) => {
    errors[vertex] = joints.reduce((sum, joint) => sum + Math.abs(difference[joint]), 0);
  });
  return errors;
}

/** The L1 error of a character: the mean of {@link vertexL1}. */
export function meanL1(predicted: SkinWeights, artist: SkinWeights): number {
  const errors = vertexL1(predicted, artist);
  return errors.length === 0 ? 0 : mean(errors);
}

/**
 * The L1 error of each joint: the sum over all vertices of |predicted - artist|.
 *
 * @param J number of joints
 */
export function jointL1(predicted: SkinWeights, artist: SkinWeights, J: number): Float64Array {
  const errors = new Float64Array(J);
  eachDifference(artist, predicted, (difference, joints) => {
    for (const joint of joints) errors[joint] += Math.abs(difference[joint]);
  });
  return errors;
}

/**
 * Shows for each vertex what `b` has more than `a`: a number per joint, of which those of `joints` may
 * be other than 0.
 *
 * @param a V rows
 * @param b V rows
 */
export function eachDifference(
  a: SkinWeights,
  b: SkinWeights,
  visit: (difference: readonly number[], joints: readonly number[], vertex: number) => void,
): void {
  // One list for all, filled and emptied row by row, so that no V×J table is needed.
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
