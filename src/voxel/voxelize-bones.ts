import { nearestParameter } from "../math/segment.ts";
import { type Bones, boneCount } from "../skeleton/bones.ts";
import { cellAt, type VoxelGrid } from "./voxel-grid.ts";
import { walkSegment } from "./walk-segment.ts";

/** The cells each bone passes through. */
export interface BoneCells {
  /** B+1; the cells of bone b are cells[starts[b] .. starts[b + 1] - 1], ascending, at least one. */
  starts: Int32Array;
  cells: Int32Array;
  /** B, how many cells away from the grid the bone is; 0 unless all of it lies outside the grid. */
  levels: Int32Array;
}

/** A joint light years away must not run into the 16 bits a search has for a level. */
export const MAX_SEED_LEVEL = 30_000;

/**
 * The cells each bone intersects, by exact traversal of its segments.
 *
 * A bone that lies wholly outside the grid gets the one cell nearest to it, and the way there as its
 * level, so that every bone has a seed.
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

/** The grid cell nearest to a bone that misses the grid, and the distance in cells. */
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
