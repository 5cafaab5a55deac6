import type { Character } from "../character/character.ts";
import { createRandom } from "../math/random.ts";
import { vertexCount } from "../mesh/mesh.ts";
import { drawText, fitText, pictureGrid } from "../picture/draw.ts";
import type { Color, Picture } from "../picture/picture.ts";
import { renderCharacter } from "../picture/render-character.ts";
import { renderClay, renderDominantBones, renderHeatMap } from "../picture/render-maps.ts";
import type { PoseCheck } from "../review/pose-check.ts";
import { forwardKinematics, randomPose } from "../skeleton/pose.ts";
import { jointCount } from "../skeleton/skeleton.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";

const SIDE = 420;
/** Colors of vertices in poses. */
const SOUND: Color = [206, 203, 198];
const FAULTY: Color = [217, 41, 31];

/** A test pose that reveals bad weights: most joints are rotated by a moderate angle. */
const POSE = { probability: 0.7, degrees: 14 };

/** Draws the result of `bind`: skeleton, dominant bones, the heat map of one joint, and a pose. */
export function drawBindPicture(
  character: Character,
  weights: SkinWeights,
  title: string,
  check?: PoseCheck,
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
      ...(check ? drawPoses(character, weights, check, size) : []),
    ],
    4,
    { title, columnTitles: ["skeleton", "dominant bones", "one joint", "a pose"] },
  );
}

/** Draws the poses of a check, worst first; vertices of findings are red, others grey. */
export function drawPoses(
  character: Character,
  weights: SkinWeights,
  { poses, findings }: PoseCheck,
  size: number,
): Picture[] {
  const V = vertexCount(character.mesh);
  return poses.map(({ rotations }, index) => {
    const found = findings.filter((finding) => finding.pose === index);
    const colors = new Uint8ClampedArray(V * 3).map((_, i) => SOUND[i % 3]);
    for (const { vertices } of found) for (const v of vertices) colors.set(FAULTY, v * 3);
    const pose = forwardKinematics(character.skeleton, rotations);
    const picture = renderCharacter(character, colors, { size, pose, poseWeights: weights });
    const text = found.length > 0 ? found.map(({ fault }) => fault).join(", ") : "passed";
    drawText(picture, fitText(text, size - 16, 2), 8, 8, { scale: 2 });
    return picture;
  });
}

/** Returns the joint with the most shared weight, where the heat map is most informative. */
function busiestJoint({ joints, weights }: SkinWeights, count: number): number {
  const shared = new Float64Array(count);
  weights.forEach((weight, slot) => {
    shared[joints[slot]] += weight * (1 - weight);
  });
  return shared.indexOf(Math.max(...shared));
}
