import { inverseIndex } from "../../math/arrays.ts";
import { normal, type Random } from "../../math/random.ts";
import { weightsFromSlots } from "../../weights/skin-weights.ts";
import { type LooseJoint, looseJoints, pick, type Weighted, withJoints } from "./weighted.ts";

/**
 * Removes a fraction of the joints at random, as by an artist who uses fewer: merged up, their weights and
 * children go to the parent; merged down (a joint with one child), to that child. A root stays unless it is
 * merged down.
 *
 * @param down probability that a joint with one child is merged down
 */
export function thinJoints(
  character: Weighted,
  random: Random,
  fraction = 0.15,
  down = 0.25,
): Weighted {
  const joints = looseJoints(character);
  /** The joint that a removed joint was merged into; itself for one that stays. */
  const heir = joints.map((_, joint) => joint);
  for (let joint = 0; joint < joints.length; joint++) {
    const [goes, downwards] = [random() < fraction, random() < down];
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

/** Keeps the joints that are their own heirs, with the weights of all others. */
export function keepHeirs(
  character: Weighted,
  joints: ReturnType<typeof looseJoints>,
  heir: number[],
): Weighted {
  const kept = [...heir.keys()].filter((joint) => heir[joint] === joint);
  const indexOf = inverseIndex(kept, joints.length);
  const last = (joint: number): number => {
    let at = joint;
    while (heir[at] !== at) at = heir[at];
    return at;
  };
  const { weights } = character;
  const renamed = Array.from(weights.joints, (joint) => indexOf[last(joint)]);
  const left = kept.map((joint) => {
    const { parent } = joints[joint];
    return { ...joints[joint], parent: parent < 0 ? -1 : indexOf[parent] };
  });
  return {
    ...withJoints(character, left),
    weights: weightsFromSlots(renamed, weights.weights, weights.influences),
  };
}

/** Prefixes of a control rig's deforming joints, and of the others. */
const DEFORMING = ["DEF-", "DEF_", "def_", "Bind_", "DEF.", "skin_", "", ""];
const MECHANISM = ["ORG-", "MCH-", "TGT.", "CTRL-", "FK_", "IK_", "c_", "drv_"];

/** Characters with more joints after twinning are not changed. */
const MAX_JOINTS = 200;

/**
 * Puts a character under a control rig: a second set of joints at the same positions, without weight.
 *
 * The twins form their own chain; the deforming joints either keep theirs, or become children of their twins, as
 * in animation rigs. Names may or may not distinguish the two sets. Mesh and weights stay.
 */
export function twinJoints(character: Weighted, random: Random): Weighted {
  const joints = looseJoints(character);
  const count = joints.length;
  if (count * 2 > MAX_JOINTS) return character;
  const [telling, nested, all] = [random() < 0.6, random() < 0.5, random() < 0.5];
  const [deforming, mechanism] = [pick(DEFORMING, random), pick(MECHANISM, random)];
  const spread = random() < 0.5 ? 0 : 0.004;
  const twinned = joints.map(() => all || random() < 0.6);
  /** Index of each joint's twin; the joint itself if it has none. */
  const twin = joints.map((_, joint) => joint);
  let next = count;
  twinned.forEach((has, joint) => {
    if (has) twin[joint] = next++;
  });
  const twins = joints.flatMap((joint, index): LooseJoint[] => {
    if (!twinned[index]) return [];
    const position = joint.position.map((value) => value + spread * normal(random));
    return [
      {
        name: telling ? mechanism + joint.name : random() < 0.5 ? "" : `${joint.name}.001`,
        parent: joint.parent < 0 ? -1 : twin[joint.parent],
        position: position as LooseJoint["position"],
      },
    ];
  });
  const own = joints.map((joint, index) => ({
    ...joint,
    name: telling ? deforming + joint.name : joint.name,
    parent: nested && twinned[index] ? twin[index] : joint.parent,
  }));
  return withJoints(character, [...own, ...twins]);
}
