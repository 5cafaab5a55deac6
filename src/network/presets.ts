import type { LossConfig, MeasureConfig, ModelConfig } from "../graph/model-config.ts";

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

/** The pair network. */
const PAIR: ModelConfig = {
  preset: "default",
  network: "pair",
  graph: { k: 12, features: "bend", ring: 8, ball: 16 },
  measure: { ...PAPER_MEASURE, variant: "default", tails: true, prior: true },
  vertex: 128,
  bone: 128,
  pair: 96,
  global: 128,
  head: [0, 0],
  blocks: 3,
  interGraph: true,
  loss: { divergence: 0.7, l1: 0.4, smooth: 0.02, motion: 25, tree: 0.1 },
  edgeDropout: 0.3,
  dropout: 0.1,
};

/**
 * What the columns of `PAIR_FEATURES` count in the first look: fitted to tell the bones an artist gave weight
 * from the others (a softmax over the candidates of 120 training samples).
 */
const FIRST_LOOK: number[] = [
  -0.2456, 0.3682, -0.0757, -0.818, 0.1658, 0.0787, -0.3475, -0.346, -0.0592, -0.4073, -0.3734,
  -0.0775, -0.3324, 0.0985, -0.2099, -0.3343, -0.3791, -0.8843, 0.0621, -0.1191, -1.1569, 0.4618,
  0.9524, 0.6542, 0.1612, 0.1006, 0.305, 0.1682, 0.2775, 0.3237, 0.4403,
];

/** All networks that can be trained, by name. */
export const PRESETS: { default: ModelConfig } & Record<string, ModelConfig> = {
  default: PAIR,
  fast: {
    ...PAIR,
    preset: "fast",
    graph: { ...PAIR.graph, k: 6, look: { from: 12, weights: FIRST_LOOK } },
    vertex: 96,
    bone: 96,
    pair: 64,
    global: 96,
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
