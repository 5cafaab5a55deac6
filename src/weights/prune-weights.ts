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
    const row = values.subarray(start, start + influences);
    const least = row.reduce((largest, value) => Math.max(largest, value), 0) * fraction;
    for (let i = 0; i < influences; i++) if (row[i] < least) row[i] = 0;
  }
  return weightsFromSlots(weights.joints, values, influences);
}
