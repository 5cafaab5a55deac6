import type { Mesh } from "../mesh/mesh.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import { DEFAULT_RESOLUTION } from "../voxel/build-grid.ts";
import type { BoneDistances } from "./bone-distances.ts";
import {
  type MeasuredCharacter,
  type MeasureOptions,
  measureDistances,
  measureDistancesIn,
  voxelizeCharacter,
} from "./measure.ts";
import { MEASURED_BONES } from "./nearest-k.ts";

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
