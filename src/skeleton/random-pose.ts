import { quaternionFromAxisAngle } from "../math/quaternion.ts";
import { normal, type Random, randomDirection } from "../math/random.ts";
import { jointCount, type Skeleton } from "./skeleton.ts";

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
