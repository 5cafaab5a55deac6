import type { Random } from "../../math/random.ts";
import { jointCount, type Skeleton } from "../../skeleton/skeleton.ts";
import type { Character } from "../../weights/character.ts";
import type { SkinWeights } from "../../weights/skin-weights.ts";
import { weightsFromSlots } from "../../weights/weights-from-slots.ts";

/**
 * The character with a share of its joints taken out at random; their weights and children go to the
 * nearest joint that stays above them. Roots stay.
 *
 * Another artist would have rigged the same body with fewer joints: the same vertices, other bones.
 */
export function thinJoints(
  character: Character & { weights: SkinWeights },
  random: Random,
  share = 0.15,
): Character & { weights: SkinWeights } {
  const { skeleton, weights } = character;
  const { parents } = skeleton;
  const stays = Array.from(parents, (parent) => random() >= share || parent < 0);
  const keeper = Int32Array.from(parents, (_, joint) => {
    let at = joint;
    while (!stays[at]) at = parents[at];
    return at;
  });
  const kept = [...stays.keys()].filter((joint) => stays[joint]);
  const place = new Int32Array(jointCount(skeleton));
  kept.forEach((joint, index) => {
    place[joint] = index;
  });
  const joints = Array.from(weights.joints, (joint) => place[keeper[joint]]);
  return {
    ...character,
    skeleton: keepJoints(skeleton, kept, (parent) => place[keeper[parent]]),
    weights: weightsFromSlots(joints, weights.weights, weights.influences),
  };
}

function keepJoints(
  skeleton: Skeleton,
  kept: number[],
  newParent: (parent: number) => number,
): Skeleton {
  return {
    names: kept.map((joint) => skeleton.names[joint]),
    parents: Int32Array.from(kept, (joint) => {
      const parent = skeleton.parents[joint];
      return parent < 0 ? -1 : newParent(parent);
    }),
    positions: Float32Array.from(
      kept.flatMap((joint) => [...skeleton.positions.subarray(joint * 3, joint * 3 + 3)]),
    ),
  };
}
