import type { VoxelGrid } from "../voxel/voxel-grid.ts";

/** Steps over a face, an edge, a corner, in tenths of a cell. */
const STEPS = [10, 14, 17];
/** Buckets: one more than the longest step. */
const BUCKETS = 18;

/** The cells of a body and the steps between them. */
export interface InsideCells {
  cells: Int32Array;
  isInside: Uint8Array;
  /** Offsets of the 26 neighbors and the lengths of the steps to them. */
  offsets: Int32Array;
  lengths: Int32Array;
}

/** Collects the cells with a depth. */
export function insideCells({ nx, ny }: VoxelGrid, depths: Float32Array): InsideCells {
  const isInside = Uint8Array.from(depths, (depth) => (depth > 0 ? 1 : 0));
  const cells = Int32Array.from(isInside.keys()).filter((cell) => isInside[cell] === 1);
  const offsets: number[] = [];
  const lengths: number[] = [];
  for (let dz = -1; dz <= 1; dz++) {
    for (let dy = -1; dy <= 1; dy++) {
      for (let dx = -1; dx <= 1; dx++) {
        const axes = Math.abs(dx) + Math.abs(dy) + Math.abs(dz);
        if (axes === 0) continue;
        offsets.push(dx + nx * (dy + ny * dz));
        lengths.push(STEPS[axes - 1]);
      }
    }
  }
  return { cells, isInside, offsets: Int32Array.from(offsets), lengths: Int32Array.from(lengths) };
}

/**
 * Measures distances through the body, in tenths of a cell, from the nearest of some cells.
 *
 * Dijkstra's search with one bucket per distance (Dial 1969).
 *
 * @returns by cell: the distance, -1 if not reached, and the cell before it, -1 at a start
 */
export function searchInside(
  { offsets, lengths, isInside }: InsideCells,
  count: number,
  starts: readonly number[],
): { away: Int32Array; came: Int32Array } {
  const away = new Int32Array(count).fill(-1);
  const came = new Int32Array(count).fill(-1);
  const buckets: number[][] = Array.from({ length: BUCKETS }, () => []);
  for (const start of starts) {
    away[start] = 0;
    buckets[0].push(start);
  }
  for (let key = 0, empty = 0; empty < BUCKETS; key++) {
    const bucket = buckets[key % BUCKETS];
    empty = bucket.length > 0 ? 0 : empty + 1;
    for (const cell of bucket) {
      if (away[cell] !== key) continue;
      // The margin of the grid is outside, so an inside cell has all neighbors.
      for (let s = 0; s < offsets.length; s++) {
        const next = cell + offsets[s];
        const reached = key + lengths[s];
        if (!isInside[next] || (away[next] >= 0 && away[next] <= reached)) continue;
        away[next] = reached;
        came[next] = cell;
        buckets[reached % BUCKETS].push(next);
      }
    }
    bucket.length = 0;
  }
  return { away, came };
}
