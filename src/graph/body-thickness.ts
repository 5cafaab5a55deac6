import type { VoxelGrid } from "../voxel/voxel-grid.ts";

/** Length of a step into the body, in cells. */
const STEP = 0.5;

/**
 * How thick the body is below each vertex: the way along the inward normal to the outside, in steps of half a
 * cell. Cloth and other open sheets are about a cell thick.
 *
 * @param positions V×3
 * @param normals V×3, outward
 * @param outside one byte a cell, see `fillOutside`
 * @returns V
 */
export function bodyThickness(
  positions: Float32Array,
  normals: Float32Array,
  { nx, ny, nz, origin, size }: VoxelGrid,
  outside: Uint8Array,
): Float32Array {
  const step = STEP * size;
  const most = Math.ceil(Math.hypot(nx, ny, nz) / STEP);
  const out = new Float32Array(positions.length / 3);
  for (let v = 0; v < out.length; v++) {
    const at = v * 3;
    let steps = 1;
    for (; steps < most; steps++) {
      const way = steps * step;
      const x = Math.floor((positions[at] - normals[at] * way - origin[0]) / size);
      const y = Math.floor((positions[at + 1] - normals[at + 1] * way - origin[1]) / size);
      const z = Math.floor((positions[at + 2] - normals[at + 2] * way - origin[2]) / size);
      if (x < 0 || y < 0 || z < 0 || x >= nx || y >= ny || z >= nz) break;
      if (outside[x + nx * (y + ny * z)] === 1) break;
    }
    out[v] = steps * step;
  }
  return out;
}
