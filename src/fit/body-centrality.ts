import type { Mesh } from "../mesh/mesh.ts";
import { buildGrid } from "../voxel/build-grid.ts";
import { cellAt, type VoxelGrid } from "../voxel/voxel-grid.ts";
import { bodyDepth } from "./body-depth.ts";
import { insideCells, searchInside } from "./inside-search.ts";

/** Cells along the longest side: coarse, so that thin gaps between loose parts close. */
const RESOLUTION = 40;
/** Cells to which distances are averaged. */
const SOURCES = 12;

/** How far each cell of a body is from the rest of it, by paths through the body. */
export interface BodyCentrality {
  grid: VoxelGrid;
  /** Cells: 0 in the middle to 1 at the farthest tip; -1 outside. */
  values: Float32Array;
}

/**
 * Measures the mean distance of each cell to others through the body, from 0 to 1: hands, feet and tails are
 * near 1 in any pose.
 *
 * Based on: Hilaga et al. Topology matching for fully automatic similarity estimation of 3D shapes. 2001.
 */
export function bodyCentrality(mesh: Mesh): BodyCentrality {
  const none = { names: [], parents: new Int32Array(0), positions: new Float32Array(0) };
  const grid = buildGrid(mesh, none, { resolution: RESOLUTION });
  const { depths } = bodyDepth(grid);
  const inside = insideCells(grid, depths);
  const sums = new Float64Array(depths.length);
  const nearest = new Float64Array(depths.length).fill(Infinity);
  // The deepest cell is in the main part of the body.
  let from = inside.cells.reduce((a, b) => (a < 0 || depths[b] > depths[a] ? b : a), -1);
  for (let i = 0; i < SOURCES && from >= 0; i++) {
    const { away } = searchInside(inside, depths.length, [from]);
    let far = -1;
    for (const cell of inside.cells) {
      if (away[cell] < 0) continue;
      sums[cell] += away[cell];
      nearest[cell] = Math.min(nearest[cell], away[cell]);
      if (far < 0 || nearest[cell] > nearest[far]) far = cell;
    }
    from = far;
  }
  return { grid, values: normalized(inside.cells, sums, nearest) };
}

/** Scales the sums of the reached cells to 0..1; cells of other components count as half way. */
function normalized(cells: Int32Array, sums: Float64Array, nearest: Float64Array): Float32Array {
  let [min, max] = [Infinity, -Infinity];
  for (const cell of cells) {
    if (nearest[cell] === Infinity) continue;
    min = Math.min(min, sums[cell]);
    max = Math.max(max, sums[cell]);
  }
  const values = new Float32Array(sums.length).fill(-1);
  for (const cell of cells) {
    const isReached = nearest[cell] < Infinity;
    values[cell] = isReached ? (sums[cell] - min) / (max - min || 1) : 0.5;
  }
  return values;
}

/** Returns the centrality of points, N×3: that of their cell, or of the nearest cell inside. */
export function centralityAt({ grid, values }: BodyCentrality, points: Float64Array): Float64Array {
  const found = new Float64Array(points.length / 3);
  for (let i = 0; i < found.length; i++) {
    const [x, y, z] = points.subarray(i * 3, i * 3 + 3);
    const value = values[cellAt(grid, x, y, z)];
    found[i] = value < 0 ? 0.5 : value;
  }
  return found;
}
