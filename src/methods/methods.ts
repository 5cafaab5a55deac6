import { characterSymmetry } from "../character/symmetry.ts";
import { mirrorWeights } from "../finish/mirror-weights.ts";
import { InputError } from "../input-error.ts";
import { DEFAULT_NETWORK, isNetwork, MODELS, methodName } from "../models.ts";
import { holdTogether } from "../repair/hold-together.ts";
import { blendWeights, smoothWeights } from "../weights/smooth-weights.ts";
import type { Solver } from "./solver.ts";
import { onDeformingJoints } from "./wrappers/deforming-joints.ts";
import { upright } from "./wrappers/upright.ts";

// Networks differ only in the model.
const loadNetwork = async (): Promise<Solver> => (await import("./network.ts")).network;

/**
 * Names of all methods.
 *
 * @example
 * for (const method of METHOD_NAMES) console.log(method); // each fits skin(character, { method })
 */
export const METHOD_NAMES = [
  "network",
  "paper",
  "geodesic-voxel",
  "geodesic-voxel:maya",
  "hollow",
  "euclid",
  "volumetric",
  "heat",
  "heat:blind",
  "inverse-distance",
] as const;

/**
 * The name of a method.
 *
 * @example
 * import type { MethodName } from "heterskin";
 * const method: MethodName = "heat";
 * const bound = await skin(character, { method });
 */
export type MethodName = (typeof METHOD_NAMES)[number];

/** Methods by name, loaded on demand. */
const loaders: Record<MethodName, () => Promise<Solver>> = {
  network: loadNetwork,
  paper: loadNetwork,
  "geodesic-voxel": async () => (await import("./falloff.ts")).geodesicVoxel,
  "geodesic-voxel:maya": async () => (await import("./falloff.ts")).geodesicVoxelMaya,
  hollow: async () => (await import("./falloff.ts")).hollowFalloff,
  euclid: async () => (await import("./falloff.ts")).euclideanFalloff,
  volumetric: async () => (await import("./falloff.ts")).volumetricFalloff,
  heat: async () => (await import("./heat.ts")).boneHeat,
  "heat:blind": async () => (await import("./heat.ts")).boneHeatBlind,
  "inverse-distance": async () => (await import("./falloff.ts")).inverseDistance,
};

export const DEFAULT_METHOD: MethodName = DEFAULT_NETWORK;

/** The best method without a model. */
export const METHOD_WITHOUT_MODEL: MethodName = "heat";

/**
 * Finds a method by name and wraps it, outermost first:
 *
 * 1. `onDeformingJoints` hides joints that move no vertex.
 *
 * 2. `upright` rotates a lying character, because networks are trained on standing ones.
 *
 * 3. `heldTogether` repairs what is visible when the character moves.
 *
 * 4. `symmetric` averages the two sides of a symmetric character.
 *
 * 5. `blended` blends the weights with those that the character already has, if asked to.
 *
 * 6. `smoothed` smooths the network's weights.
 *
 * Published networks are only rotated upright and blended, other methods lack 2, 3, 4 and 6.
 */
export async function loadMethod(given: string): Promise<Solver> {
  const name = methodName(given);
  if (!Object.hasOwn(loaders, name)) {
    throw new InputError(`Unknown method "${given}"; choose one of ${METHOD_NAMES.join(", ")}.`);
  }
  const solve = await loaders[name as MethodName]();
  if (!isNetwork(name)) return onDeformingJoints(blended(solve));
  return MODELS[name].isPublished
    ? blended(upright(solve))
    : onDeformingJoints(upright(heldTogether(symmetric(blended(smoothed(solve))))));
}

/** Fraction taken from the neighbors: networks predict each vertex separately, artists use a brush. */
const SMOOTHED = 0.2;

/** Smooths a network's weights over the surface. */
export function smoothed(solve: Solver): Solver {
  return async (prepared, options) => {
    const solved = await solve(prepared, options);
    const weights = smoothWeights(solved.weights, prepared.character.mesh, 1, SMOOTHED);
    return { ...solved, weights, unsmoothed: solved.weights };
  };
}

/** Blends a method's weights with those that the character already has, by the fraction in the options. */
function blended(solve: Solver): Solver {
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
function heldTogether(solve: Solver): Solver {
  return async (prepared, options) => {
    const solved = await solve(prepared, options);
    return { ...solved, weights: holdTogether(prepared.character, solved.weights) };
  };
}
