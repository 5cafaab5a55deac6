import type { Character } from "../character/character.ts";
import { type Bones, boneCount, boneDistance, bonesOf } from "../skeleton/bones.ts";
import { copyWeights, type SkinWeights } from "../weights/skin-weights.ts";

/**
 * Vertices without any weight follow their nearest bone: a character must not leave them behind.
 *
 * @param barred J, 1 for joints that must not be given weight; without it none
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
 * The bone nearest to a vertex in a straight line, of those that are not barred; -1 where all are.
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
  let least = Infinity;
  for (let bone = 0; bone < boneCount(bones); bone++) {
    if (barred?.[bone]) continue;
    const distance = boneDistance(bones, bone, positions, vertex);
    if (distance >= least) continue;
    nearest = bone;
    least = distance;
  }
  return nearest;
}
