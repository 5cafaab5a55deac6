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
/** Each joint turns with this probability, by a normal angle of this deviation. */
const TURN = { probability: 0.3, degrees: 25 };

/**
 * How far apart two sets of weights carry the vertices under random poses (linear blend skinning).
 *
 * A vertex without weight stays at rest.
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

/** V, the distance between the two deformed meshes in one pose. */
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
 * The J×16 skinning matrices of each pose a character is scored in: each joint turned with
 * probability 0.3 by N(0, 25 degrees) about a uniformly random axis, hierarchy applied.
 *
 * The joints are turned in an order that does not depend on how the file lists them (by the names
 * from the root down, then by place), so reordered joints give the same poses.
 */
export function scoringPoses(
  character: Pick<Character, "name" | "skeleton">,
  poses: number = POSES,
): Float32Array[] {
  const { skeleton } = character;
  const order = canonicalOrder(skeleton);
  const placeOf = inverseIndex(order, order.length);
  const ordered = reorderSkeleton(skeleton, order, placeOf);
  const random = createRandom(character.name);
  return Array.from({ length: poses }, () => {
    const turns = randomPose(ordered, random, TURN);
    return forwardKinematics(skeleton, takeRows(turns, placeOf, 4));
  });
}

function canonicalOrder(skeleton: Skeleton): number[] {
  const J = jointCount(skeleton);
  const keys = Array.from({ length: J }, (_, joint) => {
    let path = "";
    for (let at = joint; at >= 0; at = skeleton.parents[at]) {
      const place = skeleton.positions.subarray(at * 3, at * 3 + 3).join(",");
      path = `/${skeleton.names[at]}@${place}${path}`;
    }
    return path;
  });
  // Plain code-unit order: locale rules differ between machines.
  return keys
    .map((_, joint) => joint)
    .sort((a, b) => (keys[a] < keys[b] ? -1 : +(keys[a] > keys[b])));
}

function reorderSkeleton(skeleton: Skeleton, order: number[], placeOf: Int32Array): Skeleton {
  return {
    names: order.map((joint) => skeleton.names[joint]),
    parents: Int32Array.from(order, (joint) => {
      const parent = skeleton.parents[joint];
      return parent < 0 ? -1 : placeOf[parent];
    }),
    positions: takeRows(skeleton.positions, Int32Array.from(order), 3),
  };
}
