import type { SkinWeights } from "./skin-weights.ts";
import { mapRows } from "./weights-from-slots.ts";

/** Joints per vertex where nobody says: what every engine takes. */
export const USUAL_INFLUENCES = 4;

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
  return mapRows(weights, limit, (row) => row);
}
