import type { SkinWeights } from "./skin-weights.ts";

/**
 * How many vertices have how many influences.
 *
 * @returns I+1, entry n counts the vertices with n weights above zero
 */
export function influenceHistogram(weights: SkinWeights): number[] {
  const { influences } = weights;
  const counts = new Array<number>(influences + 1).fill(0);
  for (let start = 0; start < weights.weights.length; start += influences) {
    let used = 0;
    for (let i = start; i < start + influences; i++) if (weights.weights[i] > 0) used++;
    counts[used]++;
  }
  return counts;
}
