import { type Mesh, vertexCount } from "../mesh/mesh.ts";
import { type Bones, boneCount, boneDistance } from "../skeleton/bones.ts";

/** The K nearest bones of each vertex under one distance, nearest first (ties: lower bone first). */
export interface BoneDistances {
  /** Slots per vertex; a character with fewer bones leaves the last slots empty. */
  k: number;
  /** V×K bone indices, -1 in an empty slot. */
  bones: Int32Array;
  /** V×K in units of the mesh, Infinity in an empty slot or if no path exists. */
  distances: Float32Array;
}

/** Default number of bones kept per vertex; they hold 99 % of the painted weights in training data. */
export const MEASURED_BONES = 16;

/** Creates an empty list of the K nearest bones for each of V vertices. */
export function emptyNearest(vertices: number, k: number): BoneDistances {
  return {
    k,
    bones: new Int32Array(vertices * k).fill(-1),
    distances: new Float32Array(vertices * k).fill(Infinity),
  };
}

/**
 * Inserts a bone into the list of vertex v, in place, if it is near enough (ties: lower bone first).
 *
 * @param distance already rounded to 32 bits, so that the result does not depend on the order of calls
 */
export function insertNearest(
  nearest: BoneDistances,
  v: number,
  bone: number,
  distance: number,
): void {
  if (!(distance < Infinity)) return;
  const { k, bones, distances } = nearest;
  const first = v * k;
  // The first free slot, or the last one, whose bone is then dropped.
  let at = first + k - 1;
  while (at > first && bones[at - 1] < 0) at--;
  if (bones[at] >= 0 && !isBefore(distance, bone, distances[at], bones[at])) return;
  while (at > first && isBefore(distance, bone, distances[at - 1], bones[at - 1])) {
    distances[at] = distances[at - 1];
    bones[at] = bones[at - 1];
    at--;
  }
  distances[at] = distance;
  bones[at] = bone;
}

function isBefore(distance: number, bone: number, other: number, otherBone: number): boolean {
  return distance < other || (distance === other && bone < otherBone);
}

/** Merges lists over the same vertices and different bones. */
export function mergeNearest(parts: readonly BoneDistances[]): BoneDistances {
  const [first, ...others] = parts;
  const merged = { k: first.k, bones: first.bones.slice(), distances: first.distances.slice() };
  const { k } = merged;
  for (const part of others) {
    for (let i = 0; i < part.bones.length; i++) {
      if (part.bones[i] < 0) continue;
      insertNearest(merged, Math.floor(i / k), part.bones[i], part.distances[i]);
    }
  }
  return merged;
}

/** Measures the Euclidean distance from every vertex to its K nearest bones, ignoring the surface. */
export function euclideanDistances(
  mesh: Mesh,
  bones: Bones,
  options: { k?: number | undefined } = {},
): BoneDistances {
  const count = vertexCount(mesh);
  const nearest = emptyNearest(count, options.k ?? MEASURED_BONES);
  const { k, distances } = nearest;
  for (let b = 0; b < boneCount(bones); b++) {
    for (let v = 0; v < count; v++) {
      const distance = Math.fround(boneDistance(bones, b, mesh.positions, v));
      if (distance < distances[v * k + k - 1]) insertNearest(nearest, v, b, distance);
    }
  }
  return nearest;
}
