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

/** All networks that can be trained, by name. */
export const PRESETS: { default: ModelConfig } & Record<string, ModelConfig> = {
  default: {
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
