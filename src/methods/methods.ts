import { InputError } from "../input-error.ts";
import { DEFAULT_NETWORK, isNetwork, MODELS, methodName, NETWORK_METHODS } from "../models.ts";
import type { Solver } from "./solver.ts";
import { onDeformingJoints } from "./wrappers/deforming-joints.ts";
import { smoothed, symmetric } from "./wrappers/smooth-and-mirror.ts";
import { upright } from "./wrappers/upright.ts";

const loaders: Record<string, () => Promise<Solver>> = {
  // All networks share the same code; only the model differs.
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

/** The default method. */
export const DEFAULT_METHOD: string = DEFAULT_NETWORK;

/** The best method without a model. */
export const METHOD_WITHOUT_MODEL = "heat";

/**
 * The names of all methods.
 *
 * @example
 * for (const method of METHOD_NAMES) console.log(method); // each fits skin(character, { method })
 */
export const METHOD_NAMES: string[] = Object.keys(loaders);

/**
 * Loads a method by name and wraps it. The order matters, outermost first:
 *
 * 1. `onDeformingJoints` hides joints that move no vertex, so that the others see a clean rig.
 * 2. `upright` rotates a lying character, because networks are trained on standing ones.
 * 3. `symmetric` averages the two sides of a symmetric character, in the upright pose.
 * 4. `smoothed` smooths the network's weights, before the sides are averaged.
 *
 * Networks of the literature are compared as published: they are only rotated upright.
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
