import { type Mesh, vertexCount } from "../mesh/mesh.ts";
import { cellAt, type VoxelGrid } from "../voxel/voxel-grid.ts";
import { paddedCell } from "./hollow-space.ts";

/** The cells that hold vertices: all that is read from a search. */
export interface VertexCells {
  /** U, padded cells that hold at least one vertex, ascending. */
  cells: Int32Array;
  /** U+1; the vertices of cell u are vertices[starts[u] .. starts[u + 1] - 1]. */
  starts: Int32Array;
  /** V, grouped by cell. */
  vertices: Int32Array;
  /** V×6 in the order of `vertices`, distance to the centres of the cell's neighbours, in the order
   * of `neighbourSteps`. */
  toNeighbours: Float64Array;
}

/** Finds the cells that hold vertices and measures from each vertex to the cells around its own. */
export function findVertexCells(mesh: Mesh, grid: VoxelGrid): VertexCells {
  const { positions } = mesh;
  const count = vertexCount(mesh);
  // Sorted numbers made of cell and vertex: by cell, then by vertex.
  const keys = new Float64Array(count);
  for (let v = 0; v < count; v++) {
    const cell = cellAt(grid, positions[v * 3], positions[v * 3 + 1], positions[v * 3 + 2]);
    keys[v] = cell * count + v;
  }
  keys.sort();
  const cells: number[] = [];
  const starts: number[] = [];
  const vertices = new Int32Array(count);
  const toNeighbours = new Float64Array(count * 6);
  let last = -1;
  for (let i = 0; i < count; i++) {
    const v = keys[i] % count;
    const cell = (keys[i] - v) / count;
    if (cell !== last) {
      cells.push(paddedCell(grid, cell));
      starts.push(i);
      last = cell;
    }
    vertices[i] = v;
    measureNeighbours(grid, cell, positions, v, toNeighbours, i * 6);
  }
  starts.push(count);
  return { cells: Int32Array.from(cells), starts: Int32Array.from(starts), vertices, toNeighbours };
}

function measureNeighbours(
  grid: VoxelGrid,
  cell: number,
  positions: Float32Array,
  v: number,
  out: Float64Array,
  at: number,
): void {
  const { nx, ny, origin, size } = grid;
  const cx = cell % nx;
  const cy = ((cell - cx) / nx) % ny;
  const cz = Math.floor(cell / (nx * ny));
  const dx = positions[v * 3] - origin[0] - (cx + 0.5) * size;
  const dy = positions[v * 3 + 1] - origin[1] - (cy + 0.5) * size;
  const dz = positions[v * 3 + 2] - origin[2] - (cz + 0.5) * size;
  const [xx, yy, zz] = [dx * dx, dy * dy, dz * dz];
  out[at] = Math.sqrt((dx + size) ** 2 + yy + zz);
  out[at + 1] = Math.sqrt((dx - size) ** 2 + yy + zz);
  out[at + 2] = Math.sqrt(xx + (dy + size) ** 2 + zz);
  out[at + 3] = Math.sqrt(xx + (dy - size) ** 2 + zz);
  out[at + 4] = Math.sqrt(xx + yy + (dz + size) ** 2);
  out[at + 5] = Math.sqrt(xx + yy + (dz - size) ** 2);
}
