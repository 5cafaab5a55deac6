import { heatPrior } from "../distance/heat-prior.ts";
import { measureDistances } from "../distance/measure.ts";
import { bodyNormals } from "../graph/body-normals.ts";
import type { PreparedCharacter } from "../weights/prepared-character.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";
import { weightsFromSlots } from "../weights/weights-from-slots.ts";
import type { SolveOptions } from "./solver.ts";

/** Bones a vertex may follow; the sixteen nearest hold 99 % of what artists paint. */
const NEAREST = 16;

/**
 * Weights by heat that flows from the bones over the surface: the best method without a model.
 *
 * Never fails on loose parts, holes or bones outside the body; see {@link heatPrior}.
 */
export async function boneHeat(
  { character }: PreparedCharacter,
  { resolution, threads, onProgress, signal }: SolveOptions = {},
): Promise<SkinWeights> {
  const measured = await measureDistances(character, {
    resolution,
    threads,
    k: NEAREST,
    signal,
    onProgress: (fraction) => onProgress?.("distances", fraction),
  });
  signal?.throwIfAborted();
  const { grid, outside, bones, distances } = measured;
  const normals = bodyNormals(character.mesh, grid, outside);
  onProgress?.("heat", 0);
  const weights = heatPrior(character, bones, distances, normals);
  return weightsFromSlots(distances.bones, weights, distances.k);
}
