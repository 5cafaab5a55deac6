import type { PreparedCharacter } from "../character/character.ts";
import { MEASURED_BONES } from "../distance/bone-distances.ts";
import { heatPrior } from "../distance/heat-prior.ts";
import { weightsFromSlots } from "../weights/skin-weights.ts";
import { resolutionFor, solveOnProxy } from "./proxy.ts";
import { measureFor, type SolvedWeights, type SolveOptions } from "./solver.ts";

type HeatSolver = (prepared: PreparedCharacter, options?: SolveOptions) => Promise<SolvedWeights>;

/**
 * Heat diffusion from the bones over the surface: the best method without a model. Handles loose
 * parts, holes and bones outside the body; see {@link heatPrior}.
 */
export const boneHeat: HeatSolver = heatSolver(true);

/** {@link boneHeat} without visibility tests. */
export const boneHeatBlind: HeatSolver = heatSolver(false);

/**
 * @param visibility whether only bones that a vertex sees through the body heat it, if it sees any
 */
function heatSolver(visibility: boolean): HeatSolver {
  return async (prepared, options = {}) => {
    const { proxyVertices, onProgress, signal } = options;
    const { character } = prepared;
    const measured = await measureFor(prepared, options, {
      resolution: options.resolution ?? resolutionFor(character, undefined, proxyVertices),
      k: MEASURED_BONES,
    });
    signal?.throwIfAborted();
    onProgress?.("heat", 0);
    const weights = await solveOnProxy(character, measured, proxyVertices, (surface) => {
      const part = { mesh: surface.mesh, skeleton: character.skeleton };
      const heat = heatPrior(part, surface.measured, surface.normals, visibility);
      return weightsFromSlots(surface.measured.distances.bones, heat, MEASURED_BONES);
    });
    onProgress?.("heat", 1);
    return { weights, measured };
  };
}
