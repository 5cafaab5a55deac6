import type { BoneDistances } from "../distance/bone-distances.ts";
import { euclideanDistances } from "../distance/euclidean.ts";
import type { DistanceName } from "../distance/measure.ts";
import { takeRows } from "../math/take-rows.ts";
import type { Mesh } from "../mesh/mesh.ts";
import type { Bones } from "../skeleton/bones.ts";
import type { PreparedCharacter } from "../weights/prepared-character.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";
import { weightsFromSlots } from "../weights/weights-from-slots.ts";
import { measureFor, type SolvedWeights, type SolveOptions, type Solver } from "./solver.ts";

/** How distances become weights. */
export interface FalloffSettings {
  /** 0 sharp, 1 soft: how much of the distance enters squared. */
  falloff: number;
  /** Nearest bones that share a vertex. */
  influences: number;
}

/** The falloff methods' setting: that of the paper's geodesic voxel binding. */
const PAPER_FALLOFF: FalloffSettings = { falloff: 0.5, influences: 3 };

/** Keeps the weight of a vertex that lies on a bone finite; in longest sides of the mesh. */
const LEAST_DISTANCE = 1e-4;

/** Weights that fall with HollowDist: through the hollow, never through the wall. */
export const hollowFalloff: Solver = (prepared, options) =>
  solveByFalloff(prepared, options, "hollow", PAPER_FALLOFF);

/** Weights that fall with the straight distance. */
export const euclideanFalloff: Solver = (prepared, options) =>
  solveByFalloff(prepared, options, "euclid", PAPER_FALLOFF);

/** Weights that fall with the distance inside the body. */
export const volumetricFalloff: Solver = (prepared, options) =>
  solveByFalloff(prepared, options, "volumetric", PAPER_FALLOFF);

/** Measures one distance to the nearest bones and lets the weights fall with it. */
export async function solveByFalloff(
  prepared: PreparedCharacter,
  options: SolveOptions,
  distance: DistanceName,
  settings: FalloffSettings,
): Promise<SolvedWeights> {
  const { character } = prepared;
  const k = Math.min(settings.influences, character.skeleton.parents.length);
  const measured = await measureFor(prepared, options, { distance, k });
  const reached = fillUnreached(character.mesh, measured.bones, measured.distances);
  return { weights: falloffWeights(reached, settings.falloff), measured };
}

/**
 * Weights from distances: w = (1 / ((1 - a) d + a d²))², normalised, d in longest sides of the mesh.
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
