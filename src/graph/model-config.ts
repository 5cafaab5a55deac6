import { InputError } from "../input-error.ts";
import type { FirstLook } from "./first-look.ts";
import { PAIR_FEATURES } from "./pair-features.ts";
import type { GraphConfig } from "./skin-graph.ts";

/** Name of the metadata entry with the model's {@link ModelConfig} as JSON. */
export const CONFIG_ENTRY = "heterskin";

/** How a character is measured for its graph. */
export interface MeasureConfig {
  /** Ranks the candidate bones. */
  distance: "hollow" | "euclid" | "volumetric";
  /** `paper` is Algorithm 1 exactly; `default` lets seeds leave the wall. */
  variant: "paper" | "default";
  /** Whether leaf bones extend to the end of the body. */
  tails: boolean;
  resolution: number;
  /** Whether heat weights are computed as an input. */
  prior: boolean;
  /** Radius of geodesic neighborhoods, relative to the character's size. */
  radius: number;
}

/** Weights of the terms of the loss. */
export interface LossConfig {
  /** Kullback-Leibler divergence of the prediction from the artist's weights. */
  divergence: number;
  /** Sum of absolute differences, as the L1 score. */
  l1: number;
  /** Laplacian smoothing over the bones (the paper's lambda_S). */
  smooth: number;
  /** Weight of the distance between a vertex posed by the prediction and by the artist; default 0. */
  motion?: number;
  /** Weight of the differences between the weights of subtrees of the skeleton; default 0. */
  tree?: number;
}

/** Everything that defines a network; stored in the model. */
export interface ModelConfig {
  preset: string;
  network: "pair" | "paper" | "rignet" | "neuroskinning";
  graph: GraphConfig;
  measure: MeasureConfig;
  /** Feature widths of vertices, bones, pairs and global branches. */
  vertex: number;
  bone: number;
  pair: number;
  global: number;
  /** Widths of the slot head's two hidden layers. */
  head: [number, number];
  /** Stacked components. */
  blocks: number;
  /** Whether vertices and bones exchange features (off: the paper's "w/o HeterConv"). */
  interGraph: boolean;
  /** Width of the messages between the pairs of one bone along the mesh; needs `graph.pairRing`; default none. */
  along?: number;
  loss: LossConfig;
  /** Fraction of mesh edges dropped in a training step. */
  edgeDropout: number;
  /** Fraction of features dropped before the head in a training step. */
  dropout: number;
  /** Divisor of a finished model's scores: above 1 for softer weights. Not used in training. */
  temperature?: number;
  /** Exponent of heat diffusion in a finished model's weights. Not used in training. */
  heat?: number;
}

/** Parses a model's configuration; throws an `InputError` if no graph can be built with it. */
export function readModelConfig(text: string): ModelConfig {
  let config: ModelConfig | undefined;
  try {
    config = JSON.parse(text);
  } catch {
    // Reported below.
  }
  const { graph, measure } = config ?? {};
  const isCount = (value: unknown, max: number) =>
    Number.isInteger(value) && (value as number) >= 1 && (value as number) <= max;
  const isValid =
    isCount(graph?.k, 1024) &&
    isCount(graph?.ring, 1024) &&
    isCount(graph?.ball, 4096) &&
    isLook(graph?.look, graph!.k) &&
    isCount(measure?.resolution, 512) &&
    ["hollow", "euclid", "volumetric"].includes(measure?.distance as string) &&
    Number.isFinite(measure?.radius);
  if (config && isValid) return config;
  throw new InputError(
    "The configuration in the model cannot be read; use a model from HeterSkin.",
  );
}

/** Whether a first look is absent, or one that leaves `k` candidates. */
function isLook(look: FirstLook | undefined, k: number): boolean {
  if (look === undefined) return true;
  const isRange = Number.isInteger(look.from) && look.from >= k && look.from <= 1024;
  const { weights } = look;
  const isList = Array.isArray(weights) && weights.length <= PAIR_FEATURES.length;
  return isRange && isList && weights.every(Number.isFinite);
}
