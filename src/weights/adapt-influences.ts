import type { SkinWeights } from "./skin-weights.ts";
import { besideLargest } from "./weights-from-slots.ts";

/**
 * What each weight gives up, as a share of the vertex's largest: the best on the validation
 * characters (bench/adaptive.ts), where 0.04 to 0.08 hardly differ.
 */
export const ADAPT_SHARE = 0.06;

/**
 * Lets the number of influences follow from the prediction: takes a share of the vertex's largest
 * weight from every weight, drops those that had no more, and divides the rest by their sum.
 *
 * Where the prediction is sure, one joint is left; where joints meet, all that matter stay. Unlike
 * cutting at a threshold, a weight reaches zero without a jump, so neighbours do not part.
 * Related to: Martins and Astudillo. From softmax to sparsemax. 2016.
 *
 * @param share 0 changes nothing, below 1
 */
export function adaptInfluences(weights: SkinWeights, share: number = ADAPT_SHARE): SkinWeights {
  if (!(share >= 0 && share < 1)) {
    throw new RangeError(`adaptInfluences: share must be at least 0 and below 1, got ${share}.`);
  }
  if (share === 0) return weights;
  return besideLargest(weights, (weight, largest) => Math.max(0, weight - largest * share));
}
