import { normal, type Random } from "../../math/random.ts";
import { childrenOf } from "../../skeleton/skeleton.ts";
import type { Sample } from "../sample.ts";
import { keepHeirs } from "./thin.ts";
import {
  carriedWeight,
  type LooseJoint,
  looseJoints,
  pick,
  type Weighted,
  withJoints,
} from "./weighted.ts";

const END_ENDINGS = ["_end", "End", "Nub", "_leaf", ".tip", "Site"];
const CONTROL_NAMES = ["IK_", "ik.", "ctrl_", "pole.", "target_", "CTRL", "Handle_", "aim"];
const ROOT_NAMES = ["root", "Root", "Armature", "master", "origin", "world", "ROOT_ctrl", ""];

/** Probabilities of removing or adding each kind of helper. */
const SHARES = { remove: 0.4, ends: 0.5, end: 0.6, controls: 0.5, control: 0.2, root: 0.3 };

/**
 * Removes or adds joints without weight: end markers, targets and poles of rigs, a root on the
 * floor. Helpers say nothing about the weights.
 */
export function changeHelpers(character: Weighted, random: Random): Weighted {
  const made = random() < SHARES.remove ? removeHelpers(character, random) : character;
  const joints = looseJoints(made);
  const children = childrenOf(made.skeleton);
  const count = joints.length;
  if (random() < SHARES.ends) {
    for (let joint = 0; joint < count; joint++) {
      if (children[joint].length === 0 && random() < SHARES.end) addEnd(joints, joint, random);
    }
  }
  if (random() < SHARES.controls) {
    for (let joint = 0; joint < count; joint++) {
      if (children[joint].length <= 1 && random() < SHARES.control) {
        addControl(joints, joint, random);
      }
    }
  }
  if (random() < SHARES.root) addRoot(joints, random);
  return withJoints(made, joints);
}

/** Removes a fraction of the joints whose subtree has no weight. */
export function removeHelpers(character: Weighted, random: Random, share = 0.7): Weighted {
  const joints = looseJoints(character);
  const carried = carriedWeight(character);
  const heir = joints.map((_, joint) => joint);
  const busy = Array.from(carried, (weight) => weight > 0);
  joints.forEach((_, joint) => {
    if (carried[joint] === 0) return;
    for (let at = joint; at >= 0; at = joints[at].parent) busy[at] = true;
  });
  // A helper is removed with its subtree, so that every joint keeps a parent.
  const goes = joints.map((_, joint) => !busy[joint] && random() < share);
  joints.forEach((_, joint) => {
    for (let at = joint; at >= 0; at = joints[at].parent) {
      if (goes[at] && joints[at].parent >= 0) heir[joint] = joints[at].parent;
    }
  });
  return keepHeirs(character, joints, heir);
}

function hinted(name: string, random: Random): string {
  return random() < 0.3 ? "" : name;
}

function addEnd(joints: LooseJoint[], joint: number, random: Random): void {
  const { name, parent, position } = joints[joint];
  const from = parent < 0 ? position : joints[parent].position;
  const reach = 0.3 + random();
  joints.push({
    name: hinted(name + pick(END_ENDINGS, random), random),
    parent: joint,
    position: position.map(
      (value, i) => value + reach * (value - from[i]),
    ) as LooseJoint["position"],
  });
}

/** Adds a target at the joint's position, or a pole near it, below a root. */
function addControl(joints: LooseJoint[], joint: number, random: Random): void {
  const { name, position } = joints[joint];
  const root = joints.findIndex(({ parent }) => parent < 0);
  const away = random() < 0.5 ? 0 : 0.15;
  joints.push({
    name: hinted(pick(CONTROL_NAMES, random) + name, random),
    parent: random() < 0.8 ? root : -1,
    position: position.map((value) => value + away * normal(random)) as LooseJoint["position"],
  });
}

/** Adds a root on the floor above all other roots. */
function addRoot(joints: LooseJoint[], random: Random): void {
  const root = joints.length;
  for (const joint of joints) if (joint.parent < 0) joint.parent = root;
  joints.push({ name: pick(ROOT_NAMES, random), parent: -1, position: [0, 0, 0] });
}

/**
 * Removes joint names: all of them with probability `all`, else each with probability `each`.
 * Skeletons without names, or with names in an unknown language, must work too.
 */
export function hideNames(
  sample: Sample,
  random: Random,
  { all, each }: { all: number; each: number },
): Sample {
  const { skeleton } = sample.input;
  const share = random() < all ? 1 : each;
  const names = skeleton.names.map((name) => (random() < share ? "" : name));
  return { ...sample, input: { ...sample.input, skeleton: { ...skeleton, names } } };
}
