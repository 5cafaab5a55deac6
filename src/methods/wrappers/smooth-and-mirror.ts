import { characterSymmetry } from "../../character/symmetry.ts";
import { mirrorWeights } from "../../finish/mirror-weights.ts";
import { holdTogether } from "../../repair/hold-together.ts";
import { blendWeights } from "../../weights/average-weights.ts";
import { smoothWeights } from "../../weights/smooth-weights.ts";
import type { Solver } from "../solver.ts";

/**
 * Fraction taken from the neighbors: networks predict each vertex separately, artists use a brush.
 */
const SMOOTHED = 0.2;
/** Smooths a network's weights over the surface. */
export function smoothed(solve: Solver): Solver {
  return async (prepared, options) => {
    const solved = await solve(prepared, options);
    const weights = smoothWeights(solved.weights, prepared.character.mesh, 1, SMOOTHED);
    return { ...solved, weights, unsmoothed: solved.weights };
  };
}

/** Blends a method's weights with those that the character already has, by the share in the options. */
export function blended(solve: Solver): Solver {
  return async (prepared, options) => {
    const solved = await solve(prepared, options);
    const { weights: existing } = prepared.character;
    if (!options.blend || !existing) return solved;
    return { ...solved, weights: blendWeights(solved.weights, existing, options.blend) };
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

/** Removes the faults of a network's weights that are visible when the character moves. */
export function heldTogether(solve: Solver): Solver {
  return async (prepared, options) => {
    const solved = await solve(prepared, options);
    return { ...solved, weights: holdTogether(prepared.character, solved.weights) };
  };
}
