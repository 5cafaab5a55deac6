import type { LossConfig, MeasureConfig, ModelConfig } from "../graph/model-config.ts";
import { PAIR_FEATURES } from "../graph/pair-features.ts";

const PAPER_LOSS: LossConfig = { divergence: 1, l1: 0, smooth: 0.4 };
const PAPER_MEASURE: MeasureConfig = {
  distance: "hollow",
  variant: "paper",
  tails: false,
  resolution: 88,
  prior: false,
  radius: 0.06,
};

/** Sections 3 and 4.2 of the paper. */
const PAPER: ModelConfig = {
  preset: "paper",
  network: "paper",
  graph: { k: 3, features: "paper", ring: 8, ball: 16 },
  measure: PAPER_MEASURE,
  vertex: 256,
  bone: 128,
  pair: 0,
  global: 512,
  head: [1024, 512],
  blocks: 1,
  interGraph: true,
  loss: PAPER_LOSS,
  edgeDropout: 0.85,
  dropout: 0.5,
};

/** The network of twelve candidates. */
const DEFAULT: ModelConfig = {
  preset: "default",
  network: "pair",
  graph: { k: 12, features: "extended", ring: 8, ball: 16 },
  measure: { ...PAPER_MEASURE, variant: "default", tails: true, prior: true },
  vertex: 128,
  bone: 128,
  pair: 96,
  global: 128,
  head: [0, 0],
  blocks: 3,
  interGraph: true,
  loss: { divergence: 0.7, l1: 0.4, smooth: 0.02 },
  edgeDropout: 0.3,
  dropout: 0.1,
};

/**
 * First look of the shipped network: what the columns of a pair count, fitted to lose as little of the artists'
 * weight as possible. It needs only distances, heat and the hierarchy, and treats left and right alike.
 */
const LOOK: Partial<Record<string, number>> = {
  logHollow: -1.727,
  ratioHollow: -1.913,
  inverseHollow: 0.531,
  rank: -2.069,
  prior: 1,
  logPrior: 1.974,
  hopsNearest: 0.307,
  nearest: 0.37,
  parentOfNearest: 0.2,
  childOfNearest: 0.672,
  hopsHeat: -0.282,
  heat: 0.699,
  parentOfHeat: 0.74,
  childOfHeat: 0.662,
};

/** All networks that can be trained, by name. */
export const PRESETS: { default: ModelConfig } & Record<string, ModelConfig> = {
  default: DEFAULT,
  narrow: {
    ...DEFAULT,
    preset: "narrow",
    graph: {
      ...DEFAULT.graph,
      k: 6,
      features: "bend",
      look: { from: 12, weights: PAIR_FEATURES.map((name) => LOOK[name] ?? 0) },
      pairRing: 6,
    },
    vertex: 96,
    bone: 96,
    pair: 64,
    global: 96,
    along: 32,
    loss: { ...DEFAULT.loss, motion: 25, tree: 0.1 },
  },
  paper: PAPER,
  "paper-euclid": {
    ...PAPER,
    preset: "paper-euclid",
    measure: { ...PAPER_MEASURE, distance: "euclid" },
  },
  "paper-without-inter": { ...PAPER, preset: "paper-without-inter", interGraph: false },
  "paper-without-smooth": {
    ...PAPER,
    preset: "paper-without-smooth",
    loss: { ...PAPER_LOSS, smooth: 0 },
  },
  rignet: {
    ...PAPER,
    preset: "rignet",
    network: "rignet",
    vertex: 512,
    graph: { ...PAPER.graph, features: "rignet" },
    measure: { ...PAPER_MEASURE, distance: "volumetric" },
    loss: { ...PAPER_LOSS, smooth: 0 },
  },
  neuroskinning: {
    ...PAPER,
    preset: "neuroskinning",
    network: "neuroskinning",
    graph: { ...PAPER.graph, features: "neuroskinning" },
    measure: { ...PAPER_MEASURE, distance: "euclid" },
    loss: { ...PAPER_LOSS, smooth: 0 },
  },
};
