import { inverseIndex } from "../../math/arrays.ts";
import { normal, type Random } from "../../math/random.ts";
import { weightsFromSlots } from "../../weights/skin-weights.ts";
import { type LooseJoint, looseJoints, pick, type Weighted, withJoints } from "./weighted.ts";

/**
 * Removes a fraction of the joints at random, as another artist might have rigged the body with
 * fewer. Weights and children go to the parent, or to the only child with probability `down`; a
 * root is only merged downwards.
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
  /** Index of the joint that each joint was merged into; itself if it stays. */
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

/** Keeps the joints that are their own heirs and moves the weights of all others to them. */
export function keepHeirs(character: Weighted, joints: LooseJoint[], heir: number[]): Weighted {
  const kept = [...heir.keys()].filter((joint) => heir[joint] === joint);
  const index = inverseIndex(kept, joints.length);
  const finalHeir = (joint: number): number =>
    heir[joint] === joint ? joint : finalHeir(heir[joint]);
  const { weights } = character;
  const renamed = Array.from(weights.joints, (joint) => index[finalHeir(joint)]);
  const left = kept.map((joint) => ({
    ...joints[joint],
    parent: index[joints[joint].parent] ?? -1,
  }));
  return {
    ...withJoints(character, left),
    weights: weightsFromSlots(renamed, weights.weights, weights.influences),
  };
}

/** Name prefixes of deforming joints and of control joints. */
const DEFORMING = ["DEF-", "DEF_", "def_", "Bind_", "DEF.", "skin_", "", ""];
const MECHANISM = ["ORG-", "MCH-", "TGT.", "CTRL-", "FK_", "IK_", "c_", "drv_"];

/** More joints slow a step down without benefit. */
const MAX_JOINTS = 200;

/**
 * Adds a control rig: a second set of joints at the same positions without weights.
 *
 * The twins form their own hierarchy; deforming joints keep theirs or become children of their
 * twins. Names may or may not distinguish the two sets.
 */
export function twinJoints(character: Weighted, random: Random): Weighted {
  const joints = looseJoints(character);
  const count = joints.length;
  if (count * 2 > MAX_JOINTS) return character;
  const [telling, nested, whole] = [random() < 0.6, random() < 0.5, random() < 0.5];
  const [deforming, mechanism] = [pick(DEFORMING, random), pick(MECHANISM, random)];
  const spread = random() < 0.5 ? 0 : 0.004;
  const twinned = joints.map(() => whole || random() < 0.6);
  /** Index of each joint's twin; itself without a twin. */
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
