import type { BoneDistances } from "../distance/bone-distances.ts";
import { mean } from "../math/arrays.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";

/** A joint is far beyond FAR_RATIO times the nearest joint's distance plus FAR_MARGIN. */
const FAR_RATIO = 3;
const FAR_MARGIN = 0.05;

/** Returns the distance beyond which a joint is far from a vertex (longest side 1). */
export function farDistance(nearest: number): number {
  return FAR_RATIO * nearest + FAR_MARGIN;
}

/** Bones to measure per vertex for bleed: a joint beyond the 64 nearest is far on any character. */
export const BLEED_BONES = 64;

/**
 * Returns the weight of each vertex (V) on far joints: those whose distance exceeds 3 times the nearest joint's
 * plus 0.05. A joint that is not among the stored nearest counts as far.
 *
 * @param weights V rows
 * @param distances HollowDist in the normalized space (longest side 1)
 */
export function vertexBleed(weights: SkinWeights, distances: BoneDistances): Float32Array {
  const V = weights.weights.length / weights.influences;
  const { k } = distances;
  const bleeds = new Float32Array(V);
  for (let vertex = 0; vertex < V; vertex++) {
    const bones = distances.bones.subarray(vertex * k, (vertex + 1) * k);
    const far = farDistance(distances.distances[vertex * k]);
    const end = (vertex + 1) * weights.influences;
    for (let slot = vertex * weights.influences; slot < end; slot++) {
      const weight = weights.weights[slot];
      if (weight === 0) continue;
      const at = bones.indexOf(weights.joints[slot]);
      if (at < 0 || distances.distances[vertex * k + at] > far) bleeds[vertex] += weight;
    }
  }
  return bleeds;
}

/** Returns the bleed of a character: the mean of {@link vertexBleed}. */
export function meanBleed(weights: SkinWeights, distances: BoneDistances): number {
  const bleeds = vertexBleed(weights, distances);
  return bleeds.length === 0 ? 0 : mean(bleeds);
}
