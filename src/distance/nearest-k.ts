import type { BoneDistances } from "./bone-distances.ts";

/** An empty list of the K nearest bones for each of V vertices. */
export function emptyNearest(vertices: number, k: number): BoneDistances {
  return {
    k,
    bones: new Int32Array(vertices * k).fill(-1),
    distances: new Float32Array(vertices * k).fill(Infinity),
  };
}

/**
 * Puts a bone into the list of vertex v, in place, if it belongs there (ties: lower bone first).
 *
 * @param distance already rounded to 32 bits, so that the outcome does not depend on the order of
 * calls
 */
export function insertNearest(
  nearest: BoneDistances,
  v: number,
  bone: number,
  distance: number,
): void {
  const { k, bones, distances } = nearest;
  const first = v * k;
  let at = first + k;
  while (
    at > first &&
    (distance < distances[at - 1] ||
      (distance === distances[at - 1] && distance < Infinity && bone < bones[at - 1]))
  ) {
    at--;
    if (at + 1 < first + k) {
      distances[at + 1] = distances[at];
      bones[at + 1] = bones[at];
    }
  }
  if (at < first + k) {
    distances[at] = distance;
    bones[at] = bone;
  }
}

/** Joins lists over the same vertices and different bones. */
export function mergeNearest(parts: readonly BoneDistances[]): BoneDistances {
  const [first, ...others] = parts;
  const merged = { k: first.k, bones: first.bones.slice(), distances: first.distances.slice() };
  const { k } = merged;
  for (const part of others) {
    for (let i = 0; i < part.bones.length; i++) {
      if (part.bones[i] >= 0) {
        insertNearest(merged, Math.floor(i / k), part.bones[i], part.distances[i]);
      }
    }
  }
  return merged;
}
