import { InputError } from "../input-error.ts";
import { DEFAULT_NETWORK, isNetwork, MODELS, methodName, NETWORK_METHODS } from "../models.ts";
import type { Solver } from "./solver.ts";
import { onDeformingJoints } from "./wrappers/deforming-joints.ts";
import { heldTogether, smoothed, symmetric } from "./wrappers/smooth-and-mirror.ts";
import { upright } from "./wrappers/upright.ts";

/** Methods by name, loaded on demand. */
const loaders: Record<string, () => Promise<Solver>> = {
  // Networks differ only in the model.
  ...Object.fromEntries(
    NETWORK_METHODS.map((name) => [name, async () => (await import("./network.ts")).network]),
  ),
  "geodesic-voxel": async () => (await import("./falloff.ts")).geodesicVoxel,
  "geodesic-voxel:maya": async () => (await import("./falloff.ts")).geodesicVoxelMaya,
  hollow: async () => (await import("./falloff.ts")).hollowFalloff,
  euclid: async () => (await import("./falloff.ts")).euclideanFalloff,
  volumetric: async () => (await import("./falloff.ts")).volumetricFalloff,
  heat: async () => (await import("./heat.ts")).boneHeat,
  "heat:blind": async () => (await import("./heat.ts")).boneHeatBlind,
  "inverse-distance": async () => (await import("./falloff.ts")).inverseDistance,
};

export const DEFAULT_METHOD: string = DEFAULT_NETWORK;

/** The best method without a model. */
export const METHOD_WITHOUT_MODEL = "heat";

/**
 * Names of all methods.
 *
 * @example
 * for (const method of METHOD_NAMES) console.log(method); // each fits skin(character, { method })
 */
export const METHOD_NAMES: string[] = Object.keys(loaders);

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
 * 5. `smoothed` smooths the network's weights.
 *
 * Published networks are only rotated upright.
 */
export async function loadMethod(given: string): Promise<Solver> {
  const name = methodName(given);
  if (!Object.hasOwn(loaders, name)) {
    throw new InputError(`Unknown method "${given}"; choose one of ${METHOD_NAMES.join(", ")}.`);
  }
  const solve = await loaders[name]();
  if (!isNetwork(name)) return onDeformingJoints(solve);
  return MODELS[name].isPublished
    ? upright(solve)
    : onDeformingJoints(upright(heldTogether(symmetric(smoothed(solve)))));
}
