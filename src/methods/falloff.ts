import type { PreparedCharacter } from "../character/character.ts";
import type { BoneDistances } from "../distance/bone-distances.ts";
import { euclideanDistances } from "../distance/euclidean.ts";
import type { DistanceName } from "../distance/measure.ts";
import { takeRows } from "../math/arrays.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { type Bones, bonesOf } from "../skeleton/bones.ts";
import { type SkinWeights, weightsFromSlots } from "../weights/skin-weights.ts";
import { measureFor, type SolvedWeights, type SolveOptions, type Solver } from "./solver.ts";

/** How distances become weights. */
export interface FalloffSettings {
  /** 0 sharp, 1 soft: how much of the distance enters squared. */
  falloff: number;
  /** Nearest bones that share a vertex. */
  influences: number;
  /** Cells along the longest side where the caller asks for no number. */
  resolution?: number;
}

/** As the paper ran geodesic voxel binding for its comparison. */
const PAPER: FalloffSettings = { falloff: 0.5, influences: 3 };

/** As Maya offers it. */
const MAYA: FalloffSettings = { falloff: 0.2, influences: 5, resolution: 256 };

/** Keeps the weight of a vertex that lies on a bone finite; in longest sides of the mesh. */
const LEAST_DISTANCE = 1e-4;

/** A method whose weights fall with one distance to the nearest bones. */
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

/** Weights that fall with the straight distance. */
export const euclideanFalloff: Solver = falloffSolver("euclid", PAPER);

/** Weights that fall with the distance inside the body. */
export const volumetricFalloff: Solver = falloffSolver("volumetric", PAPER);

/**
 * Geodesic voxel binding: weights fall with the length of the shortest path inside the body.
 *
 * A vertex no bone reaches inside the body takes the bones nearest in a straight line, so that every
 * vertex gets weights.
 *
 * Based on: O. Dionne, M. de Lasa. Geodesic Voxel Binding for Production Character Meshes. 2013.
 */
export const geodesicVoxel: Solver = falloffSolver("volumetric", { ...PAPER, resolution: 128 });

/** The same with the settings of Maya. */
export const geodesicVoxelMaya: Solver = falloffSolver("volumetric", MAYA);

/**
 * Weights from distances: w = (1 / ((1 - a) d + a d²))², normalized, d in longest sides of the mesh.
 *
 * Based on: O. Dionne, M. de Lasa. Geodesic Voxel Binding for Production Character Meshes. 2013.
 *
 * @param falloff a, from 0 to 1
 */
export function falloffWeights(distances: BoneDistances, falloff: number): SkinWeights {
  const values = Float64Array.from(distances.distances, (distance) => {
    const d = Math.max(distance, LEAST_DISTANCE);
    return 1 / ((1 - falloff) * d + falloff * d * d) ** 2;
  });
  return weightsFromSlots(distances.bones, values, distances.k);
}

/** Gives vertices that no bone reaches (loose parts, open bodies) the nearest in a straight line. */
function fillUnreached(mesh: Mesh, bones: Bones, distances: BoneDistances): BoneDistances {
  const { k } = distances;
  const lost: number[] = [];
  for (let v = 0; v * k < distances.bones.length; v++) if (distances.bones[v * k] < 0) lost.push(v);
  if (lost.length === 0) return distances;
  const positions = takeRows(mesh.positions, Int32Array.from(lost), 3);
  const straight = euclideanDistances({ positions, triangles: new Uint32Array(0) }, bones, { k });
  const filled = { k, bones: distances.bones.slice(), distances: distances.distances.slice() };
  lost.forEach((v, i) => {
    filled.bones.set(straight.bones.subarray(i * k, i * k + k), v * k);
    filled.distances.set(straight.distances.subarray(i * k, i * k + k), v * k);
  });
  return filled;
}

/** Bones a vertex may follow. */
const NEAREST = 8;

/** Weights fall with this power of the distance; four keeps a limb from dragging its neighbor. */
const FALLOFF = 4;

/** Keeps the weight of a vertex that lies on a bone finite; in longest sides of the mesh. */

/**
 * Weights that fall with the straight distance to the nearest bones, through walls and all.
 *
 * Needs neither grid nor model; the plainest method that always answers.
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
    (distance) => Math.max(distance, LEAST_DISTANCE) ** -FALLOFF,
  );
  return { weights: weightsFromSlots(bones, values, k) };
}
