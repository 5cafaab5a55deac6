import { HOLLOW, type VoxelGrid } from "./voxel-grid.ts";

/**
 * Which hollow cells are outside the body: those a path over faces joins to the rim of the grid.
 *
 * An open mesh lets the outside in through its hole, when the hole is at least a cell wide.
 *
 * Fills row by row (scan lines): a run of free cells is entered once, and its four neighbour rows
 * are searched for the starts of further runs.
 *
 * @returns one byte a cell, 1 outside, 0 inside or wall
 */
export function fillOutside(grid: VoxelGrid): Uint8Array {
  const { nx, ny, nz, cells } = grid;
  const outside = new Uint8Array(cells.length);
  const runs: number[] = [];
  forEachRimCell(grid, (cell) => runs.push(cell));
  while (runs.length > 0) {
    const start = runs.pop()!;
    if (cells[start] !== HOLLOW || outside[start] === 1) continue;
    const row = Math.floor(start / nx);
    let from = start;
    let to = start;
    while (from > row * nx && cells[from - 1] === HOLLOW) from--;
    while (to < row * nx + nx - 1 && cells[to + 1] === HOLLOW) to++;
    outside.fill(1, from, to + 1);
    const y = row % ny;
    const z = Math.floor(row / ny);
    if (y > 0) findRuns(cells, outside, from - nx, to - nx, runs);
    if (y < ny - 1) findRuns(cells, outside, from + nx, to + nx, runs);
    if (z > 0) findRuns(cells, outside, from - nx * ny, to - nx * ny, runs);
    if (z < nz - 1) findRuns(cells, outside, from + nx * ny, to + nx * ny, runs);
  }
  return outside;
}

/** Pushes the first cell of each run of free, unfilled cells between two cells of a row. */
function findRuns(
  cells: Uint8Array,
  outside: Uint8Array,
  from: number,
  to: number,
  runs: number[],
): void {
  let free = false;
  for (let cell = from; cell <= to; cell++) {
    const was = free;
    free = cells[cell] === HOLLOW && outside[cell] === 0;
    if (free && !was) runs.push(cell);
  }
}

function forEachRimCell({ nx, ny, nz }: VoxelGrid, visit: (cell: number) => void): void {
  for (let z = 0; z < nz; z++) {
    for (let y = 0; y < ny; y++) {
      const inner = z > 0 && z < nz - 1 && y > 0 && y < ny - 1;
      const step = inner ? Math.max(1, nx - 1) : 1;
      for (let x = 0; x < nx; x += step) visit(x + nx * (y + ny * z));
    }
  }
}
