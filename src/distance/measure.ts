import type { Mesh } from "../mesh/mesh.ts";
import { type Bones, boneCount, bonesOf } from "../skeleton/bones.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import { buildGrid, DEFAULT_RESOLUTION } from "../voxel/build-grid.ts";
import { fillOutside, type VoxelGrid } from "../voxel/voxel-grid.ts";
import { leafTails } from "../voxel/voxelize-bones.ts";
import { type BoneDistances, euclideanDistances, MEASURED_BONES } from "./bone-distances.ts";
import { createHollowScene, createVolumetricScene } from "./hollow.ts";
import { type SpawnWorker, searchInPool } from "./search-pool.ts";
import { type SearchControl, type SearchScene, searchAllBones } from "./search-scene.ts";

export type DistanceName = "hollow" | "euclid" | "volumetric";

export const DISTANCE_NAMES: readonly DistanceName[] = ["hollow", "euclid", "volumetric"];

/**
 * Options for {@link measureDistances}.
 *
 * @example
 * const options: MeasureOptions = { distance: "hollow", k: 4, resolution: 64 };
 * await measureDistances(character, options);
 */
export interface MeasureOptions extends SearchControl {
  /** Cells along the longest side of the grid, 16 to 512. */
  resolution?: number | undefined;
  /** Bones kept per vertex. */
  k?: number | undefined;
  distance?: DistanceName | undefined;
  /** `paper` follows Algorithm 1 exactly: no tails, and seeds stay in the wall. */
  variant?: "default" | "paper" | undefined;
  /** Overrides the variant: whether leaf bones extend until they leave the body. */
  tails?: boolean | undefined;
  /** Overrides the variant: whether a bone inside the wall may leave it. */
  leaveWall?: boolean | undefined;
  /** Worker threads; 1 stays in this thread. The result does not depend on it. */
  threads?: number | undefined;
  /** Starts a worker, for programs that bundle their own; detected by default. */
  spawn?: SpawnWorker | undefined;
}

/**
 * A character's voxel grid, bones and distances.
 *
 * @example
 * const measured: MeasuredCharacter = await measureDistances(character);
 * console.log(measured.grid.cells.length, measured.distances.k);
 */
export interface MeasuredCharacter {
  grid: VoxelGrid;
  /** One byte per cell, see `fillOutside`. */
  outside: Uint8Array;
  bones: Bones;
  distances: BoneDistances;
}

/** Voxelizes a character, adds tails to its leaf bones and measures its K nearest bones, in this thread. */
export function measureDistancesSync(
  character: { mesh: Mesh; skeleton: Skeleton },
  options: MeasureOptions = {},
): MeasuredCharacter {
  const cells = voxelizeCharacter(character, options);
  return { ...cells, distances: distancesIn(character.mesh, cells, options) };
}

/** Measures one distance in a voxelized character, in this thread. */
export function distancesIn(
  mesh: Mesh,
  cells: Omit<MeasuredCharacter, "distances">,
  options: MeasureOptions = {},
): BoneDistances {
  const scene = sceneOf(mesh, cells, options);
  return scene ? searchAllBones(scene, options) : euclideanDistances(mesh, cells.bones, options);
}

/** Voxelizes a character and adds tails to its leaf bones, unless disabled. */
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

/** Creates the scene to search; undefined for the Euclidean distance. */
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
 * Voxelizes a character, adds tails to its leaf bones and measures its K nearest bones.
 *
 * The same as {@link measureDistancesSync}, with the bones distributed over threads if it is worthwhile.
 *
 * @example
 * const { distances } = await measureDistances(character, { k: 3 });
 * console.log(distances.bones.slice(0, 3), distances.distances.slice(0, 3)); // of the first vertex
 */
export async function measureDistances(
  character: { mesh: Mesh; skeleton: Skeleton },
  options: MeasureOptions = {},
): Promise<MeasuredCharacter> {
  const cells = voxelizeCharacter(character, options);
  return { ...cells, distances: await measureDistancesIn(character.mesh, cells, options) };
}

