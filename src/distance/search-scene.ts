import { type Mesh, vertexCount } from "../mesh/mesh.ts";
import { type Bones, boneCount, boneDistance } from "../skeleton/bones.ts";
import { cellAt, type VoxelGrid } from "../voxel/voxel-grid.ts";
import { type BoneCells, voxelizeBones } from "../voxel/voxelize-bones.ts";
import {
  type BoneDistances,
  emptyNearest,
  insertNearest,
  MEASURED_BONES,
} from "./bone-distances.ts";
import {
  createHollowSearch,
  type HollowSearch,
  MAX_LEVEL,
  resetSearch,
  searchHollow,
} from "./hollow-search.ts";
import { CLOSED, type HollowSpace, paddedCell } from "./hollow-space.ts";

/** Data of a character shared by all bones, built once; threads may share it read-only. */
export interface SearchScene {
  space: HollowSpace;
  vertexCells: VertexCells;
  seeds: BoneCells;
  bones: Bones;
  /** V×3. */
  positions: Float32Array;
  /** Side length of a cell. */
  size: number;
  k: number;
  leaveWall: boolean;
}

/**
 * Distances from which further bones are of no use. They only decrease; threads may share them, because a lost
 * update only costs time.
 */
export interface SearchLimits {
  /** V, the K-th distance so far. */
  vertices: Float32Array;
  /** U, the largest of the vertices in each cell of `vertexCells`. */
  cells: Float32Array;
}

