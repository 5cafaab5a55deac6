import { composeMat4, multiplyMat4 } from "../math/mat4.ts";
import { quaternionFromAxisAngle, rotateVector } from "../math/quaternion.ts";
import { normal, type Random, randomDirection } from "../math/random.ts";
import { jointCount, parentsFirst, type Skeleton } from "./skeleton.ts";

/**
 * Returns the matrices from the bind pose to the posed character, one per joint.
 *
 * Each joint rotates about its bind position, about the world axes of the bind pose; the transforms of its
 * ancestors are applied on top. Joints may come in any order.
 *
 * @param rotations J×4 unit quaternions x, y, z, w
 * @param translations J×3 translations of each joint relative to its parent, in bind-pose axes; default none
 * @returns J×16, column-major
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
  // Double precision: float32 rounding would accumulate along a chain of joints.
  const matrices = new Float64Array(count * 16);
  for (const joint of parentsFirst(skeleton)) {
    const pivot = skeleton.positions.subarray(joint * 3, joint * 3 + 3);
    const rotation = rotations.subarray(joint * 4, joint * 4 + 4);
    const rotated = rotateVector(rotation, pivot);
    const shift = [0, 1, 2].map(
      (axis) => pivot[axis] - rotated[axis] + (translations?.[joint * 3 + axis] ?? 0),
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
  if (values.length === expected) return;
  throw new Error(
    `forwardKinematics: ${name} must have ${expected} numbers, got ${values.length}.`,
  );
}

/** Options for {@link randomPose}. */
export interface RandomPoseOptions {
  /** Probability that a joint rotates; default 0.3. */
  probability?: number | undefined;
  /** Standard deviation of the angle; default 25. */
  degrees?: number | undefined;
}

/**
 * Returns a random pose: each joint rotates with some probability, by a normally distributed angle, about a
 * uniformly random axis. The defaults are those of the evaluation.
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
