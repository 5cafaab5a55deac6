import type { Mesh } from "../mesh/mesh.ts";
import type { Bones } from "../skeleton/bones.ts";
import { faceNeighbors, MESH, type VoxelGrid } from "../voxel/voxel-grid.ts";
import { createHollowSearch, MAX_LEVEL, searchHollow } from "./hollow-search.ts";
import {
  CLOSED,
  createHollowSpace,
  type HollowSpace,
  paddedCell,
  paddedGrid,
  UNREACHED_HOLLOW,
} from "./hollow-space.ts";
import {
  createScene,
  type SearchControl,
  type SearchScene,
  searchAllBones,
} from "./search-scene.ts";

/** Options for {@link createHollowScene}. */
interface HollowOptions extends SearchControl {
  k?: number | undefined;
  /** `paper`: Algorithm 1 exactly. `default`: a bone whose cells are all mesh cells may leave the wall. */
  variant?: "default" | "paper" | undefined;
  /** Overrides the variant: whether a bone inside the wall may leave it. */
  leaveWall?: boolean | undefined;
}

/**
 * Prepares the search for HollowDist from every vertex to its K nearest bones: the length of the shortest path
 * of cells from the bone through hollow cells, inside or outside the body, that does not pierce the surface.
 *
 * Every bone reaches every vertex. The distance of a vertex is that of the previous cell on the path plus the
 * distance from its center (equation 1); of several previous cells the one nearest to the vertex counts, so
 * the result does not depend on the order of the search. A vertex in a cell that the bone passes through takes
 * its Euclidean distance to the bone.
 *
 * Based on: X. Pan et al. HeterSkinNet: A Heterogeneous Network for Skin Weights Prediction. 2021
 * (section 3.1, Algorithm 1).
 *
 * @param mesh in the space of `grid`, which was built from it
 */
export function createHollowScene(
  mesh: Mesh,
  bones: Bones,
  grid: VoxelGrid,
  options: HollowOptions = {},
): SearchScene {
  const { k, variant, leaveWall = variant !== "paper" } = options;
  return createScene(createHollowSpace(grid), mesh, bones, grid, { k, leaveWall });
}

/**
 * Prepares the search for the shortest paths of cells inside the body (wall and interior) from every vertex to
 * its K nearest bones.
 *
 * A bone that neither enters nor touches the body reaches nothing, and no bone reaches a loose part it is not
 * in: such entries are missing (-1, Infinity). This is the limitation that HollowDist removes.
 *
 * Based on: O. Dionne, M. de Lasa. Geodesic Voxel Binding for Production Character Meshes. 2013.
 *
 * @param outside one byte per cell, see `fillOutside`
 */
export function createVolumetricScene(
  mesh: Mesh,
  bones: Bones,
  grid: VoxelGrid,
  outside: Uint8Array,
  options: { k?: number | undefined } = {},
): SearchScene {
  return createScene(bodySpace(grid, outside), mesh, bones, grid, {
    k: options.k,
    leaveWall: true,
  });
}

/** A space of one kind of cell: the body is free, the outside is closed. */
function bodySpace(grid: VoxelGrid, outside: Uint8Array): HollowSpace {
  return {
    ...paddedGrid(grid, outside, [UNREACHED_HOLLOW, CLOSED]),
    // Every search has one phase here, so parts are never used.
    parts: new Int32Array(0),
    meshParts: 0,
    partCount: 0,
    touched: { starts: new Int32Array(1), items: new Int32Array(0) },
  };
}

/** HollowDist of one bone everywhere, for display. */
export interface BoneField {
  /** Steps from the bone per cell, -1 if unreached. */
  levels: Int32Array;
  /** V, distance of each vertex in units of the mesh. */
  distances: Float32Array;
}

/** Measures HollowDist from one bone to every mesh cell and every vertex. */
export function boneField(
  mesh: Mesh,
  bones: Bones,
  bone: number,
  grid: VoxelGrid,
  options: HollowOptions = {},
): BoneField {
  const scene = createHollowScene(mesh, onlyBone(bones, bone), grid, { ...options, k: 1 });
  const search = createHollowSearch(scene.space);
  const wanted = [...grid.cells.keys()].filter((cell) => grid.cells[cell] === MESH);
  searchHollow(search, {
    seeds: scene.seeds.cells,
    firstLevel: scene.seeds.levels[0],
    leaveWall: scene.leaveWall,
    wantedCells: Int32Array.from(wanted, (cell) => paddedCell(grid, cell)),
    lastLevels: new Uint16Array(wanted.length).fill(MAX_LEVEL),
  });
  const levels = Int32Array.from(grid.cells, (_, cell) => {
    const level = search.levels[paddedCell(grid, cell)];
    return level < CLOSED ? level : -1;
  });
  return { levels, distances: searchAllBones(scene).distances };
}

/** Returns a shortest path from a cell back to the bone, through hollow cells where possible. */
export function pathToBone(grid: VoxelGrid, { levels }: BoneField, from: number): number[] {
  const path = [from];
  for (let cell = from; levels[cell] > 0; ) {
    const lower = faceNeighbors(grid, cell).filter((n) => levels[n] === levels[cell] - 1);
    if (lower.length === 0) break;
    cell = lower.find((n) => grid.cells[n] !== MESH) ?? lower[0];
    path.push(cell);
  }
  return path;
}

function onlyBone(bones: Bones, bone: number): Bones {
  const [from, to] = [bones.starts[bone], bones.starts[bone + 1]];
  return {
    segments: bones.segments.slice(from * 6, to * 6),
    starts: Int32Array.of(0, to - from),
    heads: bones.heads.slice(bone * 3, bone * 3 + 3),
    ends: bones.ends.slice(bone * 3, bone * 3 + 3),
  };
}
