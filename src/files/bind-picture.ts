import type { Character } from "../character/character.ts";
import { createRandom } from "../math/random.ts";
import type { Picture } from "../picture/picture.ts";
import { pictureGrid } from "../picture/picture-grid.ts";
import { renderClay, renderDominantBones, renderHeatMap } from "../picture/render-maps.ts";
import { forwardKinematics, randomPose } from "../skeleton/pose.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";

const SIDE = 420;

/** A test pose by which bad weights show: most joints turned, by a moderate angle. */
const POSE = { probability: 0.7, degrees: 14 };

/** Draws what `bind` did: skeleton, dominant bones, the heat map of one joint, and a pose. */
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
  const joint = busiestJoint(weights, skeleton.parents.length);
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

/** The joint that shares most of its vertices with others: there weights have most to say. */
function busiestJoint({ joints, weights }: SkinWeights, count: number): number {
  const shared = new Float64Array(count);
  weights.forEach((weight, slot) => {
    shared[joints[slot]] += weight * (1 - weight);
  });
  return shared.indexOf(Math.max(...shared));
}
