import type { Mesh } from "../mesh/mesh.ts";
import type { Bones } from "../skeleton/bones.ts";
import type { VoxelGrid } from "../voxel/voxel-grid.ts";
import { CLOSED, type HollowSpace, paddedGrid, UNREACHED_HOLLOW } from "./hollow-space.ts";
import { createScene, type SearchScene } from "./search-scene.ts";

/**
 * Prepares the search for the shortest paths of cells inside the body (wall and interior) from every vertex to
 * its K nearest bones.
 *
 * A bone that neither enters nor touches the body reaches nothing, and no bone reaches a loose part it is not
 * in: such entries are missing (-1, Infinity). This is the limitation that HollowDist removes.
 *
 * Based on: O. Dionne, M. de Lasa. Geodesic Voxel Binding for Production Character Meshes. 2013.
 *
 * @param outside one byte per cell, see `fillOutside`
 */
export function createVolumetricScene(
  mesh: Mesh,
  bones: Bones,
  grid: VoxelGrid,
  outside: Uint8Array,
  options: { k?: number | undefined } = {},
): SearchScene {
  return createScene(bodySpace(grid, outside), mesh, bones, grid, {
    k: options.k,
    leaveWall: true,
  });
}

/** A space of one kind of cell: the body is free, the outside is closed. */
function bodySpace(grid: VoxelGrid, outside: Uint8Array): HollowSpace {
  return {
    ...paddedGrid(grid, outside, [UNREACHED_HOLLOW, CLOSED]),
    // Every search has one phase here, so parts are never used.
    parts: new Int32Array(0),
    meshParts: 0,
    partCount: 0,
    touched: { starts: new Int32Array(1), items: new Int32Array(0) },
  };
}
