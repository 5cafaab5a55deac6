import type { Mesh } from "../mesh/mesh.ts";
import type { Bones } from "../skeleton/bones.ts";
import { faceNeighbors, MESH, type VoxelGrid } from "../voxel/voxel-grid.ts";
import { createHollowScene, type HollowOptions } from "./hollow.ts";
import { createHollowSearch, MAX_LEVEL, searchHollow } from "./hollow-search.ts";
import { CLOSED, paddedCell } from "./hollow-space.ts";
import { searchAllBones } from "./search-scene.ts";

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
