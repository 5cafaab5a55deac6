import type { Character } from "../character/character.ts";
import { inverseIndex, mean, takeRows } from "../math/arrays.ts";
import { createRandom } from "../math/random.ts";
import { forwardKinematics, randomPose } from "../skeleton/pose.ts";
import { jointCount, type Skeleton } from "../skeleton/skeleton.ts";
import { linearBlend } from "../weights/deform.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";

export interface DeformationError {
  /** Mean over poses and vertices of the distance between the two deformed meshes. */
  distance: number;
  /** Mean over poses of the largest distance. */
  maxDistance: number;
}

export const POSES = 10;
/** A joint rotates with this probability, by a normally distributed angle of this deviation. */
const ROTATION = { probability: 0.3, degrees: 25 };

/**
 * Returns how far apart two sets of weights (V rows) move the vertices in random poses (linear
 * blend skinning).
 *
 * @param character in normalized space (longest side 1); its name seeds the poses
 */
export function deformationError(
  character: Pick<Character, "name" | "mesh" | "skeleton">,
  predicted: SkinWeights,
  artist: SkinWeights,
  poses: number = POSES,
): DeformationError {
  let distance = 0;
  let maxDistance = 0;
  for (const matrices of scoringPoses(character, poses)) {
    const errors = poseError(character.mesh.positions, predicted, artist, matrices);
    distance += errors.length === 0 ? 0 : mean(errors);
    maxDistance += errors.reduce((largest, error) => Math.max(largest, error), 0);
  }
  const count = Math.max(1, poses);
  return { distance: distance / count, maxDistance: maxDistance / count };
}

/** Returns the distance between the two deformed meshes in one pose (V). */
export function poseError(
  positions: Float32Array,
  predicted: SkinWeights,
  artist: SkinWeights,
  matrices: Float32Array,
): Float32Array {
  const a = linearBlend(positions, predicted, matrices);
  const b = linearBlend(positions, artist, matrices);
  const errors = new Float32Array(positions.length / 3);
  for (let v = 0; v < errors.length; v++) {
    const at = v * 3;
    errors[v] = Math.hypot(a[at] - b[at], a[at + 1] - b[at + 1], a[at + 2] - b[at + 2]);
  }
  return errors;
}

/**
 * Returns the J×16 skinning matrices of each pose a character is scored in.
 *
 * The random numbers are drawn in an order of joints that does not depend on the file (by path of
 * names, then by position), so reordered joints receive the same poses.
 */
export function scoringPoses(
  character: Pick<Character, "name" | "skeleton">,
  poses: number = POSES,
): Float32Array[] {
  const { skeleton } = character;
  const order = canonicalOrder(skeleton);
  const indexOf = inverseIndex(order, order.length);
  const ordered: Skeleton = {
    names: order.map((joint) => skeleton.names[joint]),
    parents: Int32Array.from(order, (joint) => indexOf[skeleton.parents[joint]] ?? -1),
    positions: takeRows(skeleton.positions, Int32Array.from(order), 3),
  };
  const random = createRandom(character.name);
  return Array.from({ length: poses }, () => {
    const rotations = randomPose(ordered, random, ROTATION);
    return forwardKinematics(skeleton, takeRows(rotations, indexOf, 4));
  });
}

function canonicalOrder(skeleton: Skeleton): number[] {
  const J = jointCount(skeleton);
  const keys = Array.from({ length: J }, (_, joint) => {
    let path = "";
    for (let at = joint; at >= 0; at = skeleton.parents[at]) {
      const position = skeleton.positions.subarray(at * 3, at * 3 + 3).join(",");
      path = `/${skeleton.names[at]}@${position}${path}`;
    }
    return path;
  });
  // Code-unit order: locale rules differ between machines.
  return keys
    .map((_, joint) => joint)
    .sort((a, b) => (keys[a] < keys[b] ? -1 : +(keys[a] > keys[b])));
}
