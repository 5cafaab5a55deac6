import type { Lists } from "../math/arrays.ts";
import { neighborSteps, type VoxelGrid } from "../voxel/voxel-grid.ts";

/** Values of unreached cells; anything lower is the number of steps to the cell. */
export const UNREACHED_HOLLOW = 0xffff;
export const UNREACHED_MESH = 0xfffe;
/** The border around the grid: never entered, so the search needs no bounds checks. */
export const CLOSED = 0xfffd;

/**
 * Data shared by the searches of all bones: the padded grid and its parts.
 *
 * A part is a component of mesh cells or a region of hollow cells, connected over faces. A search that reaches
 * one cell of a region fills all of it and then all mesh components that touch it, so the phase that reaches a
 * cell is known per part, before any distance.
 */
export interface HollowSpace {
  /** Cells per row and per layer, border included. */
  row: number;
  layer: number;
  /** Padded cells: UNREACHED_HOLLOW, UNREACHED_MESH or CLOSED. */
  blank: Uint16Array;
  /** Padded cells: part index, mesh components first; -1 for hollow cells of a single mesh component. */
  parts: Int32Array;
  meshParts: number;
  partCount: number;
  /** Hollow region - meshParts -> mesh components it touches. */
  touched: Lists;
}

/** Returns the padded index of a cell of the grid. */
export function paddedCell(grid: VoxelGrid, cell: number): number {
  const x = cell % grid.nx;
  const y = ((cell - x) / grid.nx) % grid.ny;
  const z = Math.floor(cell / (grid.nx * grid.ny));
  return x + 1 + (grid.nx + 2) * (y + 1 + (grid.ny + 2) * (z + 1));
}

const CELL_VALUES: [number, number] = [UNREACHED_HOLLOW, UNREACHED_MESH];

/** Pads the grid and finds its parts; done once for all bones. */
export function createHollowSpace(grid: VoxelGrid): HollowSpace {
  const { row, layer, blank } = paddedGrid(grid, grid.cells, CELL_VALUES);
  const parts = new Int32Array(blank.length).fill(-1);
  const flood: Flood = { steps: neighborSteps(row, layer), queue: new Int32Array(1024) };
  let count = 0;
  for (let cell = 0; cell < blank.length; cell++) {
    if (blank[cell] === UNREACHED_MESH && parts[cell] < 0) {
      fill(flood, blank, parts, cell, count++);
    }
  }
  const meshParts = count;
  const touched: number[] = [];
  const starts = [0];
  if (meshParts > 1) {
    const seen = new Int32Array(meshParts).fill(-1);
    for (let cell = 0; cell < blank.length; cell++) {
      if (blank[cell] !== UNREACHED_HOLLOW || parts[cell] >= 0) continue;
      const size = fill(flood, blank, parts, cell, count);
      collectTouched(flood, size, parts, seen, count, touched);
      starts.push(touched.length);
      count++;
    }
  }
  return {
    row,
    layer,
    blank,
    parts,
    meshParts,
    partCount: count,
    touched: { starts: Int32Array.from(starts), items: Int32Array.from(touched) },
  };
}

/**
 * Adds a closed border around the grid and assigns a value to each cell.
 *
 * @param marks 0 or 1 for each cell of the grid
 * @param values of cells marked 0 and 1
 */
export function paddedGrid(
  { nx, ny, nz }: VoxelGrid,
  marks: Uint8Array,
  values: [number, number],
): Pick<HollowSpace, "row" | "layer" | "blank"> {
  const row = nx + 2;
  const layer = row * (ny + 2);
  const blank = new Uint16Array(layer * (nz + 2)).fill(CLOSED);
  for (let z = 0; z < nz; z++) {
    for (let y = 0; y < ny; y++) {
      const to = 1 + row * (y + 1) + layer * (z + 1);
      const from = nx * (y + ny * z);
      for (let x = 0; x < nx; x++) blank[to + x] = values[marks[from + x]];
    }
  }
  return { row, layer, blank };
}

interface Flood {
  steps: Int32Array;
  queue: Int32Array;
}

/** Assigns `part` to all cells of the same kind connected to `start`; leaves them queued. */
function fill(flood: Flood, blank: Uint16Array, parts: Int32Array, start: number, part: number) {
  const { steps } = flood;
  const kind = blank[start];
  let size = 1;
  flood.queue[0] = start;
  parts[start] = part;
  for (let i = 0; i < size; i++) {
    if (size + 6 > flood.queue.length) flood.queue = grown(flood.queue, size + 6);
    const { queue } = flood;
    const cell = queue[i];
    for (let s = 0; s < 6; s++) {
      const next = cell + steps[s];
      if (blank[next] === kind && parts[next] < 0) {
        parts[next] = part;
        queue[size++] = next;
      }
    }
  }
  return size;
}

/** Returns a copy with room for at least `length` items. */
export function grown(queue: Int32Array, length: number): Int32Array {
  const larger = new Int32Array(Math.max(length, queue.length * 2));
  larger.set(queue);
  return larger;
}

/** Appends the mesh components next to the queued cells of a hollow region, each once. */
function collectTouched(
  { steps, queue }: Flood,
  size: number,
  parts: Int32Array,
  seen: Int32Array,
  region: number,
  touched: number[],
): void {
  for (let i = 0; i < size; i++) {
    for (let s = 0; s < 6; s++) {
      const part = parts[queue[i] + steps[s]];
      // Mesh components have the lowest indices; other regions never touch this one.
      if (part >= 0 && part < seen.length && seen[part] !== region) {
        seen[part] = region;
        touched.push(part);
      }
    }
  }
}
