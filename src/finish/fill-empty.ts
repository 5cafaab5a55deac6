import type { Character } from "../character/character.ts";
import { type Bones, boneCount, boneDistance, bonesOf } from "../skeleton/bones.ts";
import { copyWeights, type SkinWeights } from "../weights/skin-weights.ts";

/**
 * Assigns vertices without any weight to their nearest bone, so that they are not left behind.
 *
 * @param barred J, 1 for joints that must not get weight; default none
 */
export function fillEmpty(
  weights: SkinWeights,
  { mesh, skeleton }: Pick<Character, "mesh" | "skeleton">,
  barred?: Uint8Array,
): { weights: SkinWeights; filled: number } {
  const { influences } = weights;
  const out = copyWeights(weights);
  const bones = bonesOf(skeleton);
  let filled = 0;
  for (let vertex = 0; vertex < mesh.positions.length / 3; vertex++) {
    const row = weights.weights.subarray(vertex * influences, (vertex + 1) * influences);
    if (row.some((weight) => weight > 0)) continue;
    out.joints[vertex * influences] = Math.max(
      0,
      nearestBone(mesh.positions, vertex, bones, barred),
    );
    out.weights[vertex * influences] = 1;
    filled++;
  }
  return { weights: out, filled };
}

/**
 * Returns the bone nearest to a vertex by Euclidean distance that is not barred, or -1.
 *
 * @param positions V×3
 */
export function nearestBone(
  positions: Float32Array,
  vertex: number,
  bones: Bones,
  barred?: Uint8Array,
): number {
  let nearest = -1;
  let min = Infinity;
  for (let bone = 0; bone < boneCount(bones); bone++) {
    if (barred?.[bone]) continue;
    const distance = boneDistance(bones, bone, positions, vertex);
    if (distance >= min) continue;
    nearest = bone;
    min = distance;
  }
  return nearest;
}
