import type { Mesh } from "../mesh/mesh.ts";
import { buildGrid } from "../voxel/build-grid.ts";
import { cellAt, type VoxelGrid } from "../voxel/voxel-grid.ts";
import { bodyDepth } from "./body-depth.ts";

/** Cells along the longest side: coarse, so that thin gaps between loose parts close. */
const RESOLUTION = 40;
/** Cells to which distances are averaged. */
const SOURCES = 12;
/** Steps over a face, an edge, a corner, in tenths of a cell. */
const STEPS = [10, 14, 17];

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
  const links = linkedCells(grid, depths);
  const sums = new Float64Array(depths.length);
  const nearest = new Float64Array(depths.length).fill(Infinity);
  let from = mainCell(depths, links);
  for (let i = 0; i < SOURCES && from >= 0; i++) {
    const away = distancesFrom(links, depths.length, from);
    let far = -1;
    for (const cell of links.cells) {
      if (away[cell] < 0) continue;
      sums[cell] += away[cell];
      nearest[cell] = Math.min(nearest[cell], away[cell]);
      if (far < 0 || nearest[cell] > nearest[far]) far = cell;
    }
    from = far;
  }
  return { grid, values: normalized(links.cells, sums, nearest) };
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

interface LinkedCells {
  cells: Int32Array;
  /** Offsets of the 26 neighbors and the lengths of the steps to them. */
  offsets: Int32Array;
  lengths: Int32Array;
  isInside: Uint8Array;
}

function linkedCells({ nx, ny }: VoxelGrid, depths: Float32Array): LinkedCells {
  const isInside = Uint8Array.from(depths, (depth) => (depth > 0 ? 1 : 0));
  const cells = Int32Array.from(isInside.keys()).filter((cell) => isInside[cell] === 1);
  const offsets: number[] = [];
  const lengths: number[] = [];
  for (let dz = -1; dz <= 1; dz++) {
    for (let dy = -1; dy <= 1; dy++) {
      for (let dx = -1; dx <= 1; dx++) {
        const axes = Math.abs(dx) + Math.abs(dy) + Math.abs(dz);
        if (axes === 0) continue;
        offsets.push(dx + nx * (dy + ny * dz));
        lengths.push(STEPS[axes - 1]);
      }
    }
  }
  return { cells, offsets: Int32Array.from(offsets), lengths: Int32Array.from(lengths), isInside };
}

/** The deepest cell: in the main part of the body. */
function mainCell(depths: Float32Array, { cells }: LinkedCells): number {
  return cells.reduce((best, cell) => (best < 0 || depths[cell] > depths[best] ? cell : best), -1);
}

/** Dijkstra's search with one bucket per tenth of a cell; -1 for cells that are not reached. */
function distancesFrom(links: LinkedCells, count: number, from: number): Int32Array {
  const { offsets, lengths, isInside } = links;
  const away = new Int32Array(count).fill(-1);
  const buckets: number[][] = Array.from({ length: 18 }, () => []);
  away[from] = 0;
  buckets[0].push(from);
  for (let key = 0, empty = 0; empty < 18; key++) {
    const bucket = buckets[key % 18];
    empty = bucket.length > 0 ? 0 : empty + 1;
    for (const cell of bucket) {
      if (away[cell] !== key) continue;
      // The margin of the grid is outside, so an inside cell has all neighbors.
      for (let s = 0; s < offsets.length; s++) {
        const next = cell + offsets[s];
        const reached = key + lengths[s];
        if (!isInside[next] || (away[next] >= 0 && away[next] <= reached)) continue;
        away[next] = reached;
        buckets[reached % 18].push(next);
      }
    }
    bucket.length = 0;
  }
  return away;
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
