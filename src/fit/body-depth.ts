import type { Vec3 } from "../math/vec3.ts";
import { fillOutside, HOLLOW, type VoxelGrid } from "../voxel/voxel-grid.ts";

/** Depth of each cell in the body. */
export interface BodyDepth {
  grid: VoxelGrid;
  /** Cells: 0 outside, else the approximate distance to the outside in cells, walls included. */
  depths: Float32Array;
}

/** Costs of a step over a face, an edge, a corner: a chamfer distance, accurate to a few percent. */
const STEPS = [1, 1.41, 1.73];

/** Inside cells per wall cell below which the outside has leaked in through a hole. */
const LEAKED = 0.02;

/**
 * Measures the depth of cells in the body. In an open mesh, a cell is inside if walls are on both sides of it
 * along at least two axes.
 */
export function bodyDepth(grid: VoxelGrid): BodyDepth {
  const outside = fillOutside(grid);
  const walls = grid.cells.reduce((sum, cell) => sum + (cell === HOLLOW ? 0 : 1), 0);
  const inside = grid.cells.reduce(
    (sum, cell, i) => sum + (cell === HOLLOW && outside[i] === 0 ? 1 : 0),
    0,
  );
  const isSolid = inside < LEAKED * walls ? enclosedCells(grid) : outside.map((out) => 1 - out);
  return { grid, depths: chamfer(grid, isSolid) };
}

/** Two sweeps, forward and backward, each taking the minimum over the neighbors already visited. */
function chamfer({ nx, ny, nz }: VoxelGrid, isSolid: Uint8Array): Float32Array {
  const depths = Float32Array.from(isSolid, (solid) => (solid ? Infinity : 0));
  const visited = neighborsBefore(nx, ny);
  const relax = (x: number, y: number, z: number, sign: 1 | -1) => {
    const cell = x + nx * (y + ny * z);
    if (depths[cell] === 0) return;
    let min = depths[cell];
    for (const [dx, dy, dz, offset, step] of visited) {
      const [ox, oy, oz] = [x + sign * dx, y + sign * dy, z + sign * dz];
      const isOut = ox < 0 || oy < 0 || oz < 0 || ox >= nx || oy >= ny || oz >= nz;
      min = Math.min(min, isOut ? step : depths[cell + sign * offset] + step);
    }
    depths[cell] = min;
  };
  for (let z = 0; z < nz; z++)
    for (let y = 0; y < ny; y++) for (let x = 0; x < nx; x++) relax(x, y, z, 1);
  for (let z = nz - 1; z >= 0; z--)
    for (let y = ny - 1; y >= 0; y--) for (let x = nx - 1; x >= 0; x--) relax(x, y, z, -1);
  return depths;
}

/** The 13 of 26 neighbors that precede a cell: dx, dy, dz, offset, step. */
function neighborsBefore(nx: number, ny: number): [number, number, number, number, number][] {
  const found: [number, number, number, number, number][] = [];
  for (let dz = -1; dz <= 0; dz++) {
    for (let dy = -1; dy <= 1; dy++) {
      for (let dx = -1; dx <= 1; dx++) {
        const offset = dx + nx * (dy + ny * dz);
        if (dz === 0 && (dy > 0 || (dy === 0 && dx >= 0))) continue;
        const axes = Math.abs(dx) + Math.abs(dy) + Math.abs(dz);
        found.push([dx, dy, dz, offset, STEPS[axes - 1]]);
      }
    }
  }
  return found;
}

/** Cells that are wall, or have walls on both sides along at least two of the three axes. */
function enclosedCells({ nx, ny, nz, cells }: VoxelGrid): Uint8Array {
  const votes = new Uint8Array(cells.length);
  const lines: [count: number, length: number, step: number, start: (line: number) => number][] = [
    [ny * nz, nx, 1, (line) => line * nx],
    [nx * nz, ny, nx, (line) => (line % nx) + Math.floor(line / nx) * nx * ny],
    [nx * ny, nz, nx * ny, (line) => line],
  ];
  for (const [count, length, step, start] of lines) {
    for (let line = 0; line < count; line++) {
      const from = start(line);
      let [first, last] = [-1, -1];
      for (let i = 0; i < length; i++) {
        if (cells[from + i * step] === HOLLOW) continue;
        if (first < 0) first = i;
        last = i;
      }
      for (let i = first; first >= 0 && i <= last; i++) votes[from + i * step]++;
    }
  }
  return votes.map((vote, cell) => (cells[cell] !== HOLLOW || vote >= 2 ? 1 : 0));
}

/** Returns the center of a cell. */
export function cellCenter({ nx, ny, origin, size }: VoxelGrid, cell: number): Vec3 {
  const x = cell % nx;
  const y = Math.floor(cell / nx) % ny;
  const z = Math.floor(cell / (nx * ny));
  return [origin[0] + (x + 0.5) * size, origin[1] + (y + 0.5) * size, origin[2] + (z + 0.5) * size];
}
