import { transformPoint } from "../../math/mat4.ts";
import type { Random } from "../../math/random.ts";
import { forwardKinematics } from "../../skeleton/forward-kinematics.ts";
import { type RandomPoseOptions, randomPose } from "../../skeleton/random-pose.ts";
import { jointCount } from "../../skeleton/skeleton.ts";
import type { Character } from "../../weights/character.ts";
import { linearBlend } from "../../weights/linear-blend.ts";
import type { SkinWeights } from "../../weights/skin-weights.ts";

/**
 * The character in a random pose, deformed by the artist's own weights; the weights stay.
 *
 * The result is a new bind pose: other proportions, the same right answer.
 */
export function poseCharacter(
  character: Character & { weights: SkinWeights },
  random: Random,
  options: RandomPoseOptions = { probability: 0.5, degrees: 20 },
): Character & { weights: SkinWeights } {
  const { mesh, skeleton, weights } = character;
  const matrices = forwardKinematics(skeleton, randomPose(skeleton, random, options));
  const joints = new Float32Array(skeleton.positions.length);
  for (let joint = 0; joint < jointCount(skeleton); joint++) {
    const place = skeleton.positions.subarray(joint * 3, joint * 3 + 3);
    joints.set(transformPoint(matrices.subarray(joint * 16, joint * 16 + 16), place), joint * 3);
  }
  return {
    ...character,
    mesh: { ...mesh, positions: linearBlend(mesh.positions, weights, matrices) },
    skeleton: { ...skeleton, positions: joints },
  };
}
