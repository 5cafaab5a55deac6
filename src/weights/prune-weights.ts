import type { SkinWeights } from "./skin-weights.ts";
import { besideLargest } from "./weights-from-slots.ts";

/**
 * Drops weights below a fraction of the vertex's largest and divides the rest by their sum.
 *
 * @param fraction 0 keeps all, 1 keeps only the largest (and its equals)
 */
export function pruneWeights(weights: SkinWeights, fraction: number): SkinWeights {
  if (!(fraction >= 0 && fraction <= 1)) {
    throw new RangeError(`pruneWeights: fraction must be 0 to 1, got ${fraction}.`);
  }
  return besideLargest(weights, (weight, largest) => (weight < largest * fraction ? 0 : weight));
}