/** Progress and cancellation of a run over the bones. */
export interface SearchControl {
  /** Called with the fraction of bones done. */
  onProgress?: ((fraction: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** Rounding slack where a bound is compared with a distance stored in 32 bits. */
const SURE = 1 - 1e-6;

/**
 * Creates the scene of a space.
 *
 * @param mesh in the space of `grid`, which was built from it
 */
export function createScene(
  space: HollowSpace,
  mesh: Mesh,
  bones: Bones,
  grid: VoxelGrid,
  { k = MEASURED_BONES, leaveWall }: { k?: number | undefined; leaveWall: boolean },
): SearchScene {
  const seeds = voxelizeBones(bones, grid);
  return {
    space,
    vertexCells: findVertexCells(mesh, grid),
    seeds: { ...seeds, cells: seeds.cells.map((cell) => paddedCell(grid, cell)) },
    bones,
    positions: mesh.positions,
    size: grid.size,
    k,
    leaveWall,
  };
}

/** Searches from every bone, in this thread. */
export function searchAllBones(scene: SearchScene, control: SearchControl = {}): BoneDistances {
  const search = createHollowSearch(scene.space);
  const nearest = emptyNearest(scene.positions.length / 3, scene.k);
  const limits = openLimits(scene);
  const count = boneCount(scene.bones);
  for (let b = 0; b < count; b++) {
    control.signal?.throwIfAborted();
    addBone(scene, search, b, nearest, limits);
    control.onProgress?.((b + 1) / count);
  }
  return nearest;
}

/** Returns the limits before the first bone: every bone is of use. */
export function openLimits({ positions, vertexCells }: SearchScene): SearchLimits {
  return {
    vertices: new Float32Array(positions.length / 3).fill(Infinity),
    cells: new Float32Array(vertexCells.cells.length).fill(Infinity),
  };
}

/**
 * Searches from bone b and enters its distances into `nearest`, in place.
 *
 * The cost depends on the cells that the search visits and the vertices near the bone.
 *
 * @param limits lowered in place to the K-th distances in `nearest`
 */
export function addBone(
  scene: SearchScene,
  search: HollowSearch,
  b: number,
  nearest: BoneDistances,
  limits: SearchLimits,
): void {
  const { seeds, vertexCells } = scene;
  searchHollow(search, {
    seeds: seeds.cells.subarray(seeds.starts[b], seeds.starts[b + 1]),
    firstLevel: seeds.levels[b],
    leaveWall: scene.leaveWall,
    wantedCells: vertexCells.cells,
    lastLevels: usefulLevels(limits.cells, scene.size),
  });
  collect(scene, search, b, nearest, limits);
  resetSearch(search);
}

/**
 * Returns the last level per cell at which a bone can be among the K nearest of some vertex: a vertex in a
 * cell of level l is at least l - 0.5 cells away (equation 1).
 */
function usefulLevels(cellLimits: Float32Array, size: number): Uint16Array {
  const last = new Uint16Array(cellLimits.length);
  for (let u = 0; u < last.length; u++) {
    last[u] = Math.min(MAX_LEVEL, Math.ceil(cellLimits[u] / size + 0.5) + 1);
  }
  return last;
}

/** Reads the levels of the vertices' cells and applies equation 1. */
function collect(
  scene: SearchScene,
  search: HollowSearch,
  b: number,
  nearest: BoneDistances,
  limits: SearchLimits,
): void {
  const { vertexCells, size } = scene;
  const { cells, starts, vertices, toNeighbors } = vertexCells;
  const { levels, steps, firstLevel } = search;
  const { k, distances } = nearest;
  const closed = CLOSED;
  const sure = SURE;
  for (let u = 0; u < cells.length; u++) {
    const level = levels[cells[u]];
    if (level >= closed) continue;
    const min = (level - 0.5) * size * sure;
    if (min > limits.cells[u]) continue;
    const previous = previousCells(levels, steps, cells[u], level - 1);
    let farthest = 0;
    for (let i = starts[u]; i < starts[u + 1]; i++) {
      const v = vertices[i];
      let limit = limits.vertices[v];
      if (min <= limit) {
        const distance = Math.fround(
          level === firstLevel
            ? boneDistance(scene.bones, b, scene.positions, v)
            : (level - 1) * size + shortest(toNeighbors, i * 6, previous, size),
        );
        if (distance <= limit) {
          insertNearest(nearest, v, b, distance);
          const kth = distances[v * k + k - 1];
          if (kth < limit) limit = limits.vertices[v] = kth;
        }
      }
      if (limit > farthest) farthest = limit;
    }
    limits.cells[u] = farthest;
  }
}

/** Bit mask of the six neighbors with a level, in the order of the steps. */
function previousCells(levels: Uint16Array, steps: Int32Array, cell: number, level: number) {
  let bits = 0;
  for (let s = 0; s < 6; s++) if (levels[cell + steps[s]] === level) bits |= 1 << s;
  return bits;
}

/** The shortest of the six distances whose bits are set; one cell if none is (clamped level). */
function shortest(ways: Float64Array, first: number, bits: number, size: number): number {
  let best = Infinity;
  for (let s = 0; s < 6; s++) {
    if ((bits >> s) & 1 && ways[first + s] < best) best = ways[first + s];
  }
  return best < Infinity ? best : size;
}

/** The cells that hold vertices: the only ones read from a search. */
export interface VertexCells {
  /** U, padded cells that hold at least one vertex, ascending. */
  cells: Int32Array;
  /** U+1; the vertices of cell u are vertices[starts[u] .. starts[u + 1] - 1]. */
  starts: Int32Array;
  /** V, grouped by cell. */
  vertices: Int32Array;
  /** V×6 in the order of `vertices`, distances to the centers of the cell's neighbors (`neighborSteps`). */
  toNeighbors: Float64Array;
}

/** Finds the cells that hold vertices and measures from each vertex to the neighbors of its cell. */
function findVertexCells(mesh: Mesh, grid: VoxelGrid): VertexCells {
  const { positions } = mesh;
  const count = vertexCount(mesh);
  // Sort keys made of cell and vertex: by cell, then by vertex.
  const keys = new Float64Array(count);
  for (let v = 0; v < count; v++) {
    const cell = cellAt(grid, positions[v * 3], positions[v * 3 + 1], positions[v * 3 + 2]);
    keys[v] = cell * count + v;
  }
  keys.sort();
  const cells: number[] = [];
  const starts: number[] = [];
  const vertices = new Int32Array(count);
  const toNeighbors = new Float64Array(count * 6);
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
    measureNeighbors(grid, cell, positions, v, toNeighbors, i * 6);
  }
  starts.push(count);
  return { cells: Int32Array.from(cells), starts: Int32Array.from(starts), vertices, toNeighbors };
}

function measureNeighbors(
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
