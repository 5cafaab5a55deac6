import { diffuseHeat } from "./diffuse-heat.ts";
import { type HeatedCharacter, heatSources } from "./heat-sources.ts";
import type { MeasuredCharacter } from "./measure.ts";

/**
 * The weight of each candidate bone in the equilibrium of heat that flows from the bones over the
 * surface: a smooth guess without any learning.
 *
 * See {@link heatSources} for which bone heats a vertex, {@link diffuseHeat} for what follows.
 * Based on: Baran and Popović. Automatic rigging and animation of 3D characters. 2007.
 *
 * @param character prepared: welded, longest side 1
 * @param measured its grid, bones with tails, and HollowDist
 * @param normals V×3, pointing out of the body; zero where there is none
 * @param visibility whether bones a vertex sees through the body come before all others
 * @returns V×K on the slots of `measured.distances`, each in [0, 1]; rows sum to 1, less what flows
 *   from bones that are not among the candidates
 */
export function heatPrior(
  character: HeatedCharacter,
  measured: MeasuredCharacter,
  normals: Float32Array,
  visibility = true,
): Float32Array {
  return diffuseHeat(character.mesh, heatSources(character, measured, normals, visibility));
}
