import { power } from "../../math/power.ts";
import type { Random } from "../../math/random.ts";
import { childrenOf } from "../../skeleton/skeleton.ts";
import { weightsFromSlots } from "../../weights/skin-weights.ts";
import { looseJoints, pick, type Weighted, withJoints } from "./weighted.ts";

/** Minimum length of a bone to split, in character sizes. */
const SHORTEST = 0.02;
const NAME_ENDINGS = ["2", "_2", ".001", "_twist", "Twist", "Roll", "_b", "_01"];

interface Cut {
  joint: number;
  added: number;
  /** Position on the bone: 0 head, 1 tail. */
  at: number;
  /** Width of the blend between the halves, in bone lengths. */
  border: number;
  axis: [number, number, number];
}

/**
 * Splits a fraction of the bones by a new joint, as another artist might have; the weights are
 * distributed along the bone with a hard or a soft border.
 */
export function splitBones(character: Weighted, random: Random, share = 0.25): Weighted {
  const joints = looseJoints(character);
  const cuts = new Map<number, Cut>();
  childrenOf(character.skeleton).forEach((children, joint) => {
    if (children.length !== 1 || random() >= share) return;
    const [from, to] = [joints[joint].position, joints[children[0]].position];
    const axis: Cut["axis"] = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
    if (Math.hypot(...axis) < SHORTEST) return;
    const at = 0.3 + 0.4 * random();
    const border = 0.05 * power(10, random());
    const added = joints.length;
    const { name } = joints[joint];
    joints.push({
      name: random() < 0.2 || name === "" ? "" : name + pick(NAME_ENDINGS, random),
      parent: joint,
      position: [0, 1, 2].map((i) => from[i] + at * axis[i]) as Cut["axis"],
    });
    joints[children[0]].parent = added;
    cuts.set(joint, { joint, added, at, border, axis });
  });
  if (cuts.size === 0) return character;
  return { ...withJoints(character, joints), weights: distributeWeights(character, cuts) };
}

function distributeWeights({ mesh, skeleton, weights }: Weighted, cuts: Map<number, Cut>) {
  const { influences } = weights;
  const slots = influences * 2;
  const V = weights.joints.length / influences;
  const joints = new Int32Array(V * slots).fill(-1);
  const values = new Float32Array(V * slots);
  for (let i = 0; i < weights.joints.length; i++) {
    const joint = weights.joints[i];
    const cut = cuts.get(joint);
    const vertex = Math.floor(i / influences);
    const beyond = cut ? fractionBeyond(cut, mesh.positions, vertex, skeleton.positions) : 0;
    const out = vertex * slots + (i % influences) * 2;
    joints[out] = joint;
    values[out] = weights.weights[i] * (1 - beyond);
    joints[out + 1] = cut?.added ?? -1;
    values[out + 1] = weights.weights[i] * beyond;
  }
  return weightsFromSlots(joints, values, slots);
}

/** Fraction of a vertex's weight for the new joint: 0 before the cut, 1 behind it. */
function fractionBeyond(
  { joint, at, border, axis }: Cut,
  positions: Float32Array,
  vertex: number,
  joints: Float32Array,
): number {
  let along = 0;
  let squared = 0;
  for (let i = 0; i < 3; i++) {
    along += (positions[vertex * 3 + i] - joints[joint * 3 + i]) * axis[i];
    squared += axis[i] ** 2;
  }
  const t = Math.min(1, Math.max(0, (along / squared - at) / border + 0.5));
  return t * t * (3 - 2 * t);
}
