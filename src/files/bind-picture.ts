import type { Character } from "../character/character.ts";
import { createRandom } from "../math/random.ts";
import type { Picture } from "../picture/picture.ts";
import { pictureGrid } from "../picture/picture-grid.ts";
import { renderClay, renderDominantBones, renderHeatMap } from "../picture/render-maps.ts";
import { forwardKinematics, randomPose } from "../skeleton/pose.ts";
import { jointCount } from "../skeleton/skeleton.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";

const SIDE = 420;

/** A test pose that reveals bad weights: most joints are rotated by a moderate angle. */
const POSE = { probability: 0.7, degrees: 14 };

/** Draws the result of `bind`: skeleton, dominant bones, the heat map of one joint, and a pose. */
export function drawBindPicture(
  character: Character,
  weights: SkinWeights,
  title: string,
): Picture {
  const { skeleton } = character;
  const size = SIDE;
  const pose = forwardKinematics(
    skeleton,
    randomPose(skeleton, createRandom(character.name), POSE),
  );
  const joint = busiestJoint(weights, jointCount(skeleton));
  return pictureGrid(
    [
      renderClay(character, { size, skeleton: true }),
      renderDominantBones(character, weights, { size }),
      renderHeatMap(character, weights, joint, { size, skeleton: true }),
      renderDominantBones(character, weights, { size, pose, blend: true }),
    ],
    4,
    { title, columnTitles: ["skeleton", "dominant bones", "one joint", "a pose"] },
  );
}

/** Returns the joint with the most shared weight, where the heat map is most informative. */
function busiestJoint({ joints, weights }: SkinWeights, count: number): number {
  const shared = new Float64Array(count);
  weights.forEach((weight, slot) => {
    shared[joints[slot]] += weight * (1 - weight);
  });
  return shared.indexOf(Math.max(...shared));
}