/** The same as {@link distancesIn}, with the bones distributed over threads. */
async function measureDistancesIn(
  mesh: Mesh,
  cells: Omit<MeasuredCharacter, "distances">,
  options: MeasureOptions = {},
): Promise<BoneDistances> {
  const { threads = 1 } = options;
  const work = cells.grid.cells.length * boneCount(cells.bones);
  if (threads <= 1 || work < WORTH_THREADS) return distancesIn(mesh, cells, options);
  const scene = sceneOf(mesh, cells, options);
  if (!scene) return euclideanDistances(mesh, cells.bones, options);
  const spawn = options.spawn ?? (await findSpawn());
  return spawn ? searchInPool(scene, threads, spawn, options) : searchAllBones(scene, options);
}

/** Cells times bones below which one thread finishes before workers have started. */
const WORTH_THREADS = 2e8;

/** Detects how to start workers: Node's threads, web workers, or not at all. */
async function findSpawn(): Promise<SpawnWorker | undefined> {
  const node = typeof process !== "undefined" && process.versions?.node !== undefined;
  if (!node) return (await import("./spawn-web-worker.ts")).spawnWebWorker;
  // Built at run time, so that bundlers for the browser do not follow it to Node's modules.
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  const file = import.meta.url.replace(/[^/]*$/, `spawn-node-worker.${extension}`);
  try {
    return (await import(/* webpackIgnore: true */ /* @vite-ignore */ file)).spawnNodeWorker;
  } catch {
    // Bundled into one file: there is no worker file.
    return undefined;
  }
}

/** A voxelized character with the distances measured so far, by settings. */
interface MeasuredCells {
  cells: Omit<MeasuredCharacter, "distances">;
  distances: Map<string, BoneDistances>;
}

/** Measurements of one character, shared by methods that run on it one after another. */
export interface MeasureCache {
  character: { mesh: Mesh; skeleton: Skeleton } | undefined;
  /** By settings of the grid and the bones, most recently used last. */
  known: Map<string, MeasuredCells>;
}

/** Maximum grids kept: the finest have more than a hundred million cells. */
const KEPT_GRIDS = 3;

/** Creates an empty {@link MeasureCache}. */
export function createMeasureCache(): MeasureCache {
  return { character: undefined, known: new Map() };
}

/**
 * Same as {@link measureDistances}, with a cache. The result is the same, bit for bit.
 *
 * A cache holds one character, identified by its mesh and skeleton: another one empties it. Results are shared:
 * do not write to them.
 */
export async function measureOnce(
  character: { mesh: Mesh; skeleton: Skeleton },
  options: MeasureOptions,
  cache: MeasureCache | undefined,
): Promise<MeasuredCharacter> {
  if (!cache) return measureDistances(character, options);
  const { cells, distances } = recallCells(character, options, cache);
  const { k = MEASURED_BONES } = options;
  const { distance = "hollow", variant, leaveWall } = options;
  const key = distance === "hollow" ? `hollow/${leaveWall ?? variant !== "paper"}` : distance;
  let found = distances.get(key);
  if (!found || found.k < k) {
    const wide = { ...options, k: Math.max(k, MEASURED_BONES) };
    // Stored only when complete: an aborted measurement must not be reused.
    found = await measureDistancesIn(character.mesh, cells, wide);
    distances.set(key, found);
  }
  return { ...cells, distances: nearestOf(found, k) };
}

function recallCells(
  character: { mesh: Mesh; skeleton: Skeleton },
  options: MeasureOptions,
  cache: MeasureCache,
): MeasuredCells {
  const { mesh, skeleton } = character;
  if (cache.character?.mesh !== mesh || cache.character.skeleton !== skeleton) {
    cache.character = { mesh, skeleton };
    cache.known.clear();
  }
  const tails = options.tails ?? options.variant !== "paper";
  const key = `${options.resolution ?? DEFAULT_RESOLUTION}/${tails}`;
  const found = cache.known.get(key) ?? {
    cells: voxelizeCharacter(character, options),
    distances: new Map<string, BoneDistances>(),
  };
  cache.known.delete(key);
  cache.known.set(key, found);
  for (const oldest of cache.known.keys()) {
    if (cache.known.size <= KEPT_GRIDS) break;
    cache.known.delete(oldest);
  }
  return found;
}

/** The k nearest of more: they come first, and their order does not depend on the number kept. */
function nearestOf(wide: BoneDistances, k: number): BoneDistances {
  if (wide.k === k) return wide;
  const first = <T extends Int32Array | Float32Array>(table: T): T =>
    table.filter((_, slot) => slot % wide.k < k) as T;
  return { k, bones: first(wide.bones), distances: first(wide.distances) };
}
