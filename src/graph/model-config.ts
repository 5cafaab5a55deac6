import { InputError } from "../input-error.ts";
import type { FirstLook } from "./first-look.ts";
import type { GraphConfig } from "./skin-graph.ts";

/** Name of the metadata entry in which a model keeps its {@link ModelConfig} as JSON. */
export const CONFIG_ENTRY = "heterskin";

/** How a character is measured before its graph is built. */
export interface MeasureConfig {
  /** What ranks the candidate bones. */
  distance: "hollow" | "euclid" | "volumetric";
  /** `paper` is Algorithm 1 to the letter; `default` lets seeds step out of the wall. */
  variant: "paper" | "default";
  /** Whether leaf bones reach on to the end of the body. */
  tails: boolean;
  /** Cells along the longest side. */
  resolution: number;
  /** Whether heat weights are computed as an input. */
  prior: boolean;
  /** Reach of geodesic neighbours, of a character's size. */
  radius: number;
}

/** Terms of the loss and what they count. */
export interface LossConfig {
  /** Kullback-Leibler divergence of the prediction from the artist's weights. */
  divergence: number;
  /** Sum of absolute differences: what the L1 score measures. */
  l1: number;
  /** Laplacian smoothing over the bones (the paper's lambda_S). */
  smooth: number;
  /** How far the weights carry a vertex from where the artist's do, in a random pose; none unless told. */
  motion?: number;
  /** Differences of the weight of whole subtrees of the skeleton; none unless told. */
  tree?: number;
}

/** Everything that defines a network; saved with the model, so that a model explains itself. */
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
  loss: LossConfig;
  /** Share of mesh edges left out of a training step. */
  edgeDropout: number;
  /** Share of features left out before the head in a training step. */
  dropout: number;
  /** What a finished model divides its scores by: above 1 for softer weights. Not in training. */
  temperature?: number;
  /** How far a finished model leans on heat diffusion: the power of it in the weights. Not in training. */
  heat?: number;
}

/** Reads a model's configuration; `InputError` where it is none that a graph could be built by. */
export function readModelConfig(text: string): ModelConfig {
  let config: ModelConfig | undefined;
  try {
    config = JSON.parse(text);
  } catch {
    // Said below.
  }
  const { graph, measure } = config ?? {};
  const isCount = (value: unknown, most: number) =>
    Number.isInteger(value) && (value as number) >= 1 && (value as number) <= most;
  const isWhole =
    isCount(graph?.k, 1024) &&
    isCount(graph?.ring, 1024) &&
    isCount(graph?.ball, 4096) &&
    isLook(graph?.look, graph!.k) &&
    isCount(measure?.resolution, 512) &&
    ["hollow", "euclid", "volumetric"].includes(measure?.distance as string) &&
    Number.isFinite(measure?.radius);
  if (config && isWhole) return config;
  throw new InputError(
    "The model's own description cannot be read; pass a model that HeterSkin has written.",
  );
}

/** Whether a first look is absent, or one that leaves `k` candidates. */
function isLook(look: FirstLook | undefined, k: number): boolean {
  if (look === undefined) return true;
  const isRange = Number.isInteger(look.from) && look.from >= k && look.from <= 1024;
  return isRange && Array.isArray(look.weights) && look.weights.every(Number.isFinite);
}
