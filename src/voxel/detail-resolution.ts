import { boundsOf, longestSide } from "../math/aabb.ts";
import { distanceOf } from "../math/vec3.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { jointCount, type Skeleton } from "../skeleton/skeleton.ts";
import { MAX_RESOLUTION } from "./build-grid.ts";

/** Cells that three of four bones should span, so that neighbours in a finger are told apart. */
const CELLS_PER_BONE = 1.5;

/** Finest grid chosen without being asked for, in multiples of the usual one; cells grow by its cube. */
const FINEST = 2;

/** Bones shorter than this, in longest sides of the mesh, are helpers on one spot, not detail. */
const SPOT = 2e-3;

/**
 * Cells along the longest side that the detail of a skeleton asks for: the usual number, or more
 * where a quarter of the bones would be shorter than a cell and a half.
 *
 * Lab notes: finer grids are not better as such. On validation characters whose bones are longer, L1
 * at 88 / 128 / 176 cells was 0.404 / 0.409 / 0.399, up and down by character.
 *
 * @param usual what the method takes for other characters
 */
export function detailResolution(mesh: Mesh, skeleton: Skeleton, usual: number): number {
  const { parents, positions } = skeleton;
  const side = longestSide(boundsOf(mesh.positions)) || 1;
  const lengths: number[] = [];
  for (let joint = 0; joint < jointCount(skeleton); joint++) {
    if (parents[joint] < 0) continue;
    const length = distanceOf(positions, joint, parents[joint]);
    if (length > SPOT * side) lengths.push(length / side);
  }
  if (lengths.length === 0) return usual;
  const quarter = lengths.sort((x, y) => x - y)[Math.floor(lengths.length / 4)];
  const wanted = Math.ceil(CELLS_PER_BONE / quarter);
  return Math.max(usual, Math.min(wanted, usual * FINEST, MAX_RESOLUTION));
}
