import { childrenOf, type Skeleton } from "../skeleton/skeleton.ts";
import { BONE_NEIGHBOURS } from "./skin-graph.ts";

/**
 * The bones that share a joint with each bone: its parent, then its children.
 *
 * Rows are padded with their own entries; a bone by itself has itself. Of more children than there
 * are slots the farthest are kept: a choice by place, so that the numbering of joints does not matter.
 *
 * @returns B×{@link BONE_NEIGHBOURS}
 */
export function boneRing(skeleton: Skeleton): Int32Array {
  const children = childrenOf(skeleton);
  const out = new Int32Array(skeleton.parents.length * BONE_NEIGHBOURS);
  skeleton.parents.forEach((parent, bone) => {
    const above = parent < 0 ? [] : [parent];
    const near = [
      ...above,
      ...farthest(children[bone], bone, skeleton, BONE_NEIGHBOURS - above.length),
    ];
    for (let slot = 0; slot < BONE_NEIGHBOURS; slot++) {
      out[bone * BONE_NEIGHBOURS + slot] = near.length === 0 ? bone : near[slot % near.length];
    }
  });
  return out;
}

/** Distances are compared in steps of this, or rounding would choose among strands of equal length. */
const STEP = 1e-3;

function farthest(list: number[], bone: number, { positions }: Skeleton, count: number): number[] {
  if (list.length <= count) return list;
  const distance = (child: number): number => {
    const way = [0, 1, 2].map((axis) => positions[child * 3 + axis] - positions[bone * 3 + axis]);
    return Math.round(Math.hypot(...way) / STEP);
  };
  return [...list].sort((a, b) => distance(b) - distance(a) || a - b).slice(0, count);
}
