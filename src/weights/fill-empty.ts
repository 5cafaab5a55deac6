import { segmentDistance } from "../math/segment.ts";
import { bonesOf } from "../skeleton/bones.ts";
import type { Character } from "./character.ts";
import type { SkinWeights } from "./skin-weights.ts";

/** Vertices without any weight follow their nearest bone: a character must not leave them behind. */
export function fillEmpty(
  weights: SkinWeights,
  { mesh, skeleton }: Pick<Character, "mesh" | "skeleton">,
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
    out.joints[vertex * influences] = nearestBone(mesh.positions, vertex, bones);
    out.weights[vertex * influences] = 1;
    filled++;
  }
  return { weights: out, filled };
}

function nearestBone(
  positions: Float32Array,
  vertex: number,
  { segments, starts }: { segments: Float32Array; starts: Int32Array },
): number {
  const x = positions[vertex * 3];
  const y = positions[vertex * 3 + 1];
  const z = positions[vertex * 3 + 2];
  let nearest = 0;
  let least = Infinity;
  for (let bone = 0; bone < starts.length - 1; bone++) {
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
