import type { Character } from "../character/character.ts";
import { vertexCount } from "../mesh/mesh.ts";
import { type Bones, boneCount, boneDistance, bonesOf } from "../skeleton/bones.ts";
import { copyWeights, type SkinWeights } from "../weights/skin-weights.ts";

/**
 * Binds vertices without weight to their nearest bone.
 *
 * @param barred J, 1 for joints that must not receive weight
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
  for (let vertex = 0; vertex < vertexCount(mesh); vertex++) {
    const row = weights.weights.subarray(vertex * influences, (vertex + 1) * influences);
    if (row.some((weight) => weight > 0)) continue;
    const nearest = nearestBone(mesh.positions, vertex, bones, barred);
    out.joints[vertex * influences] = Math.max(0, nearest);
    out.weights[vertex * influences] = 1;
    filled++;
  }
  return { weights: out, filled };
}

/**
 * Returns the nearest bone of a vertex that is not barred, or -1.
 *
 * @param positions V×3
 */
export function nearestBone(
  positions: Float32Array,
  vertex: number,
  bones: Bones,
  barred?: Uint8Array,
): number {
  let [nearest, minDistance] = [-1, Infinity];
  for (let bone = 0; bone < boneCount(bones); bone++) {
    if (barred?.[bone]) continue;
    const distance = boneDistance(bones, bone, positions, vertex);
    if (distance < minDistance) [nearest, minDistance] = [bone, distance];
  }
  return nearest;
}
