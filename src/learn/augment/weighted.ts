import type { Character } from "../../character/character.ts";
import { inverseIndex } from "../../math/arrays.ts";
import { type Random, shuffled } from "../../math/random.ts";
import { type SkinWeights, weightPerJoint } from "../../weights/skin-weights.ts";

/** A character with the artist's weights, the source of variants. */
export type Weighted = Character & { weights: SkinWeights };

/** A joint as an object, for edits that add and remove joints. */
export interface LooseJoint {
  name: string;
  /** Index of its parent in the same list; -1 at a root. */
  parent: number;
  position: [number, number, number];
}

export function looseJoints({ skeleton }: Weighted): LooseJoint[] {
  const { names, parents, positions } = skeleton;
  return names.map((name, j) => ({
    name,
    parent: parents[j],
    position: [positions[j * 3], positions[j * 3 + 1], positions[j * 3 + 2]],
  }));
}

/** Replaces the joints; weights keep their joint indices. */
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

export function carriedWeight({ skeleton, weights }: Weighted): Float64Array {
  return weightPerJoint(weights, skeleton.parents.length);
}

/** Returns a random element. */
export function pick<T>(list: readonly T[], random: () => number): T {
  return list[Math.min(list.length - 1, Math.floor(random() * list.length))];
}

/**
 * Shuffles the joints. Ties in distance are broken by index, so the order must not reveal which of
 * two joints at one position moves the skin.
 */
export function shuffleJoints(character: Weighted, random: Random): Weighted {
  const joints = looseJoints(character);
  const order = shuffled(joints.length, random);
  const index = inverseIndex(order, order.length);
  const moved = order.map((joint) => ({
    ...joints[joint],
    parent: index[joints[joint].parent] ?? -1,
  }));
  const { weights } = character;
  const named = weights.joints.map((joint, i) => (weights.weights[i] > 0 ? index[joint] : 0));
  return { ...withJoints(character, moved), weights: { ...weights, joints: named } };
}
