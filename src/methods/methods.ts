import { InputError } from "../input-error.ts";
import { DEFAULT_NETWORK, isNetwork, MODELS, methodName, NETWORK_METHODS } from "../models.ts";
import type { Solver } from "./solver.ts";
import { onDeformingJoints } from "./wrappers/deforming-joints.ts";
import { smoothed, symmetric } from "./wrappers/smooth-and-mirror.ts";
import { upright } from "./wrappers/upright.ts";

/** Every method by the name users type; each is loaded when first asked for. */
const loaders: Record<string, () => Promise<Solver>> = {
  // The same line of data for all networks; what differs is the model.
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

/** The method users get who name none. */
export const DEFAULT_METHOD: string = DEFAULT_NETWORK;

/** The best method for those who have no model at hand. */
export const METHOD_WITHOUT_MODEL = "heat";

/**
 * The names of all methods.
 *
 * @example
 * for (const method of METHOD_NAMES) console.log(method); // each fits skin(character, { method })
 */
export const METHOD_NAMES: string[] = Object.keys(loaders);

/**
 * Finds a method by its name and wraps it in what it needs. The order matters, outermost first:
 *
 * 1. `onDeformingJoints` hides joints that move no vertex, so that all that follows sees a clean rig.
 * 2. `upright` turns a lying character, because networks know standing ones only.
 * 3. `symmetric` averages the two sides of a symmetric character, in the upright pose.
 * 4. `smoothed` smooths the network's own weights, before the sides are averaged.
 *
 * Networks of the literature are compared as published: they are turned upright and nothing else.
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
    : onDeformingJoints(upright(symmetric(smoothed(solve))));
}
