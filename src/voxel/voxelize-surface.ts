import { triangleTouchesBox } from "../math/triangle-box.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { cellAt, MESH, type VoxelGrid } from "./voxel-grid.ts";

/** Blocks of at most this many cells are tested cell by cell. */
const SMALL_BLOCK = 12;

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
  const { triangles } = mesh;
  const places = inCells(mesh, grid);
  const corners = new Float64Array(9);
  for (let f = 0; f < triangles.length; f += 3) {
    for (let k = 0; k < 3; k++) {
      const v = triangles[f + k] * 3;
      corners[k * 3] = places[v];
      corners[k * 3 + 1] = places[v + 1];
      corners[k * 3 + 2] = places[v + 2];
    }
    markTriangle(grid, corners);
  }
}

/** Marks the cells of the vertices; returns V×3, their places in cells from the grid's origin. */
function inCells(mesh: Mesh, grid: VoxelGrid): Float64Array {
  const { positions } = mesh;
  const { origin, size } = grid;
  const places = new Float64Array(positions.length);
  for (let i = 0; i < positions.length; i += 3) {
    for (let axis = 0; axis < 3; axis++) {
      places[i + axis] = (positions[i + axis] - origin[axis]) / size;
    }
    grid.cells[cellAt(grid, positions[i], positions[i + 1], positions[i + 2])] = MESH;
  }
  return places;
}

/** @param t 9, corners in cells from the grid's origin */
function markTriangle(grid: VoxelGrid, t: Float64Array): void {
  markBlock(
    grid,
    t,
    lowest(t[0], t[3], t[6]),
    lowest(t[1], t[4], t[7]),
    lowest(t[2], t[5], t[8]),
    highest(t[0], t[3], t[6], grid.nx),
    highest(t[1], t[4], t[7], grid.ny),
    highest(t[2], t[5], t[8], grid.nz),
  );
}

/** The lowest cell of three places; a place exactly between two cells touches both. */
function lowest(a: number, b: number, c: number): number {
  return Math.max(0, Math.ceil(Math.min(a, b, c)) - 1);
}

function highest(a: number, b: number, c: number, n: number): number {
  return Math.min(n - 1, Math.floor(Math.max(a, b, c)));
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
  if (lx * ly * lz <= SMALL_BLOCK) {
    markCells(grid, t, x0, y0, z0, x1, y1, z1);
    return;
  }
  if (!triangleTouchesBox(t, x0 + lx / 2, y0 + ly / 2, z0 + lz / 2, lx / 2, ly / 2, lz / 2)) return;
  if (lx >= ly && lx >= lz) {
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

/** Tests the cells of a block one by one; cells that neighbours of the triangle marked cost nothing. */
function markCells(
  grid: VoxelGrid,
  t: Float64Array,
  x0: number,
  y0: number,
  z0: number,
  x1: number,
  y1: number,
  z1: number,
): void {
  const { nx, ny, cells } = grid;
  for (let z = z0; z <= z1; z++) {
    for (let y = y0; y <= y1; y++) {
      for (let x = x0; x <= x1; x++) {
        const cell = x + nx * (y + ny * z);
        if (
          cells[cell] !== MESH &&
          triangleTouchesBox(t, x + 0.5, y + 0.5, z + 0.5, 0.5, 0.5, 0.5)
        ) {
          cells[cell] = MESH;
        }
      }
    }
  }
}
