import { composeMat4, multiplyMat4 } from "../math/mat4.ts";
import { quaternionFromAxisAngle, rotateVector } from "../math/quaternion.ts";
import { normal, type Random, randomDirection } from "../math/random.ts";
import { jointCount, parentsFirst, type Skeleton } from "./skeleton.ts";

/**
 * The matrices that carry points of the bind pose to the posed character, one per joint.
 *
 * Each joint turns about its own bind position, about axes aligned with the world in the bind pose;
 * whatever its ancestors do is applied on top. Joints may come in any order.
 *
 * @param rotations J×4 unit quaternions x, y, z, w
 * @param translations J×3 moves of each joint relative to its parent, in bind-pose axes; none if absent
 * @returns J×16, column by column
 *
 * @example
 * const rotations = Float32Array.from({ length: character.skeleton.names.length * 4 }, (_, i) => (i % 4 === 3 ? 1 : 0));
 * const matrices = forwardKinematics(character.skeleton, rotations); // the bind pose: all identities
 * console.log(matrices.length);
 */
export function forwardKinematics(
  skeleton: Skeleton,
  rotations: Float32Array,
  translations?: Float32Array,
): Float32Array {
  const count = jointCount(skeleton);
  checkLength("rotations", rotations, count * 4);
  if (translations) checkLength("translations", translations, count * 3);
  // Doubles inside: a chain of a hundred joints would add up float32 rounding.
  const matrices = new Float64Array(count * 16);
  for (const joint of parentsFirst(skeleton)) {
    const pivot = skeleton.positions.subarray(joint * 3, joint * 3 + 3);
    const rotation = rotations.subarray(joint * 4, joint * 4 + 4);
    const turned = rotateVector(rotation, pivot);
    const shift = [0, 1, 2].map(
      (axis) => pivot[axis] - turned[axis] + (translations?.[joint * 3 + axis] ?? 0),
    );
    const out = matrices.subarray(joint * 16, joint * 16 + 16);
    const local = composeMat4(shift, rotation);
    const parent = skeleton.parents[joint];
    if (parent < 0) out.set(local);
    else multiplyMat4(out, matrices.subarray(parent * 16, parent * 16 + 16), local);
  }
  return Float32Array.from(matrices);
}

function checkLength(name: string, values: Float32Array, expected: number): void {
  if (values.length !== expected) {
    throw new Error(
      `forwardKinematics: ${name} must hold ${expected} numbers, got ${values.length}.`,
    );
  }
}

/** Options for {@link randomPose}. */
export interface RandomPoseOptions {
  /** How likely a joint is turned at all; 0.3 unless told. */
  probability?: number | undefined;
  /** Standard deviation of the angle; 25 unless told. */
  degrees?: number | undefined;
}

/**
 * A random pose: each joint is turned with some probability, by a normally distributed angle, about
 * a uniformly random axis. The defaults are those of the evaluation.
 *
 * @returns J×4 quaternions x, y, z, w for `forwardKinematics`
 */
export function randomPose(
  skeleton: Skeleton,
  random: Random,
  options: RandomPoseOptions = {},
): Float32Array {
  const { probability = 0.3, degrees = 25 } = options;
  const count = jointCount(skeleton);
  const rotations = new Float32Array(count * 4);
  for (let joint = 0; joint < count; joint++) {
    rotations[joint * 4 + 3] = 1;
    if (random() >= probability) continue;
    const axis = randomDirection(random);
    const radians = (normal(random) * degrees * Math.PI) / 180;
    rotations.set(quaternionFromAxisAngle(axis, radians), joint * 4);
  }
  return rotations;
}
