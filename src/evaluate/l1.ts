import { mean } from "../math/arrays.ts";
import { rowCount, type SkinWeights } from "../weights/skin-weights.ts";

/**
 * Returns the L1 error of each vertex: the sum over all joints of |predicted - artist|, 0 to 2.
 *
 * A vertex without predicted weight scores 1.
 */
export function vertexL1(predicted: SkinWeights, artist: SkinWeights): Float32Array {
  const errors = new Float32Array(rowCount(artist));
  eachDifference(artist, predicted, (difference, joints, vertex) => {
    errors[vertex] = joints.reduce((sum, joint) => sum + Math.abs(difference[joint]), 0);
  });
  return errors;
}

/** Returns the mean of {@link vertexL1}. */
export function meanL1(predicted: SkinWeights, artist: SkinWeights): number {
  const errors = vertexL1(predicted, artist);
  return errors.length === 0 ? 0 : mean(errors);
}

/** Visits b - a for each vertex: a number per joint, zero except at `joints`. */
export function eachDifference(
  a: SkinWeights,
  b: SkinWeights,
  visit: (difference: readonly number[], joints: readonly number[], vertex: number) => void,
): void {
  // One list for all rows, so that no V×J table is needed.
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
