import type { Mesh } from "../../src/mesh/mesh.ts";
import { type Bones, boneCount, boneDistance } from "../../src/skeleton/bones.ts";
import { cellAt, faceNeighbors, HOLLOW, MESH, type VoxelGrid } from "../../src/voxel/voxel-grid.ts";
import { voxelizeBones } from "../../src/voxel/voxelize-bones.ts";

/**
 * Literal implementation of algorithm 1 of the paper, slow and simple: the reference for the fast search in the
 * tests and in the benchmark.
 *
 * @param seeds cells of one bone
 * @param leaveWall whether seeds that are all mesh cells may step into hollow cells (not in the paper)
 * @returns per cell the steps to it; Infinity for cells that the search did not reach
 */
export function literalHollow(
  grid: VoxelGrid,
  seeds: Iterable<number>,
  leaveWall: boolean,
  firstLevel = 0,
): Float64Array {
  const { cells } = grid;
  const d = new Float64Array(cells.length).fill(Infinity);
  const seedSet = new Set(seeds);
  const free = leaveWall && [...seedSet].every((seed) => cells[seed] === MESH);
  let queue: number[] = [];
  for (const seed of seedSet) {
    d[seed] = firstLevel;
    queue.push(seed);
  }
  const meshIsLeft = () => cells.some((kind, cell) => kind === MESH && d[cell] === Infinity);
  while (meshIsLeft()) {
    // An array grows while it is iterated: a first-in, first-out queue.
    for (const cell of queue) {
      for (const next of faceNeighbors(grid, cell)) {
        if (d[next] !== Infinity) continue;
        if (cells[cell] === MESH && cells[next] !== MESH && !(free && seedSet.has(cell))) continue;
        d[next] = d[cell] + 1;
        queue.push(next);
      }
    }
    // The paper plants the next seeds before the check; when nothing is left they have no effect.
    const start = meshIsLeft() ? nearestAtUntraversed(grid, d) : -1;
    if (start < 0) break;
    queue = untraversedHollow(grid, d, start);
    for (const next of queue) d[next] = d[start] + 1;
  }
  return d;
}

/**
 * Algorithm 1 and equation 1 for every pair of bone and vertex, as simple as {@link literalHollow}.
 *
 * @returns per bone V distances in units of the mesh
 */
export function literalDistances(
  mesh: Mesh,
  bones: Bones,
  grid: VoxelGrid,
  leaveWall: boolean,
): Float64Array[] {
  const seeds = voxelizeBones(bones, grid);
  const count = mesh.positions.length / 3;
  return Array.from({ length: boneCount(bones) }, (_, b) => {
    const own = new Set(seeds.cells.subarray(seeds.starts[b], seeds.starts[b + 1]));
    const d = literalHollow(grid, own, leaveWall, seeds.levels[b]);
    return Float64Array.from({ length: count }, (_, v) => {
      const [x, y, z] = mesh.positions.subarray(v * 3, v * 3 + 3);
      const cell = cellAt(grid, x, y, z);
      if (own.has(cell)) return boneDistance(bones, b, mesh.positions, v);
      let last = Infinity;
      for (const n of faceNeighbors(grid, cell)) {
        if (d[n] === d[cell] - 1) last = Math.min(last, centerDistance(grid, n, x, y, z));
      }
      return (d[cell] - 1) * grid.size + last;
    });
  });
}

function centerDistance(grid: VoxelGrid, cell: number, x: number, y: number, z: number): number {
  const { nx, ny, origin, size } = grid;
  const dx = x - origin[0] - ((cell % nx) + 0.5) * size;
  const dy = y - origin[1] - ((Math.floor(cell / nx) % ny) + 0.5) * size;
  const dz = z - origin[2] - (Math.floor(cell / (nx * ny)) + 0.5) * size;
  return Math.sqrt(dx * dx + dy * dy + dz * dz);
}

/** The nearest reached mesh cell next to an untraversed hollow cell; the lowest index among equals. */
function nearestAtUntraversed(grid: VoxelGrid, d: Float64Array): number {
  let best = -1;
  for (let cell = 0; cell < d.length; cell++) {
    if (grid.cells[cell] !== MESH || d[cell] === Infinity) continue;
    if (best >= 0 && d[cell] >= d[best]) continue;
    if (untraversedHollow(grid, d, cell).length > 0) best = cell;
  }
  return best;
}

function untraversedHollow(grid: VoxelGrid, d: Float64Array, cell: number): number[] {
  return faceNeighbors(grid, cell).filter((n) => grid.cells[n] === HOLLOW && d[n] === Infinity);
}
