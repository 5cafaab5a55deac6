import type { Mesh } from "../mesh/mesh.ts";
import type { VoxelGrid } from "../voxel/voxel-grid.ts";
import { walkSegment } from "../voxel/walk-segment.ts";
import type { SeesBone } from "./heat-prior.ts";

/**
 * Tells whether a vertex sees a point through the body: the straight way passes no cell outside it.
 *
 * Walls do not block, since thin limbs are all wall; gaps narrower than a cell are not seen.
 *
 * @param mesh in the space of `grid`, which was built from it
 * @param outside one byte a cell, see `fillOutside`
 */
export function sightThroughBody(mesh: Mesh, grid: VoxelGrid, outside: Uint8Array): SeesBone {
  return (vertex, x, y, z) => {
    const from = mesh.positions.subarray(vertex * 3, vertex * 3 + 3);
    let clear = true;
    walkSegment(grid, from, [x, y, z], (cell) => {
      clear = outside[cell] === 0;
      return clear;
    });
    return clear;
  };
}
