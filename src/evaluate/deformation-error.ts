import type { Character } from "../character/character.ts";
import { inverseIndex, takeRows } from "../math/arrays.ts";
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
const ROTATION = { probability: 0.3, degrees: 25 };

/**
 * Measures the distance between vertices deformed by two sets of weights in random poses (linear blend
 * skinning). A vertex without weight does not move.
 *
 * @param character in the normalized space (longest side 1); its name is the seed of the poses
 * @param predicted V rows
 * @param artist V rows
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
    let sum = 0;
    let largest = 0;
    for (const error of errors) {
      sum += error;
      largest = Math.max(largest, error);
    }
    distance += sum / Math.max(1, errors.length);
    maxDistance += largest;
  }
  const count = Math.max(1, poses);
  return { distance: distance / count, maxDistance: maxDistance / count };
}

/** Returns the distances between the two deformed meshes in one pose, V. */
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
 * Returns the J×16 skinning matrices of each pose a character is scored in: each joint is rotated with
 * probability 0.3 by N(0, 25 degrees) about a uniformly random axis, hierarchy applied.
 *
 * The random order does not depend on how the file lists joints (by the names from the root down, then by
 * position), so reordered joints yield the same poses.
 */
export function scoringPoses(
  character: Pick<Character, "name" | "skeleton">,
  poses: number = POSES,
): Float32Array[] {
  const { skeleton } = character;
  const order = canonicalOrder(skeleton);
  const rank = inverseIndex(order, order.length);
  const ordered = reorderSkeleton(skeleton, order, rank);
  const random = createRandom(character.name);
  return Array.from({ length: poses }, () => {
    const rotations = randomPose(ordered, random, ROTATION);
    return forwardKinematics(skeleton, takeRows(rotations, rank, 4));
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

function reorderSkeleton(skeleton: Skeleton, order: number[], rank: Int32Array): Skeleton {
  return {
    names: order.map((joint) => skeleton.names[joint]),
    parents: Int32Array.from(order, (joint) => {
      const parent = skeleton.parents[joint];
      return parent < 0 ? -1 : rank[parent];
    }),
    positions: takeRows(skeleton.positions, Int32Array.from(order), 3),
  };
}
