import { triangleTouchesBox } from "../math/triangle.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { cellAt, MESH, type VoxelGrid } from "./voxel-grid.ts";

/** Blocks of at most this many cells are tested cell by cell. */
const SMALL_BLOCK = 12;

/**
 * Marks in `grid.cells` every cell that a triangle or a vertex touches; thin triangles leave no gaps.
 *
 * Works triangle by triangle, so open, non-manifold and self-intersecting meshes need no special case.
 * A triangle is cut into slabs one cell thick, and the bounding box of a slab is halved until few cells are
 * left: the cost of large and skewed triangles is proportional to the cells they touch, not to their bounding
 * box.
 *
 * Based on: M. Schwarz, H.-P. Seidel. Fast Parallel Surface and Solid Voxelization on GPUs. 2010
 * (the conservative surface case).
 */
export function voxelizeSurface(mesh: Mesh, grid: VoxelGrid): void {
  const { triangles } = mesh;
  const positions = inCells(mesh, grid);
  const corners = new Float64Array(9);
  const isRepeated = repeatedTriangles(mesh);
  for (let f = 0; f < triangles.length; f += 3) {
    if (isRepeated(f)) continue;
    for (let k = 0; k < 3; k++) {
      const v = triangles[f + k] * 3;
      for (let axis = 0; axis < 3; axis++) corners[k * 3 + axis] = positions[v + axis];
    }
    markTriangle(grid, corners);
  }
}

/** Meshes with more triangles per vertex than this repeat some; a closed surface has two. */
const MANY_TRIANGLES = 8;

/** Returns whether the triangle at an offset occurred before; always false for ordinary meshes. */
function repeatedTriangles({ triangles, positions }: Mesh): (offset: number) => boolean {
  if (triangles.length <= MANY_TRIANGLES * positions.length) return () => false;
  const seen = new Set<string>();
  return (offset) => {
    const key = triangles
      .slice(offset, offset + 3)
      .sort()
      .join();
    const isSeen = seen.has(key);
    seen.add(key);
    return isSeen;
  };
}

/** Marks the cells of the vertices; returns V×3, their positions in cells from the grid's origin. */
function inCells({ positions }: Mesh, grid: VoxelGrid): Float64Array {
  const { origin, size } = grid;
  const out = new Float64Array(positions.length);
  for (let i = 0; i < positions.length; i += 3) {
    for (let axis = 0; axis < 3; axis++) {
      out[i + axis] = (positions[i + axis] - origin[axis]) / size;
    }
    grid.cells[cellAt(grid, positions[i], positions[i + 1], positions[i + 2])] = MESH;
  }
  return out;
}

/** @param t 9, corners in cells from the grid's origin */
function markTriangle(grid: VoxelGrid, t: Float64Array): void {
  const x0 = lowest(t[0], t[3], t[6]);
  const y0 = lowest(t[1], t[4], t[7]);
  const z0 = lowest(t[2], t[5], t[8]);
  const x1 = highest(t[0], t[3], t[6], grid.nx);
  const y1 = highest(t[1], t[4], t[7], grid.ny);
  const z1 = highest(t[2], t[5], t[8], grid.nz);
  const lx = x1 - x0 + 1;
  const ly = y1 - y0 + 1;
  const lz = z1 - z0 + 1;
  if (lx <= 0 || ly <= 0 || lz <= 0) return;
  if (lx * ly * lz <= SMALL_BLOCK) {
    markCells(grid, t, x0, y0, z0, x1, y1, z1);
  } else if (lx >= ly && lx >= lz) {
    for (let x = x0; x <= x1; x++) {
      cutSlab(t, 0, 1, 2, x);
      markBlock(grid, t, x, from(1, y0), from(2, z0), x, to(1, y1), to(2, z1));
    }
  } else if (ly >= lz) {
    for (let y = y0; y <= y1; y++) {
      cutSlab(t, 1, 0, 2, y);
      markBlock(grid, t, from(1, x0), y, from(2, z0), to(1, x1), y, to(2, z1));
    }
  } else {
    for (let z = z0; z <= z1; z++) {
      cutSlab(t, 2, 0, 1, z);
      markBlock(grid, t, from(1, x0), from(2, y0), z, to(1, x1), to(2, y1), z);
    }
  }
}

/** The lowest cell of the last slab along its first or second axis, not below `low`. */
function from(axis: 1 | 2, low: number): number {
  return Math.max(low, Math.ceil(axis === 1 ? slab.low1 : slab.low2) - 1);
}

/** The highest cell of the last slab along its first or second axis, not above `high`. */
function to(axis: 1 | 2, high: number): number {
  return Math.min(high, Math.floor(axis === 1 ? slab.high1 : slab.high2));
}

/** Extent of the last slab cut by {@link cutSlab}, in cells along the two other axes. */
const slab = { low1: 0, high1: 0, low2: 0, high2: 0 };

/** Slabs are this much wider, in cells, than any rounding; each cell is tested exactly. */
const WIDER = 1e-5;

/**
 * Measures the part of a triangle between two planes one cell apart. A thin triangle touches a cell or two per
 * slab in any orientation, so the bounding boxes of its slabs are tight.
 */
function cutSlab(t: Float64Array, axis: number, first: number, second: number, at: number): void {
  const low = at - WIDER;
  const high = at + 1 + WIDER;
  slab.low1 = slab.low2 = Infinity;
  slab.high1 = slab.high2 = -Infinity;
  for (let p = 0; p < 9; p += 3) {
    const q = p === 6 ? 0 : p + 3;
    const start = t[p + axis];
    const delta = t[q + axis] - start;
    if ((start < low && start + delta < low) || (start > high && start + delta > high)) continue;
    const toLow = delta === 0 ? 0 : (low - start) / delta;
    const toHigh = delta === 0 ? 1 : (high - start) / delta;
    const enter = Math.max(0, Math.min(toLow, toHigh));
    const leave = Math.min(1, Math.max(toLow, toHigh));
    const delta1 = t[q + first] - t[p + first];
    const delta2 = t[q + second] - t[p + second];
    const [a, b] = [t[p + first] + enter * delta1, t[p + first] + leave * delta1];
    const [c, d] = [t[p + second] + enter * delta2, t[p + second] + leave * delta2];
    slab.low1 = Math.min(slab.low1, Math.min(a, b) - WIDER);
    slab.high1 = Math.max(slab.high1, Math.max(a, b) + WIDER);
    slab.low2 = Math.min(slab.low2, Math.min(c, d) - WIDER);
    slab.high2 = Math.max(slab.high2, Math.max(c, d) + WIDER);
  }
}

/** The lowest cell of three coordinates; a coordinate exactly between two cells touches both. */
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
        if (cells[cell] === MESH) continue;
        if (triangleTouchesBox(t, x + 0.5, y + 0.5, z + 0.5, 0.5, 0.5, 0.5)) cells[cell] = MESH;
      }
    }
  }
}
