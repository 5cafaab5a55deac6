import type { PreparedCharacter } from "../character/character.ts";
import type { BoneDistances } from "../distance/bone-distances.ts";
import { euclideanDistances } from "../distance/euclidean.ts";
import type { DistanceName } from "../distance/measure.ts";
import { takeRows } from "../math/arrays.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { type Bones, bonesOf } from "../skeleton/bones.ts";
import { type SkinWeights, weightsFromSlots } from "../weights/skin-weights.ts";
import { measureFor, type SolvedWeights, type SolveOptions, type Solver } from "./solver.ts";

/** Settings of a falloff method. */
export interface FalloffSettings {
  /** 0 sharp, 1 soft: the contribution of the squared distance. */
  falloff: number;
  influences: number;
  resolution?: number;
}

/** The paper's settings of geodesic voxel binding. */
const PAPER: FalloffSettings = { falloff: 0.5, influences: 3 };

const MAYA: FalloffSettings = { falloff: 0.2, influences: 5, resolution: 256 };

/** Lower limit of distances, in longest sides of the mesh, to keep weights finite. */
const MIN_DISTANCE = 1e-4;

/** Creates a method whose weights fall with the distance to the nearest bones. */
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

/** Weights that fall with HollowDist: through the hollow, never through the wall. */
export const hollowFalloff: Solver = falloffSolver("hollow", PAPER);

/** Weights that fall with the Euclidean distance. */
export const euclideanFalloff: Solver = falloffSolver("euclid", PAPER);

/** Weights that fall with the distance inside the body. */
export const volumetricFalloff: Solver = falloffSolver("volumetric", PAPER);

/**
 * Geodesic voxel binding: weights fall with the length of the shortest path inside the body.
 *
 * A vertex that no bone reaches inside the body takes the bones nearest by Euclidean distance, so that every
 * vertex gets weights.
 *
 * Based on: O. Dionne, M. de Lasa. Geodesic Voxel Binding for Production Character Meshes. 2013.
 */
export const geodesicVoxel: Solver = falloffSolver("volumetric", { ...PAPER, resolution: 128 });

/** The same with Maya's settings. */
export const geodesicVoxelMaya: Solver = falloffSolver("volumetric", MAYA);

/**
 * Converts distances to weights: w = (1 / ((1 - a) d + a d²))², normalized, d in longest sides of the mesh.
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

/** Assigns vertices that no bone reaches (loose parts, open bodies) the nearest by Euclidean distance. */
function fillUnreached(mesh: Mesh, bones: Bones, distances: BoneDistances): BoneDistances {
  const { k } = distances;
  const unreached: number[] = [];
  for (let v = 0; v * k < distances.bones.length; v++) {
    if (distances.bones[v * k] < 0) unreached.push(v);
  }
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

const NEAREST = 8;
/** Exponent of the distance; four keeps a limb from moving its neighbor. */
const FALLOFF = 4;
/**
 * Weights that fall with the Euclidean distance to the nearest bones, ignoring walls.
 *
 * Needs neither grid nor model and never fails.
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
  const values = Float64Array.from(
    distances,
    (distance) => Math.max(distance, MIN_DISTANCE) ** -FALLOFF,
  );
  return { weights: weightsFromSlots(bones, values, k) };
}
