import type { SkinWeights } from "./skin-weights.ts";
import { writeRow } from "./weights-from-slots.ts";

/**
 * Keeps the `limit` heaviest joints of each vertex and divides them by their sum.
 *
 * @param limit slots of the result, >= 1; rows shorter than that are padded with zeros
 *
 * @example
 * const four = limitInfluences(weights, 4);
 * console.log(four.influences); // 4
 */
export function limitInfluences(weights: SkinWeights, limit: number): SkinWeights {
  if (!(Number.isInteger(limit) && limit >= 1)) {
    throw new RangeError(`limitInfluences: limit must be a whole number from 1, got ${limit}.`);
  }
  const { influences } = weights;
  const vertices = weights.weights.length / influences;
  const out: SkinWeights = {
    influences: limit,
    joints: new Uint16Array(vertices * limit),
    weights: new Float32Array(vertices * limit),
  };
  for (let vertex = 0; vertex < vertices; vertex++) {
    const joints: number[] = [];
    const values: number[] = [];
    for (let i = vertex * influences; i < (vertex + 1) * influences; i++) {
      if (weights.weights[i] > 0) {
        joints.push(weights.joints[i]);
        values.push(weights.weights[i]);
      }
    }
    writeRow(out, vertex, joints, values);
  }
  return out;
}
