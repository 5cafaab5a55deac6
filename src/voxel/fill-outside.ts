import { HOLLOW, neighbourSteps, type VoxelGrid } from "./voxel-grid.ts";

/**
 * Which hollow cells are outside the body: those a path over faces joins to the rim of the grid.
 *
 * An open mesh lets the outside in through its hole, when the hole is at least a cell wide.
 *
 * Most of the outside is seen from the ends of a row; what lies behind something is flooded from there.
 *
 * @returns one byte a cell, 1 outside, 0 inside or wall
 */
export function fillOutside(grid: VoxelGrid): Uint8Array {
  const { nx, ny, cells } = grid;
  const outside = new Uint8Array(cells.length);
  markFromRim(grid, outside);
  // A free cell that is not marked is not at the rim, so it has all six neighbours.
  const steps = neighbourSteps(nx, nx * ny);
  const queue: number[] = [];
  const enter = (cell: number) => {
    if (cells[cell] !== HOLLOW || outside[cell] === 1) return;
    outside[cell] = 1;
    queue.push(cell);
  };
  for (let start = 0; start < cells.length; start++) {
    if (cells[start] !== HOLLOW || outside[start] === 1) continue;
    for (let s = 0; s < 6; s++) if (outside[start + steps[s]] === 1) enter(start);
    while (queue.length > 0) {
      const cell = queue.pop()!;
      for (let s = 0; s < 6; s++) enter(cell + steps[s]);
    }
  }
  return outside;
}

/** Marks the free cells of the rim, and those between an end of a row and the first wall in it. */
function markFromRim({ nx, ny, nz, cells }: VoxelGrid, outside: Uint8Array): void {
  for (let row = 0; row < ny * nz; row++) {
    const [y, z] = [row % ny, Math.floor(row / ny)];
    const isRim = y === 0 || y === ny - 1 || z === 0 || z === nz - 1;
    let from = row * nx;
    let to = from + nx - 1;
    if (isRim) {
      for (let cell = from; cell <= to; cell++) if (cells[cell] === HOLLOW) outside[cell] = 1;
    } else {
      while (from <= to && cells[from] === HOLLOW) outside[from++] = 1;
      while (to > from && cells[to] === HOLLOW) outside[to--] = 1;
    }
  }
}
