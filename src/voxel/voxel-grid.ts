/** Contents of a cell. A mesh cell is wall whether or not it is also outside. */
export const HOLLOW = 0;
export const MESH = 1;

/**
 * Cubic cells around the mesh and the joints, with a free margin.
 *
 * Cell (x, y, z) has index x + nx * (y + ny * z); its center is origin + (x + 0.5, ...) * size.
 */
export interface VoxelGrid {
  nx: number;
  ny: number;
  nz: number;
  /** Corner of cell (0, 0, 0). */
  origin: [number, number, number];
  size: number;
  /** Cells: HOLLOW or MESH. */
  cells: Uint8Array;
}

/** Returns the cell of a point; the nearest cell for a point outside the grid. */
export function cellAt(grid: VoxelGrid, x: number, y: number, z: number): number {
  const { nx, ny, nz, origin, size } = grid;
  const cx = clamp(Math.floor((x - origin[0]) / size), nx);
  const cy = clamp(Math.floor((y - origin[1]) / size), ny);
  const cz = clamp(Math.floor((z - origin[2]) / size), nz);
  return cx + nx * (cy + ny * cz);
}

function clamp(i: number, n: number): number {
  return i < 0 ? 0 : i >= n ? n - 1 : i;
}

/** Returns index offsets to the six neighbors; a step and its opposite are 2k and 2k + 1. */
export function neighborSteps(row: number, layer: number): Int32Array {
  return Int32Array.of(-1, 1, -row, row, -layer, layer);
}

/** Visits the up to six cells that share a face with a cell. */
export function visitNeighbors(
  { nx, ny, nz }: VoxelGrid,
  cell: number,
  visit: (neighbor: number) => void,
): void {
  const x = cell % nx;
  const y = Math.floor(cell / nx) % ny;
  const z = Math.floor(cell / (nx * ny));
  if (x > 0) visit(cell - 1);
  if (x < nx - 1) visit(cell + 1);
  if (y > 0) visit(cell - nx);
  if (y < ny - 1) visit(cell + nx);
  if (z > 0) visit(cell - nx * ny);
  if (z < nz - 1) visit(cell + nx * ny);
}

/** Returns the same cells as a list. */
export function faceNeighbors(grid: VoxelGrid, cell: number): number[] {
  const found: number[] = [];
  visitNeighbors(grid, cell, (neighbor) => found.push(neighbor));
  return found;
}

/**
 * Returns the hollow cells outside the body (1, else 0): those connected over faces to the border of the grid.
 *
 * An open mesh lets the outside in through its hole, if the hole is at least a cell wide. Most of the outside
 * is found by scanning rows from their ends; the rest is flooded from there.
 */
export function fillOutside(grid: VoxelGrid): Uint8Array {
  const { nx, ny, cells } = grid;
  const outside = new Uint8Array(cells.length);
  markFromRim(grid, outside);
  // An unmarked free cell is not at the border, so it has all six neighbors.
  const steps = neighborSteps(nx, nx * ny);
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

/** Marks the free cells of the border, and those between an end of a row and its first wall. */
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
