import type { BoneDistances } from "../distance/bone-distances.ts";
import { mean } from "../math/arrays.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";
import { readRow, rowCount } from "../weights/skin-weights.ts";

/** A joint is far beyond FAR_RATIO times the nearest joint's distance plus FAR_MARGIN. */
const FAR_RATIO = 3;
const FAR_MARGIN = 0.05;

/** Returns the distance from which a joint is far from a vertex, in normalized space. */
export function farDistance(nearest: number): number {
  return FAR_RATIO * nearest + FAR_MARGIN;
}

/** Bones measured per vertex: joints beyond the 64 nearest are always far. */
export const BLEED_BONES = 64;

/**
 * Returns the weight of each vertex on far joints (V). A joint that is not among the stored nearest
 * counts as far.
 *
 * @param distances HollowDist in normalized space (longest side 1)
 */
export function vertexBleed(weights: SkinWeights, distances: BoneDistances): Float32Array {
  const { k } = distances;
  const bleeds = new Float32Array(rowCount(weights));
  for (let vertex = 0; vertex < bleeds.length; vertex++) {
    const bones = distances.bones.subarray(vertex * k, (vertex + 1) * k);
    const far = farDistance(distances.distances[vertex * k]);
    const { joints, values } = readRow(weights, vertex);
    joints.forEach((joint, i) => {
      const slot = bones.indexOf(joint);
      if (slot < 0 || distances.distances[vertex * k + slot] > far) bleeds[vertex] += values[i];
    });
  }
  return bleeds;
}

/** Returns the mean of {@link vertexBleed}. */
export function meanBleed(weights: SkinWeights, distances: BoneDistances): number {
  const bleeds = vertexBleed(weights, distances);
  return bleeds.length === 0 ? 0 : mean(bleeds);
}
