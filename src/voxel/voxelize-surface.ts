import { triangleTouchesBox } from "../math/triangle-box.ts";
import { type Mesh, triangleCount, vertexCount } from "../mesh/mesh.ts";
import { cellAt, MESH, type VoxelGrid } from "./voxel-grid.ts";

/**
 * Marks in `grid.cells` every cell a triangle or a vertex touches; none is missed, however thin.
 *
 * Works triangle by triangle, so open, non-manifold and self-intersecting meshes are no different.
 * A block of cells that a triangle touches is halved until single cells are left: large and skewed
 * triangles cost in proportion to the cells they touch, not to their bounding box.
 *
 * Based on: M. Schwarz, H.-P. Seidel. Fast Parallel Surface and Solid Voxelization on GPUs. 2010
 * (the conservative surface case).
 */
export function voxelizeSurface(mesh: Mesh, grid: VoxelGrid): void {
  const { positions, triangles } = mesh;
  for (let v = 0; v < vertexCount(mesh); v++) {
    grid.cells[cellAt(grid, positions[v * 3], positions[v * 3 + 1], positions[v * 3 + 2])] = MESH;
  }
  const corners = new Float64Array(9);
  const { origin, size } = grid;
  for (let f = 0; f < triangleCount(mesh); f++) {
    for (let k = 0; k < 9; k++) {
      const axis = k % 3;
      const v = triangles[f * 3 + (k - axis) / 3];
      corners[k] = (positions[v * 3 + axis] - origin[axis]) / size;
    }
    markTriangle(grid, corners);
  }
}

/** @param t 9, corners in cells from the grid's origin */
function markTriangle(grid: VoxelGrid, t: Float64Array): void {
  // A face exactly between two cells touches both, hence the lower cell by ceil - 1.
  const low = (a: number, b: number, c: number) => Math.max(0, Math.ceil(Math.min(a, b, c)) - 1);
  const high = (a: number, b: number, c: number, n: number) =>
    Math.min(n - 1, Math.floor(Math.max(a, b, c)));
  markBlock(
    grid,
    t,
    low(t[0], t[3], t[6]),
    low(t[1], t[4], t[7]),
    low(t[2], t[5], t[8]),
    high(t[0], t[3], t[6], grid.nx),
    high(t[1], t[4], t[7], grid.ny),
    high(t[2], t[5], t[8], grid.nz),
  );
}

function markBlock(
  grid: VoxelGrid,
  t: Float64Array,
  x0: number,
  y0: number,
  z0: number,
  x1: number,
  y1: number,
  z1: number,
): void {
  const lx = x1 - x0 + 1;
  const ly = y1 - y0 + 1;
  const lz = z1 - z0 + 1;
  if (lx <= 0 || ly <= 0 || lz <= 0) return;
  const single = lx === 1 && ly === 1 && lz === 1;
  const cell = x0 + grid.nx * (y0 + grid.ny * z0);
  if (single && grid.cells[cell] === MESH) return;
  if (!triangleTouchesBox(t, x0 + lx / 2, y0 + ly / 2, z0 + lz / 2, lx / 2, ly / 2, lz / 2)) return;
  if (single) {
    grid.cells[cell] = MESH;
  } else if (lx >= ly && lx >= lz) {
    const middle = x0 + (lx >> 1);
    markBlock(grid, t, x0, y0, z0, middle - 1, y1, z1);
    markBlock(grid, t, middle, y0, z0, x1, y1, z1);
  } else if (ly >= lz) {
    const middle = y0 + (ly >> 1);
    markBlock(grid, t, x0, y0, z0, x1, middle - 1, z1);
    markBlock(grid, t, x0, middle, z0, x1, y1, z1);
  } else {
    const middle = z0 + (lz >> 1);
    markBlock(grid, t, x0, y0, z0, x1, y1, middle - 1);
    markBlock(grid, t, x0, y0, middle, x1, y1, z1);
  }
}
