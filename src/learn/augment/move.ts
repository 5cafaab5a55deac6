import { createPairGeometry, pairGeometry } from "../../graph/pair-geometry.ts";
import { transformPoint } from "../../math/mat4.ts";
import { normal, type Random } from "../../math/random.ts";
import { bonesOf } from "../../skeleton/bones.ts";
import { forwardKinematics, type RandomPoseOptions, randomPose } from "../../skeleton/pose.ts";
import { jointCount } from "../../skeleton/skeleton.ts";
import { linearBlend } from "../../weights/deform.ts";
import type { Sample } from "../sample.ts";
import type { Weighted } from "./weighted.ts";

/**
 * Moves each joint by up to about `amount` of the thickness of its body part, because artists do
 * not place joints exactly.
 */
export function moveJoints(character: Weighted, random: Random, amount = 0.12): Weighted {
  const { skeleton } = character;
  const thickness = boneThickness(character);
  const positions = skeleton.positions.map(
    (value, i) => value + normal(random) * amount * thickness[Math.floor(i / 3)],
  );
  return { ...character, skeleton: { ...skeleton, positions } };
}

/** Returns the mean distance from each bone to the vertices it moves; 0 without any (J). */
export function boneThickness({ mesh, skeleton, weights }: Weighted): Float64Array {
  const bones = bonesOf(skeleton);
  const geometry = createPairGeometry();
  const sum = new Float64Array(skeleton.parents.length);
  const total = new Float64Array(skeleton.parents.length);
  const { positions } = mesh;
  weights.weights.forEach((weight, i) => {
    if (!(weight > 0)) return;
    const v = Math.floor(i / weights.influences) * 3;
    const joint = weights.joints[i];
    pairGeometry(positions[v], positions[v + 1], positions[v + 2], bones, joint, geometry);
    sum[joint] += weight * geometry.distance;
    total[joint] += weight;
  });
  return sum.map((value, joint) => (total[joint] > 0 ? value / total[joint] : 0));
}

/**
 * Applies a function to all points (vertices, joints, bones) of a sample; distances and normals are
 * left to the caller.
 *
 * @param move reads three numbers of `from` at an offset and writes them to `to` at the same offset
 */
export function movePoints(
  sample: Sample,
  move: (from: Float32Array, to: Float32Array, offset: number) => void,
): Sample {
  const moveAll = (from: Float32Array): Float32Array => {
    const to = new Float32Array(from.length);
    for (let i = 0; i < from.length; i += 3) move(from, to, i);
    return to;
  };
  const { mesh, skeleton, bones } = sample.input;
  const heads = moveAll(skeleton.positions);
  const [segments, ends] = [moveAll(bones.segments), moveAll(bones.ends)];
  return {
    ...sample,
    input: {
      ...sample.input,
      mesh: { ...mesh, positions: moveAll(mesh.positions) },
      skeleton: { ...skeleton, positions: heads },
      bones: { ...bones, heads, segments, ends },
    },
  };
}

/** Returns the character in a random pose as a new bind pose, deformed by the artist's weights. */
export function poseCharacter(
  character: Weighted,
  random: Random,
  options: RandomPoseOptions = { probability: 0.5, degrees: 20 },
): Weighted {
  const { mesh, skeleton, weights } = character;
  const matrices = forwardKinematics(skeleton, randomPose(skeleton, random, options));
  const joints = new Float32Array(skeleton.positions.length);
  for (let joint = 0; joint < jointCount(skeleton); joint++) {
    const position = skeleton.positions.subarray(joint * 3, joint * 3 + 3);
    joints.set(transformPoint(matrices.subarray(joint * 16, joint * 16 + 16), position), joint * 3);
  }
  return {
    ...character,
    mesh: { ...mesh, positions: linearBlend(mesh.positions, weights, matrices) },
    skeleton: { ...skeleton, positions: joints },
  };
}
