import type { SkinWeights } from "./skin-weights.ts";
import { weightsFromSlots } from "./weights-from-slots.ts";

/**
 * Rows in order: heaviest first (ties: lower joint first), sum 1, joint 0 where the weight is 0.
 *
 * A joint that appears twice in a row is added up.
 */
export function sortInfluences(weights: SkinWeights): SkinWeights {
  return weightsFromSlots(weights.joints, weights.weights, weights.influences);
}
