import type { SkinWeights } from "../weights/skin-weights.ts";

/**
 * The artist's weight of each candidate bone.
 *
 * @param candidates V×K bones, -1 in an empty slot
 * @returns V×K; a row sums to less than 1 by what the artist gave to other bones
 */
export function candidateLabels(
  { influences, joints, weights }: SkinWeights,
  candidates: Int32Array,
  k: number,
): Float32Array {
  const labels = new Float32Array(candidates.length);
  for (let i = 0; i < candidates.length; i++) {
    const bone = candidates[i];
    if (bone < 0) continue;
    const row = Math.floor(i / k) * influences;
    for (let slot = row; slot < row + influences; slot++) {
      if (joints[slot] === bone) labels[i] += weights[slot];
    }
  }
  return labels;
}
