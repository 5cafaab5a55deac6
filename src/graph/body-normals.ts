import type { Mesh } from "../mesh/mesh.ts";
import { outwardNormals } from "../mesh/orient.ts";
import type { VoxelGrid } from "../voxel/voxel-grid.ts";

/** Just beyond the diagonal of a cell: there the wall's own cells are left behind. */
const STEP_IN_CELLS = 1.75;

/**
 * Unit normals of the vertices that point out of the body, whichever way the file winds its triangles.
 *
 * @param outside one byte a cell, see `fillOutside`
 * @returns V×3
 */
export function bodyNormals(mesh: Mesh, grid: VoxelGrid, outside: Uint8Array): Float32Array {
  const { nx, ny, nz, origin, size } = grid;
  const isOutside = (px: number, py: number, pz: number): boolean => {
    const x = Math.floor((px - origin[0]) / size);
    const y = Math.floor((py - origin[1]) / size);
    const z = Math.floor((pz - origin[2]) / size);
    if (x < 0 || y < 0 || z < 0 || x >= nx || y >= ny || z >= nz) return true;
    return outside[x + nx * (y + ny * z)] === 1;
  };
  return outwardNormals(mesh, isOutside, STEP_IN_CELLS * size);
}
