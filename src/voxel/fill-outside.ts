import { HOLLOW, type VoxelGrid } from "./voxel-grid.ts";

/**
 * Which hollow cells are outside the body: those a path over faces joins to the rim of the grid.
 *
 * An open mesh lets the outside in through its hole, when the hole is at least a cell wide.
 *
 * @returns one byte a cell, 1 outside, 0 inside or wall
 */
export function fillOutside(grid: VoxelGrid): Uint8Array {
  const { nx, ny, nz, cells } = grid;
  const outside = new Uint8Array(cells.length);
  const stack: number[] = [];
  const visit = (cell: number) => {
    if (cells[cell] === HOLLOW && outside[cell] === 0) {
      outside[cell] = 1;
      stack.push(cell);
    }
  };
  forEachRimCell(grid, visit);
  const layer = nx * ny;
  while (stack.length > 0) {
    const cell = stack.pop()!;
    const x = cell % nx;
    const y = ((cell - x) / nx) % ny;
    const z = Math.floor(cell / layer);
    if (x > 0) visit(cell - 1);
    if (x < nx - 1) visit(cell + 1);
    if (y > 0) visit(cell - nx);
    if (y < ny - 1) visit(cell + nx);
    if (z > 0) visit(cell - layer);
    if (z < nz - 1) visit(cell + layer);
  }
  return outside;
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
