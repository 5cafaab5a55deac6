import type { PreparedCharacter } from "../character/character.ts";
import { type BoneDistances, euclideanDistances } from "../distance/bone-distances.ts";
import type { DistanceName } from "../distance/measure.ts";
import { takeRows } from "../math/arrays.ts";
import { power } from "../math/power.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { type Bones, bonesOf } from "../skeleton/bones.ts";
import { type SkinWeights, weightsFromSlots } from "../weights/skin-weights.ts";
import { measureFor, type SolvedWeights, type SolveOptions, type Solver } from "./solver.ts";

export interface FalloffSettings {
  /** 0 sharp to 1 soft: fraction of the distance that is squared. */
  falloff: number;
  /** Nearest bones per vertex. */
  influences: number;
  /** Default cells along the longest side. */
  resolution?: number;
}

/** The paper's settings for geodesic voxel binding. */
const PAPER: FalloffSettings = { falloff: 0.5, influences: 3 };

/** Maya's settings. */
const MAYA: FalloffSettings = { falloff: 0.2, influences: 5, resolution: 256 };

/** Keeps the weight of a vertex that lies on a bone finite; in longest sides of the mesh. */
const MIN_DISTANCE = 1e-4;

/** Creates a method whose weights fall off with a distance to the nearest bones. */
export function falloffSolver(distance: DistanceName, settings: FalloffSettings): Solver {
  return async (prepared, options) => {
    const { character } = prepared;
    const k = Math.min(settings.influences, character.skeleton.parents.length);
    const resolution = options.resolution ?? settings.resolution;
    const measured = await measureFor(prepared, options, { distance, k, resolution });
    const reached = fillUnreached(character.mesh, measured.bones, measured.distances);
    return { weights: falloffWeights(reached, settings.falloff), measured };
  };
}

/** Falloff with HollowDist: through the hollow, never through the wall. */
export const hollowFalloff: Solver = falloffSolver("hollow", PAPER);

/** Falloff with the Euclidean distance. */
export const euclideanFalloff: Solver = falloffSolver("euclid", PAPER);

/** Falloff with the distance inside the body. */
export const volumetricFalloff: Solver = falloffSolver("volumetric", PAPER);

/**
 * Geodesic voxel binding: falloff with the shortest path inside the body. A vertex that no path
 * reaches uses the Euclidean distance.
 *
 * Based on: O. Dionne, M. de Lasa. Geodesic Voxel Binding for Production Character Meshes. 2013.
 */
export const geodesicVoxel: Solver = falloffSolver("volumetric", { ...PAPER, resolution: 128 });

/** Geodesic voxel binding with Maya's settings. */
export const geodesicVoxelMaya: Solver = falloffSolver("volumetric", MAYA);

/**
 * Returns the weights w = (1 / ((1 - a) d + a d²))², normalized, d in longest sides of the mesh.
 *
 * Based on: O. Dionne, M. de Lasa. Geodesic Voxel Binding for Production Character Meshes. 2013.
 *
 * @param falloff a, from 0 to 1
 */
export function falloffWeights(distances: BoneDistances, falloff: number): SkinWeights {
  const values = Float64Array.from(distances.distances, (distance) => {
    const d = Math.max(distance, MIN_DISTANCE);
    return 1 / ((1 - falloff) * d + falloff * d * d) ** 2;
  });
  return weightsFromSlots(distances.bones, values, distances.k);
}

/** Uses the Euclidean distance for vertices that no bone reaches (loose parts, open bodies). */
function fillUnreached(mesh: Mesh, bones: Bones, distances: BoneDistances): BoneDistances {
  const { k } = distances;
  const unreached: number[] = [];
  for (let v = 0; v * k < distances.bones.length; v++)
    if (distances.bones[v * k] < 0) unreached.push(v);
  if (unreached.length === 0) return distances;
  const positions = takeRows(mesh.positions, Int32Array.from(unreached), 3);
  const straight = euclideanDistances({ positions, triangles: new Uint32Array(0) }, bones, { k });
  const filled = { k, bones: distances.bones.slice(), distances: distances.distances.slice() };
  unreached.forEach((v, i) => {
    filled.bones.set(straight.bones.subarray(i * k, i * k + k), v * k);
    filled.distances.set(straight.distances.subarray(i * k, i * k + k), v * k);
  });
  return filled;
}

/** Bones per vertex. */
const NEAREST = 8;

/** Power of the falloff; four keeps a limb from dragging its neighbor. */
const FALLOFF = 4;

/**
 * Falloff with the Euclidean distance, through walls: the simplest method, without grid or model.
 */
export function inverseDistance(
  { character }: PreparedCharacter,
  { onProgress, signal }: SolveOptions = {},
): SolvedWeights {
  signal?.throwIfAborted();
  onProgress?.("inverse distance", 0);
  const { mesh, skeleton } = character;
  const k = Math.min(NEAREST, skeleton.parents.length);
  const { bones, distances } = euclideanDistances(mesh, bonesOf(skeleton), { k });
  const values = Float64Array.from(distances, (distance) =>
    power(Math.max(distance, MIN_DISTANCE), -FALLOFF),
  );
  return { weights: weightsFromSlots(bones, values, k) };
}
