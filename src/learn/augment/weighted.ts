import type { Character } from "../../character/character.ts";
import { type Random, shuffled } from "../../math/random.ts";
import type { SkinWeights } from "../../weights/skin-weights.ts";

/** A character with its artist's weights: what variants are made from. */
export type Weighted = Character & { weights: SkinWeights };

/** A joint by itself, for edits that add and remove joints. */
export interface LooseJoint {
  name: string;
  /** Place of its parent in the same list; -1 at a root. */
  parent: number;
  position: [number, number, number];
}

/** The joints of a character one by one. */
export function looseJoints({ skeleton }: Weighted): LooseJoint[] {
  const { names, parents, positions } = skeleton;
  return names.map((name, j) => ({
    name,
    parent: parents[j],
    position: [positions[j * 3], positions[j * 3 + 1], positions[j * 3 + 2]],
  }));
}

/** The character with other joints; its weights go on naming joints by number. */
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

/** J, the weight each joint carries over all vertices. */
export function carriedWeight({ skeleton, weights }: Weighted): Float64Array {
  const carried = new Float64Array(skeleton.parents.length);
  weights.weights.forEach((weight, i) => {
    carried[weights.joints[i]] += weight;
  });
  return carried;
}

/** One of a list, chosen at random. */
export function pick<T>(list: readonly T[], random: () => number): T {
  return list[Math.min(list.length - 1, Math.floor(random() * list.length))];
}

/**
 * The character with its joints in another order, drawn at random: ties in distance are broken by number,
 * so the order must not tell which of two joints at one place is the one that moves the skin.
 */
export function shuffleJoints(character: Weighted, random: Random): Weighted {
  const joints = looseJoints(character);
  const order = shuffled(joints.length, random);
  const place = new Int32Array(order.length);
  order.forEach((joint, at) => {
    place[joint] = at;
  });
  const moved = order.map((joint) => {
    const { parent } = joints[joint];
    return { ...joints[joint], parent: parent < 0 ? -1 : place[parent] };
  });
  const { weights } = character;
  const named = weights.joints.map((joint, i) => (weights.weights[i] > 0 ? place[joint] : 0));
  return { ...withJoints(character, moved), weights: { ...weights, joints: named } };
}
