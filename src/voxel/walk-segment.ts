import type { VoxelGrid } from "./voxel-grid.ts";

/** Called with each cell; `false` ends the walk. */
export type CellVisitor = (cell: number, enter: number) => boolean | undefined;

/**
 * Visits, in order, the cells a segment passes through; parts outside the grid are skipped.
 *
 * The walk makes exactly as many steps as the first and last cell are apart, each across the face
 * whose crossing comes first, so rounding can neither lose the last cell nor run past it.
 *
 * Based on: J. Amanatides, A. Woo. A Fast Voxel Traversal Algorithm for Ray Tracing. 1987.
 *
 * @param visit receives the cell and where along the segment it is entered (0 at a, 1 at b)
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
