import type { SkinWeights } from "./skin-weights.ts";
import { weightsFromSlots } from "./weights-from-slots.ts";

/**
 * Drops weights below a fraction of the vertex's largest and divides the rest by their sum.
 *
 * @param fraction 0 keeps all, 1 keeps only the largest (and its equals)
 */
export function pruneWeights(weights: SkinWeights, fraction: number): SkinWeights {
  if (!(fraction >= 0 && fraction <= 1)) {
    throw new RangeError(`pruneWeights: fraction must be 0 to 1, got ${fraction}.`);
  }
  const { influences } = weights;
  const values = weights.weights.slice();
  for (let start = 0; start < values.length; start += influences) {
    const end = start + influences;
    let largest = 0;
    for (let i = start; i < end; i++) largest = Math.max(largest, values[i]);
    const least = largest * fraction;
    for (let i = start; i < end; i++) if (values[i] < least) values[i] = 0;
  }
  return weightsFromSlots(weights.joints, values, influences);
}
