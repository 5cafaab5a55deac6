import type { Mesh } from "../mesh/mesh.ts";
import { type Bones, boneCount, bonesOf } from "../skeleton/bones.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import { buildGrid, DEFAULT_RESOLUTION } from "../voxel/build-grid.ts";
import { leafTails } from "../voxel/leaf-tails.ts";
import { fillOutside, type VoxelGrid } from "../voxel/voxel-grid.ts";
import { type BoneDistances, MEASURED_BONES } from "./bone-distances.ts";
import { euclideanDistances } from "./euclidean.ts";
import { createHollowScene } from "./hollow.ts";
import { searchInPool } from "./search-pool.ts";
import { type SearchControl, type SearchScene, searchAllBones } from "./search-scene.ts";
import type { SpawnWorker } from "./search-server.ts";
import { createVolumetricScene } from "./volumetric.ts";

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
  /** `paper` takes Algorithm 1 to the letter: no tails, and seeds stay in the wall. */
  variant?: "default" | "paper" | undefined;
  /** Overrides the variant: whether leaf bones extend until they leave the body. */
  tails?: boolean | undefined;
  /** Overrides the variant: whether a bone inside the wall may step out of it. */
  leaveWall?: boolean | undefined;
  /** Worker threads; 1 stays in this thread. The result is the same whatever the number. */
  threads?: number | undefined;
  /** How to start a worker, for programs that bundle their own; found out unless told. */
  spawn?: SpawnWorker | undefined;
}

/**
 * A character seen from its bones.
 *
 * @example
 * const measured: MeasuredCharacter = await measureDistances(character);
 * console.log(measured.grid.cells.length, measured.distances.k);
 */
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
  return { ...cells, distances: distancesIn(character.mesh, cells, options) };
}

/** Measures one distance in a character that is voxelised already, in this thread. */
export function distancesIn(
  mesh: Mesh,
  cells: Omit<MeasuredCharacter, "distances">,
  options: MeasureOptions = {},
): BoneDistances {
  const scene = sceneOf(mesh, cells, options);
  return scene ? searchAllBones(scene, options) : euclideanDistances(mesh, cells.bones, options);
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
 * any and the work is worth it.
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

/** The same as {@link distancesIn}, with the bones shared out among threads as {@link measureDistances} does. */
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

/** Cells times bones below which one thread is done before workers have started (0.1 to 0.3 s). */
const WORTH_THREADS = 2e8;

/** How workers are started here: Node's threads, web workers, or not at all. */
async function findSpawn(): Promise<SpawnWorker | undefined> {
  const node = typeof process !== "undefined" && process.versions?.node !== undefined;
  if (!node) return (await import("./spawn-web-worker.ts")).spawnWebWorker;
  // Composed, so that bundlers for the browser do not follow it to Node's modules.
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  const file = import.meta.url.replace(/[^/]*$/, `spawn-node-worker.${extension}`);
  try {
    return (await import(/* webpackIgnore: true */ /* @vite-ignore */ file)).spawnNodeWorker;
  } catch {
    // Bundled into one file: the worker is not there, one thread does.
    return undefined;
  }
}

/** A voxelised character with the distances measured in it so far, by their settings. */
interface MeasuredCells {
  cells: Omit<MeasuredCharacter, "distances">;
  distances: Map<string, BoneDistances>;
}

/** What is known about one character already, for methods that follow one another on it. */
export interface MeasureCache {
  /** Whom it is about; nobody at first. */
  character: { mesh: Mesh; skeleton: Skeleton } | undefined;
  /** By settings of the grid and the bones, the latest used last. */
  known: Map<string, MeasuredCells>;
}

/** Grids kept: the finest have more than a hundred million cells. */
const KEPT_GRIDS = 3;

/** An empty {@link MeasureCache}. */
export function createMeasureCache(): MeasureCache {
  return { character: undefined, known: new Map() };
}

/**
 * {@link measureDistances} that takes from a cache what it holds, and leaves there what it measured.
 *
 * The result is the same, bit for bit, with and without a cache. A cache holds one character, told
 * by its mesh and skeleton: another one empties it. What it gives out is shared: do not write to it.
 */
export async function measureOnce(
  character: { mesh: Mesh; skeleton: Skeleton },
  options: MeasureOptions,
  cache: MeasureCache | undefined,
): Promise<MeasuredCharacter> {
  if (!cache) return measureDistances(character, options);
  const { cells, distances } = recallCells(character, options, cache);
  const { k = MEASURED_BONES } = options;
  const key = distanceKey(options);
  let found = distances.get(key);
  if (!found || found.k < k) {
    const wide = { ...options, k: Math.max(k, MEASURED_BONES) };
    // Kept once it is whole: one that was aborted must not be met by the next.
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

/** Only HollowDist asks how a bone leaves the wall. */
function distanceKey({ distance = "hollow", variant, leaveWall }: MeasureOptions): string {
  return distance === "hollow" ? `hollow/${leaveWall ?? variant !== "paper"}` : distance;
}

/** The k nearest of more: they come first, and how many are kept does not change their order. */
function nearestOf(wide: BoneDistances, k: number): BoneDistances {
  if (wide.k === k) return wide;
  const first = <T extends Int32Array | Float32Array>(table: T): T =>
    table.filter((_, slot) => slot % wide.k < k) as T;
  return { k, bones: first(wide.bones), distances: first(wide.distances) };
}
