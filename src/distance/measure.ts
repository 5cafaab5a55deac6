import type { Mesh } from "../mesh/mesh.ts";
import { type Bones, bonesOf } from "../skeleton/bones.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import { buildGrid } from "../voxel/build-grid.ts";
import { fillOutside } from "../voxel/fill-outside.ts";
import { leafTails } from "../voxel/leaf-tails.ts";
import type { VoxelGrid } from "../voxel/voxel-grid.ts";
import type { BoneDistances } from "./bone-distances.ts";
import { euclideanDistances } from "./euclidean.ts";
import { createHollowScene } from "./hollow.ts";
import { type SearchControl, type SearchScene, searchAllBones } from "./search-scene.ts";
import { createVolumetricScene } from "./volumetric.ts";

export type DistanceName = "hollow" | "euclid" | "volumetric";

export const DISTANCE_NAMES: readonly DistanceName[] = ["hollow", "euclid", "volumetric"];

/** Options for {@link measureDistances}. */
export interface MeasureOptions extends SearchControl {
  /** Cells along the longest side of the grid, 16 to 512. */
  resolution?: number | undefined;
  /** Bones kept per vertex. */
  k?: number | undefined;
  distance?: DistanceName | undefined;
  /** `paper` takes Algorithm 1 to the letter: no tails, and seeds stay in the wall. */
  variant?: "default" | "paper" | undefined;
  /** Overrides the variant: whether leaf bones extend until they leave the body. */
  tails?: boolean | undefined;
  /** Overrides the variant: whether seeds in mesh cells may step into hollow cells. */
  leaveWall?: boolean | undefined;
  /** Worker threads; 1 stays in this thread. The result is the same whatever the number. */
  threads?: number | undefined;
}

/** A character seen from its bones. */
export interface MeasuredCharacter {
  grid: VoxelGrid;
  /** One byte a cell, see `fillOutside`. */
  outside: Uint8Array;
  bones: Bones;
  distances: BoneDistances;
}

/** Voxelises a character, gives its leaf bones tails and measures its K nearest bones, in this thread. */
export function measureDistancesSync(
  character: { mesh: Mesh; skeleton: Skeleton },
  options: MeasureOptions = {},
): MeasuredCharacter {
  const cells = voxelizeCharacter(character, options);
  const scene = sceneOf(character.mesh, cells, options);
  const distances = scene
    ? searchAllBones(scene, options)
    : euclideanDistances(character.mesh, cells.bones, options);
  return { ...cells, distances };
}

/** Voxelises a character and gives its leaf bones tails, unless told not to. */
export function voxelizeCharacter(
  character: { mesh: Mesh; skeleton: Skeleton },
  options: MeasureOptions = {},
): Omit<MeasuredCharacter, "distances"> {
  const { mesh, skeleton } = character;
  const grid = buildGrid(mesh, skeleton, options);
  const outside = fillOutside(grid);
  const tails = options.tails ?? options.variant !== "paper";
  const bones = bonesOf(skeleton, tails ? leafTails(skeleton, grid, outside) : undefined);
  return { grid, outside, bones };
}

/** What there is to search; nothing for the Euclidean distance. */
export function sceneOf(
  mesh: Mesh,
  { grid, outside, bones }: Omit<MeasuredCharacter, "distances">,
  options: MeasureOptions,
): SearchScene | undefined {
  switch (options.distance ?? "hollow") {
    case "hollow":
      return createHollowScene(mesh, bones, grid, options);
    case "volumetric":
      return createVolumetricScene(mesh, bones, grid, outside, options);
    case "euclid":
      return undefined;
  }
}

/**
 * Voxelises a character, gives its leaf bones tails and measures its K nearest bones.
 *
 * The same as {@link measureDistancesSync}, with the bones shared out among threads where there are
 * any.
 */
export async function measureDistances(
  character: { mesh: Mesh; skeleton: Skeleton },
  options: MeasureOptions = {},
): Promise<MeasuredCharacter> {
  return measureDistancesSync(character, options);
}
