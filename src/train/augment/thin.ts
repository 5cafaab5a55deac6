import type { Random } from "../../math/random.ts";
import { weightsFromSlots } from "../../weights/weights-from-slots.ts";
import { looseJoints, type Weighted, withJoints } from "./weighted.ts";

/**
 * The character with a share of its joints taken out at random: merged up, their weights and children
 * go to the parent; merged down, which a joint with one child can be, to that child. A root stays
 * unless it is merged down.
 *
 * Another artist would have rigged the same body with fewer joints: the same vertices, other bones.
 *
 * @param down how likely a joint that can be is merged down
 */
export function thinJoints(
  character: Weighted,
  random: Random,
  share = 0.15,
  down = 0.25,
): Weighted {
  const joints = looseJoints(character);
  /** Who a removed joint was merged into; itself for one that stays. */
  const heir = joints.map((_, joint) => joint);
  for (let joint = 0; joint < joints.length; joint++) {
    const [goes, downwards] = [random() < share, random() < down];
    if (!goes) continue;
    const { parent } = joints[joint];
    const children = [...joints.keys()].filter(
      (other) => heir[other] === other && joints[other].parent === joint,
    );
    const to = downwards && children.length === 1 ? children[0] : parent;
    if (to < 0) continue;
    heir[joint] = to;
    for (const child of children) joints[child].parent = child === to ? parent : to;
  }
  return keepHeirs(character, joints, heir);
}

/** The joints that are their own heirs, with the weights of all others. */
export function keepHeirs(
  character: Weighted,
  joints: ReturnType<typeof looseJoints>,
  heir: number[],
): Weighted {
  const kept = [...heir.keys()].filter((joint) => heir[joint] === joint);
  const place = new Int32Array(joints.length);
  kept.forEach((joint, index) => {
    place[joint] = index;
  });
  const last = (joint: number): number => {
    let at = joint;
    while (heir[at] !== at) at = heir[at];
    return at;
  };
  const { weights } = character;
  const renamed = Array.from(weights.joints, (joint) => place[last(joint)]);
  const left = kept.map((joint) => {
    const { parent } = joints[joint];
    return { ...joints[joint], parent: parent < 0 ? -1 : place[parent] };
  });
  return {
    ...withJoints(character, left),
    weights: weightsFromSlots(renamed, weights.weights, weights.influences),
  };
}
