import { segmentDistance } from "../math/segment.ts";
import { type Bones, bonesOf } from "../skeleton/bones.ts";
import type { Character } from "./character.ts";
import type { SkinWeights } from "./skin-weights.ts";

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
  const out: SkinWeights = {
    influences,
    joints: weights.joints.slice(),
    weights: weights.weights.slice(),
  };
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
  { segments, starts }: Pick<Bones, "segments" | "starts">,
  barred?: Uint8Array,
): number {
  const x = positions[vertex * 3];
  const y = positions[vertex * 3 + 1];
  const z = positions[vertex * 3 + 2];
  let nearest = -1;
  let least = Infinity;
  for (let bone = 0; bone < starts.length - 1; bone++) {
    if (barred?.[bone]) continue;
    for (let segment = starts[bone]; segment < starts[bone + 1]; segment++) {
      const distance = segmentDistance(segments, segment, x, y, z);
      if (distance < least) {
        least = distance;
        nearest = bone;
      }
    }
  }
  return nearest;
}
