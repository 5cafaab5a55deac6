import { InputError } from "../input-error.ts";
import { DEFAULT_NETWORK, isNetwork, MODELS, NETWORK_METHODS } from "../models.ts";
import type { Solver } from "./solver.ts";
import { onDeformingJoints } from "./wrappers/deforming-joints.ts";
import { settled, symmetrically } from "./wrappers/smooth-and-mirror.ts";
import { upright } from "./wrappers/upright.ts";

/** Every method by the name users type; each is loaded when first asked for. */
const loaders: Record<string, () => Promise<Solver>> = {
  // The same line of data for all networks; what differs is the model.
  ...Object.fromEntries(
    NETWORK_METHODS.map((name) => [name, async () => (await import("./network.ts")).heterskinnet]),
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

/** Finds a method by name. */
export async function loadMethod(name: string): Promise<Solver> {
  const solve = await loadPlain(name);
  if (!isNetwork(name)) return onDeformingJoints(solve);
  // The networks of the literature are compared as they were published.
  return MODELS[name].isPublished
    ? upright(solve)
    : onDeformingJoints(upright(symmetrically(settled(solve))));
}

async function loadPlain(name: string): Promise<Solver> {
  if (!Object.hasOwn(loaders, name)) {
    throw new InputError(`Unknown method "${name}"; choose one of ${METHOD_NAMES.join(", ")}.`);
  }
  return loaders[name]();
}
