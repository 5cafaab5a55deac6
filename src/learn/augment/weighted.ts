import type { Character } from "../../character/character.ts";
import { inverseIndex } from "../../math/arrays.ts";
import { type Random, shuffled } from "../../math/random.ts";
import type { SkinWeights } from "../../weights/skin-weights.ts";

/** A character with its artist's weights. */
export type Weighted = Character & { weights: SkinWeights };

/** A joint, for edits that add and remove joints. */
export interface LooseJoint {
  name: string;
  /** Index of its parent in the same list; -1 at a root. */
  parent: number;
  position: [number, number, number];
}

/** Returns the joints of a character as a list. */
export function looseJoints({ skeleton }: Weighted): LooseJoint[] {
  const { names, parents, positions } = skeleton;
  return names.map((name, j) => ({
    name,
    parent: parents[j],
    position: [positions[j * 3], positions[j * 3 + 1], positions[j * 3 + 2]],
  }));
}

/** Replaces the joints of a character; its weights keep their joint indices. */
export function withJoints(character: Weighted, joints: LooseJoint[]): Weighted {
  return {
    ...character,
    skeleton: {
      names: joints.map(({ name }) => name),
      parents: Int32Array.from(joints, ({ parent }) => parent),
      positions: Float32Array.from(joints.flatMap(({ position }) => position)),
    },
  };
}

/** Returns the sum of weights of each joint, J. */
export function carriedWeight({ skeleton, weights }: Weighted): Float64Array {
  const carried = new Float64Array(skeleton.parents.length);
  weights.weights.forEach((weight, i) => {
    carried[weights.joints[i]] += weight;
  });
  return carried;
}

/** Returns a random element of a list. */
export function pick<T>(list: readonly T[], random: () => number): T {
  return list[Math.min(list.length - 1, Math.floor(random() * list.length))];
}

/**
 * Shuffles the joints of a character: ties in distance are broken by index, so the order must not reveal which of
 * two coincident joints deforms the skin.
 */
export function shuffleJoints(character: Weighted, random: Random): Weighted {
  const joints = looseJoints(character);
  const order = shuffled(joints.length, random);
  const indexOf = inverseIndex(order, order.length);
  const moved = order.map((joint) => {
    const { parent } = joints[joint];
    return { ...joints[joint], parent: parent < 0 ? -1 : indexOf[parent] };
  });
  const { weights } = character;
  const named = weights.joints.map((joint, i) => (weights.weights[i] > 0 ? indexOf[joint] : 0));
  return { ...withJoints(character, moved), weights: { ...weights, joints: named } };
}
