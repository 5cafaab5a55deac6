import { characterSymmetry } from "../../character/symmetry.ts";
import { mirrorWeights } from "../../finish/mirror-weights.ts";
import { rigidIslands } from "../../weights/rigid-islands.ts";
import { smoothWeights } from "../../weights/smooth-weights.ts";
import type { Solver } from "../solver.ts";

/** Weight of the neighbors: networks predict each vertex separately, artists paint with a brush. */
const SMOOTHED = 0.2;
/**
 * A loose part with this much of its weight on one joint, or with that joint as the heaviest of nine in ten
 * vertices, follows it alone, as in nearly all artists' weights. Small parts between joints keep their rows.
 */
const LOOSE_PARTS = { oneJoint: 0.65, agreed: 0.9, small: 0 };

/** Makes a network's weights as smooth over the surface, and as rigid in loose parts, as artists' weights. */
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
 * Makes the weights of a mirror-symmetric character symmetric: the mean of both sides. A network's prediction
 * depends on the triangulation, which is rarely symmetric, and on the numbering of joints.
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
