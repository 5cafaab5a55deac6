import { type Mesh, vertexCount } from "../mesh/mesh.ts";
import { cellAt, type VoxelGrid } from "../voxel/voxel-grid.ts";
import { paddedCell } from "./hollow-space.ts";

/** The cells that hold vertices: all that is read from a search. */
export interface VertexCells {
  /** U, padded cells that hold at least one vertex. */
  cells: Int32Array;
  /** U+1; the vertices of cell u are vertices[starts[u] .. starts[u + 1] - 1]. */
  starts: Int32Array;
  /** V, grouped by cell. */
  vertices: Int32Array;
  /** V×6, distance from the vertex to the centres of its cell's neighbours, in `neighbourSteps`
   * order. */
  toNeighbours: Float64Array;
}

/** Finds the cells that hold vertices and measures from each vertex to the cells around its own. */
export function findVertexCells(mesh: Mesh, grid: VoxelGrid): VertexCells {
  const count = vertexCount(mesh);
  const cellOf = new Int32Array(count);
  const toNeighbours = new Float64Array(count * 6);
  for (let v = 0; v < count; v++) {
    const [x, y, z] = mesh.positions.subarray(v * 3, v * 3 + 3);
    cellOf[v] = cellAt(grid, x, y, z);
    measureNeighbours(grid, cellOf[v], x, y, z, toNeighbours.subarray(v * 6, v * 6 + 6));
  }
  const { cells, starts, vertices } = groupByCell(cellOf);
  for (let u = 0; u < cells.length; u++) cells[u] = paddedCell(grid, cells[u]);
  return { cells, starts, vertices, toNeighbours };
}

function measureNeighbours(
  grid: VoxelGrid,
  cell: number,
  x: number,
  y: number,
  z: number,
  out: Float64Array,
): void {
  const { nx, ny, origin, size } = grid;
  const cx = cell % nx;
  const cy = ((cell - cx) / nx) % ny;
  const cz = Math.floor(cell / (nx * ny));
  const dx = x - origin[0] - (cx + 0.5) * size;
  const dy = y - origin[1] - (cy + 0.5) * size;
  const dz = z - origin[2] - (cz + 0.5) * size;
  out[0] = Math.hypot(dx + size, dy, dz);
  out[1] = Math.hypot(dx - size, dy, dz);
  out[2] = Math.hypot(dx, dy + size, dz);
  out[3] = Math.hypot(dx, dy - size, dz);
  out[4] = Math.hypot(dx, dy, dz + size);
  out[5] = Math.hypot(dx, dy, dz - size);
}

function groupByCell(cellOf: Int32Array): Pick<VertexCells, "cells" | "starts" | "vertices"> {
  const slot = new Map<number, number>();
  const cells: number[] = [];
  for (const cell of cellOf) {
    if (slot.has(cell)) continue;
    slot.set(cell, cells.length);
    cells.push(cell);
  }
  const starts = new Int32Array(cells.length + 1);
  for (const cell of cellOf) starts[slot.get(cell)! + 1]++;
  for (let u = 0; u < cells.length; u++) starts[u + 1] += starts[u];
  const next = starts.slice();
  const vertices = new Int32Array(cellOf.length);
  cellOf.forEach((cell, v) => {
    vertices[next[slot.get(cell)!]++] = v;
  });
  return { cells: Int32Array.from(cells), starts, vertices };
}
