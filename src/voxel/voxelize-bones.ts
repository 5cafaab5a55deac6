import { nearestParameter } from "../math/vec3.ts";
import { type Bones, boneCount } from "../skeleton/bones.ts";
import { childrenOf, endOf, jointCount, type Skeleton } from "../skeleton/skeleton.ts";
import { cellAt, type VoxelGrid } from "./voxel-grid.ts";

/** The cells each bone passes through. */
export interface BoneCells {
  /** B+1; the cells of bone b are cells[starts[b] .. starts[b + 1] - 1], ascending, at least one. */
  starts: Int32Array;
  cells: Int32Array;
  /** B, distance of the bone from the grid in cells; 0 unless all of it is outside the grid. */
  levels: Int32Array;
}

/** Keeps the level of a distant joint within the 16 bits of a search. */
const MAX_SEED_LEVEL = 30_000;

/**
 * Returns the cells each bone intersects, by exact traversal of its segments.
 *
 * A bone completely outside the grid gets the nearest cell, and the distance to it as its level, so that every
 * bone has a seed.
 */
export function voxelizeBones(bones: Bones, grid: VoxelGrid): BoneCells {
  const count = boneCount(bones);
  const starts = new Int32Array(count + 1);
  const levels = new Int32Array(count);
  const all: number[] = [];
  for (let b = 0; b < count; b++) {
    const own = new Set<number>();
    for (let s = bones.starts[b]; s < bones.starts[b + 1]; s++) {
      const head = bones.segments.subarray(s * 6, s * 6 + 3);
      const tail = bones.segments.subarray(s * 6 + 3, s * 6 + 6);
      walkSegment(grid, head, tail, (cell) => {
        own.add(cell);
        return true;
      });
    }
    if (own.size === 0) {
      const nearest = nearestCell(bones, b, grid);
      own.add(nearest.cell);
      levels[b] = nearest.level;
    }
    all.push(...[...own].sort((p, q) => p - q));
    starts[b + 1] = all.length;
  }
  return { starts, cells: Int32Array.from(all), levels };
}

/** The grid cell nearest to a bone outside the grid, and the distance in cells. */
function nearestCell(bones: Bones, b: number, grid: VoxelGrid): { cell: number; level: number } {
  const { origin, size } = grid;
  const extent = [grid.nx * size, grid.ny * size, grid.nz * size];
  const center = extent.map((length, axis) => origin[axis] + length / 2);
  let best = { cell: 0, level: Infinity };
  for (let s = bones.starts[b]; s < bones.starts[b + 1]; s++) {
    const t = nearestParameter(bones.segments, s, center[0], center[1], center[2]);
    const o = s * 6;
    const p = [0, 1, 2].map(
      (axis) =>
        bones.segments[o + axis] + t * (bones.segments[o + 3 + axis] - bones.segments[o + axis]),
    );
    const gap = p.map((x, axis) => Math.max(0, origin[axis] - x, x - origin[axis] - extent[axis]));
    const level = Math.round(Math.hypot(gap[0], gap[1], gap[2]) / size);
    if (level < best.level) best = { cell: cellAt(grid, p[0], p[1], p[2]), level };
  }
  return { cell: best.cell, level: Math.min(best.level, MAX_SEED_LEVEL) };
}

/** Called with each cell; `false` stops the walk. */
type CellVisitor = (cell: number, enter: number) => boolean | undefined;

/**
 * Visits, in order, the cells a segment passes through; parts outside the grid are skipped.
 *
 * The number of steps is the distance of the first and last cell, each across the face that is crossed first,
 * so rounding can neither miss the last cell nor run past it.
 * Based on: J. Amanatides, A. Woo. A Fast Voxel Traversal Algorithm for Ray Tracing. 1987.
 *
 * @param visit receives the cell and the parameter at which the segment enters it (0 at a, 1 at b)
 */
export function walkSegment(
  grid: VoxelGrid,
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  visit: CellVisitor,
): void {
  const counts = [grid.nx, grid.ny, grid.nz];
  const start = [0, 0, 0];
  const step = [0, 0, 0];
  let from = 0;
  let to = 1;
  for (let axis = 0; axis < 3; axis++) {
    start[axis] = (a[axis] - grid.origin[axis]) / grid.size;
    step[axis] = (b[axis] - a[axis]) / grid.size;
    if (step[axis] === 0) {
      if (start[axis] < 0 || start[axis] > counts[axis]) return;
      continue;
    }
    const t0 = -start[axis] / step[axis];
    const t1 = (counts[axis] - start[axis]) / step[axis];
    from = Math.max(from, Math.min(t0, t1));
    to = Math.min(to, Math.max(t0, t1));
  }
  if (!(from <= to)) return;

  const at = [0, 0, 0];
  const left = [0, 0, 0];
  for (let axis = 0; axis < 3; axis++) {
    const last = counts[axis] - 1;
    const first = Math.floor(start[axis] + from * step[axis]);
    at[axis] = Math.min(last, Math.max(0, first));
    const end = Math.floor(start[axis] + to * step[axis]);
    left[axis] = Math.min(last, Math.max(0, end)) - at[axis];
  }
  let enter = from;
  for (;;) {
    if (visit(at[0] + grid.nx * (at[1] + grid.ny * at[2]), enter) === false) return;
    let axis = -1;
    let soonest = Infinity;
    for (let i = 0; i < 3; i++) {
      if (left[i] === 0) continue;
      const face = left[i] > 0 ? at[i] + 1 : at[i];
      const t = (face - start[i]) / step[i];
      if (axis < 0 || t < soonest) {
        axis = i;
        soonest = t;
      }
    }
    if (axis < 0) return;
    const sign = Math.sign(left[axis]);
    at[axis] += sign;
    left[axis] -= sign;
    enter = soonest;
  }
}

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
