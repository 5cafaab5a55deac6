import { limitInfluences } from "./limit-influences.ts";
import type { SkinWeights } from "./skin-weights.ts";

/**
 * Weights with the rows of others wherever those have some: each vertex its own, even where another at the
 * same place had a different one.
 *
 * @param weights V rows
 * @param own V rows, zero where there are none
 */
export function keepRows(weights: SkinWeights, own: SkinWeights): SkinWeights {
  const { influences } = weights;
  const kept = limitInfluences(own, influences);
  const out = { influences, joints: weights.joints.slice(), weights: weights.weights.slice() };
  for (let first = 0; first < out.weights.length; first += influences) {
    // Heaviest first: a row whose first weight is zero has none.
    if (!(kept.weights[first] > 0)) continue;
    out.joints.set(kept.joints.subarray(first, first + influences), first);
    out.weights.set(kept.weights.subarray(first, first + influences), first);
  }
  return out;
}
