import type { SkinWeights } from "../weights/skin-weights.ts";
import type { MeshPart } from "./gltf/mesh-part.ts";

/** The rows of one part of a character. */
export function partRows(
  { influences, joints, weights }: SkinWeights,
  { first, count }: MeshPart,
): SkinWeights {
  const [from, to] = [first * influences, (first + count) * influences];
  return { influences, joints: joints.slice(from, to), weights: weights.slice(from, to) };
}

/** The joints that have weight. */
export function usedJoints({ joints, weights }: SkinWeights): Set<number> {
  return new Set(joints.filter((_, slot) => weights[slot] > 0));
}
