import { InputError } from "../input-error.ts";
import { type Aabb, boundsOf, chebyshevDistance, includePoint, longestSide } from "../math/aabb.ts";
import { distanceOf } from "../math/vec3.ts";
import { type Mesh, vertexCount } from "../mesh/mesh.ts";
import { jointCount, type Skeleton } from "../skeleton/skeleton.ts";
import type { VoxelGrid } from "./voxel-grid.ts";
import { voxelizeSurface } from "./voxelize-surface.ts";

/** Cells along the longest side of the bounding box of mesh and joints; the default is the paper's. */
export const DEFAULT_RESOLUTION = 88;
export const MIN_RESOLUTION = 16;
export const MAX_RESOLUTION = 512;

/** Free cells on every side, so that the outside is one connected region. */
const MARGIN = 1;

/**
 * Joints farther from the mesh's bounding box than this many of its longest sides do not enlarge the grid: a
 * control joint kilometers away would shrink the mesh into one cell. With 1 the mesh keeps at least a third of
 * the cells; bones beyond seed the grid at its nearest cell, at their distance (see `boneCells`).
 */
const JOINT_REACH = 1;

/** Keeps the outermost vertices off the faces of the outermost cells. */
const SLACK = 1e-5;

/**
 * Builds the voxel grid of a character: mesh cells are all cells that a triangle (or a loose vertex) touches.
 *
 * Guarantees a free margin of one cell and, for every vertex, that its cell is a mesh cell.
 */
export function buildGrid(
  mesh: Mesh,
  skeleton: Skeleton,
  { resolution = DEFAULT_RESOLUTION }: { resolution?: number | undefined } = {},
): VoxelGrid {
  if (!(resolution >= MIN_RESOLUTION && resolution <= MAX_RESOLUTION)) {
    const range = `from ${MIN_RESOLUTION} to ${MAX_RESOLUTION} cells`;
    throw new InputError(`The resolution must be ${range}, got ${resolution}.`);
  }
  const grid = emptyGrid(characterBox(mesh, skeleton), Math.round(resolution));
  voxelizeSurface(mesh, grid);
  return grid;
}

function characterBox(mesh: Mesh, skeleton: Skeleton): Aabb {
  if (vertexCount(mesh) === 0) throw new InputError("The mesh has no vertices.");
  // Comparisons ignore NaN, so the box alone would not reveal it.
  if (!mesh.positions.every(Number.isFinite)) {
    throw new InputError("A vertex position is not a finite number; repair the mesh first.");
  }
  const meshBox = boundsOf(mesh.positions);
  const box = boundsOf(mesh.positions);
  const reach = JOINT_REACH * longestSide(meshBox);
  for (let joint = 0; joint < jointCount(skeleton); joint++) {
    const [x, y, z] = skeleton.positions.subarray(joint * 3, joint * 3 + 3);
    if (chebyshevDistance(meshBox, x, y, z) <= reach) includePoint(box, x, y, z);
  }
  return box;
}

function emptyGrid(box: Aabb, resolution: number): VoxelGrid {
  // A mesh that is a single point still gets a cell of some size.
  const longest = longestSide(box) || 1;
  const size = (longest * (1 + SLACK)) / resolution;
  const counts = [0, 1, 2].map(
    (axis) => Math.max(1, Math.ceil((box.max[axis] - box.min[axis]) / size + SLACK)) + 2 * MARGIN,
  );
  const origin = counts.map(
    (count, axis) => (box.min[axis] + box.max[axis]) / 2 - (count * size) / 2,
  ) as [number, number, number];
  const [nx, ny, nz] = counts;
  return { nx, ny, nz, origin, size, cells: new Uint8Array(nx * ny * nz) };
}

/** Cells that three of four bones should span, so that neighboring finger bones are distinguished. */
const CELLS_PER_BONE = 1.5;

/** Largest automatic resolution relative to the default; the number of cells grows with its cube. */
const FINEST = 2;

/** Bones shorter than this, in longest sides of the mesh, are coincident helpers, not detail. */
const SPOT = 2e-3;

/**
 * Returns the resolution that the detail of a skeleton requires: the default, or more if a quarter of the
 * bones would be shorter than a cell and a half.
 *
 * Finer grids are not better for other characters.
 *
 * @param usual the method's resolution for other characters
 */
export function detailResolution(mesh: Mesh, skeleton: Skeleton, usual: number): number {
  const { parents, positions } = skeleton;
  const side = longestSide(boundsOf(mesh.positions)) || 1;
  const lengths: number[] = [];
  for (let joint = 0; joint < jointCount(skeleton); joint++) {
    if (parents[joint] < 0) continue;
    const length = distanceOf(positions, joint, parents[joint]);
    if (length > SPOT * side) lengths.push(length / side);
  }
  if (lengths.length === 0) return usual;
  const quarter = lengths.sort((x, y) => x - y)[Math.floor(lengths.length / 4)];
  const wanted = Math.ceil(CELLS_PER_BONE / quarter);
  return Math.max(usual, Math.min(wanted, usual * FINEST, MAX_RESOLUTION));
}
