import { childrenOf, type Skeleton } from "../skeleton/skeleton.ts";
import { BONE_NEIGHBOURS } from "./skin-graph.ts";

/**
 * The bones that share a joint with each bone: its parent, then its children.
 *
 * Rows are padded with their own entries; a bone by itself has itself.
 *
 * @returns B×{@link BONE_NEIGHBOURS}
 */
export function boneRing(skeleton: Skeleton): Int32Array {
  const children = childrenOf(skeleton);
  const out = new Int32Array(skeleton.parents.length * BONE_NEIGHBOURS);
  skeleton.parents.forEach((parent, bone) => {
    const near = parent < 0 ? children[bone] : [parent, ...children[bone]];
    for (let slot = 0; slot < BONE_NEIGHBOURS; slot++) {
      out[bone * BONE_NEIGHBOURS + slot] = near.length === 0 ? bone : near[slot % near.length];
    }
  });
  return out;
}
