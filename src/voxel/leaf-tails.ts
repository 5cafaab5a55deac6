import { childrenOf, endOf, jointCount, type Skeleton } from "../skeleton/skeleton.ts";
import type { VoxelGrid } from "./voxel-grid.ts";
import { walkSegment } from "./voxelize-bones.ts";

/**
 * Returns the end of each leaf joint's bone (J×3): the bone goes in the direction of its stated end, or else
 * continues in its parent's, until it leaves the body; other joints keep their own position.
 *
 * Without it a leaf is a point that ties with the end of its parent's bone for every vertex beyond (the whole
 * head, the whole hand). A leaf outside the body, or without a direction, stays a point, or ends at its stated end.
 *
 * @param outside one byte per cell, see `fillOutside`
 */
export function leafTails(skeleton: Skeleton, grid: VoxelGrid, outside: Uint8Array): Float32Array {
  const tails = skeleton.positions.slice();
  const children = childrenOf(skeleton);
  for (let joint = 0; joint < jointCount(skeleton); joint++) {
    if (children[joint].length > 0) continue;
    const end = endOf(skeleton, joint);
    const tail = tails.subarray(joint * 3, joint * 3 + 3);
    const direction = end ? directionTo(tail, end) : incomingDirection(skeleton, joint);
    const length = direction ? extend(tail, direction, grid, outside) : 0;
    if (end && length === 0) tail.set(end);
  }
  return tails;
}

function directionTo(from: Float32Array, to: Float32Array): number[] | undefined {
  const d = [0, 1, 2].map((axis) => to[axis] - from[axis]);
  const length = Math.hypot(d[0], d[1], d[2]);
  return length > 1e-6 ? d.map((x) => x / length) : undefined;
}

/** Unit vector into the joint from the nearest ancestor at another position. */
function incomingDirection(skeleton: Skeleton, joint: number): number[] | undefined {
  const { parents, positions } = skeleton;
  let ancestor = parents[joint];
  for (let hops = 0; ancestor >= 0 && hops < parents.length; hops++) {
    const at = (each: number) => positions.subarray(each * 3, each * 3 + 3);
    const direction = directionTo(at(ancestor), at(joint));
    if (direction) return direction;
    ancestor = parents[ancestor];
  }
  return undefined;
}

/** Distance in cells between the tail and the first outside cell: its last cell must be a wall. */
const PULL_BACK = 1e-2;

/** Moves `tail` in place to just before the first outside cell along the ray; returns how far. */
function extend(
  tail: Float32Array,
  direction: number[],
  grid: VoxelGrid,
  outside: Uint8Array,
): number {
  const reach = grid.size * (grid.nx + grid.ny + grid.nz);
  const far = direction.map((d, axis) => tail[axis] + reach * d);
  let exit = 0;
  walkSegment(grid, tail, far, (cell, enter) => {
    exit = enter;
    return outside[cell] === 0;
  });
  const length = Math.max(0, exit * reach - PULL_BACK * grid.size);
  for (let axis = 0; axis < 3; axis++) tail[axis] += length * direction[axis];
  return length;
}
