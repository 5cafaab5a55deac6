import { childrenOf, jointCount, type Skeleton } from "../skeleton/skeleton.ts";
import type { VoxelGrid } from "./voxel-grid.ts";
import { walkSegment } from "./voxelize-bones.ts";

/**
 * Returns the end of each leaf joint's bone (J×3): the bone continues in its parent's direction until it
 * leaves the body; other joints keep their own position.
 *
 * Without it a leaf is a point that ties with the end of its parent's bone for every vertex beyond (the whole
 * head, the whole hand). A leaf outside the body, or without a direction, stays a point.
 *
 * @param outside one byte per cell, see `fillOutside`
 */
export function leafTails(skeleton: Skeleton, grid: VoxelGrid, outside: Uint8Array): Float32Array {
  const tails = skeleton.positions.slice();
  const children = childrenOf(skeleton);
  for (let joint = 0; joint < jointCount(skeleton); joint++) {
    if (children[joint].length > 0) continue;
    const direction = incomingDirection(skeleton, joint);
    if (direction) extend(tails.subarray(joint * 3, joint * 3 + 3), direction, grid, outside);
  }
  return tails;
}

/** Unit vector into the joint from the nearest ancestor at another position. */
function incomingDirection(skeleton: Skeleton, joint: number): number[] | undefined {
  const { parents, positions } = skeleton;
  let ancestor = parents[joint];
  for (let hops = 0; ancestor >= 0 && hops < parents.length; hops++) {
    const d = [0, 1, 2].map((axis) => positions[joint * 3 + axis] - positions[ancestor * 3 + axis]);
    const length = Math.hypot(d[0], d[1], d[2]);
    if (length > 1e-6) return d.map((x) => x / length);
    ancestor = parents[ancestor];
  }
  return undefined;
}

/** Distance in cells between the tail and the first outside cell: its last cell must be a wall. */
const PULL_BACK = 1e-2;

/** Moves `tail` in place to just before the first outside cell along the ray. */
function extend(tail: Float32Array, direction: number[], grid: VoxelGrid, outside: Uint8Array) {
  const reach = grid.size * (grid.nx + grid.ny + grid.nz);
  const far = direction.map((d, axis) => tail[axis] + reach * d);
  let exit = 0;
  walkSegment(grid, tail, far, (cell, enter) => {
    exit = enter;
    return outside[cell] === 0;
  });
  const length = Math.max(0, exit * reach - PULL_BACK * grid.size);
  for (let axis = 0; axis < 3; axis++) tail[axis] += length * direction[axis];
}
