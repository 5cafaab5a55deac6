import type { Mesh } from "../mesh/mesh.ts";
import type { VoxelGrid } from "../voxel/voxel-grid.ts";
import { walkSegment } from "../voxel/walk-segment.ts";

/** Whether a vertex sees a point. */
export type Sight = (vertex: number, x: number, y: number, z: number) => boolean;

/** Cells outside the body the straight way may pass: a bone in a thin limb may graze its skin. */
const FORGIVEN = 1;

/**
 * Tells whether a vertex sees a point through the body: the straight way passes at most one cell
 * outside it. Walls do not block, since thin limbs are all wall.
 *
 * @param mesh in the space of `grid`, which was built from it
 * @param outside one byte a cell, see `fillOutside`
 */
export function sightThroughBody(mesh: Mesh, grid: VoxelGrid, outside: Uint8Array): Sight {
  return (vertex, x, y, z) => {
    const from = mesh.positions.subarray(vertex * 3, vertex * 3 + 3);
    let passed = 0;
    walkSegment(grid, from, [x, y, z], (cell) => {
      passed += outside[cell];
      return passed <= FORGIVEN;
    });
    return passed <= FORGIVEN;
  };
}
