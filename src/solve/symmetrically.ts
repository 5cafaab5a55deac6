import { characterSymmetry } from "../weights/character-symmetry.ts";
import { mirrorWeights } from "../weights/mirror-weights.ts";
import type { Solver } from "./solver.ts";

/**
 * A method that gives a mirror-symmetric character mirror-symmetric weights: the mean of both sides.
 *
 * A network sees a mesh through its triangles, which are hardly ever cut alike on both sides, and ties are
 * broken by number; what an artist would paint once it should not paint twice differently.
 */
export function symmetrically(solve: Solver): Solver {
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
