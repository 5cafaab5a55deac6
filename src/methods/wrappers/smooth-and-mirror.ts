import { characterSymmetry } from "../../character/symmetry.ts";
import { mirrorWeights } from "../../finish/mirror-weights.ts";
import { rigidIslands } from "../../weights/rigid-islands.ts";
import { smoothWeights } from "../../weights/smooth-weights.ts";
import type { Solver } from "../solver.ts";

/**
 * Fraction taken from the neighbors: networks predict each vertex separately, artists use a brush.
 */
const SMOOTHED = 0.2;
/**
 * A loose part with this fraction of its weight on one joint, or with that joint heaviest in this
 * fraction of its vertices, follows it alone, as artists usually paint it.
 */
const LOOSE_PARTS = { oneJoint: 0.65, agreed: 0.9, small: 0 };

/**
 * Smooths a network's weights over the surface and makes loose parts rigid. On 85 validation
 * characters L1 is 0.423 with smoothing alone and 0.413 with both.
 */
export function smoothed(solve: Solver): Solver {
  return async (prepared, options) => {
    const solved = await solve(prepared, options);
    const { mesh } = prepared.character;
    const smooth = smoothWeights(solved.weights, mesh, 1, SMOOTHED);
    const weights = rigidIslands(smooth, mesh, LOOSE_PARTS);
    return { ...solved, weights, unsmoothed: solved.weights };
  };
}

/**
 * Makes the weights of a mirror-symmetric character symmetric: the mean of both sides.
 * Triangulations are rarely symmetric, and ties are broken by index.
 */
export function symmetric(solve: Solver): Solver {
  return async (prepared, options) => {
    const solved = await solve(prepared, options);
    if (options.symmetry === false) return solved;
    const { mesh, skeleton } = prepared.character;
    const symmetry = characterSymmetry(prepared.character);
    if (!symmetry) return solved;
    const limits = { maxInfluences: solved.weights.influences, prune: 0, onlyAlike: true };
    const weights = mirrorWeights(solved.weights, skeleton, symmetry, mesh, limits);
    return { ...solved, weights };
  };
}
