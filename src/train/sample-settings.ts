import { createHash } from "node:crypto";

/** Everything that decides what a sample holds; samples made with other settings are made again. */
export interface SampleSettings {
  /** Which distance chooses and measures the candidate bones. */
  distance: "hollow" | "volumetric" | "euclidean";
  /** Whether leaf bones reach on to the surface. */
  tails: boolean;
  /** Whether a bone inside the wall may step into the hollow (off in the paper's literal algorithm). */
  stepOut: boolean;
  /** Cells along the longest side of the grid. */
  resolution: number;
  /** Candidate bones per vertex. */
  k: number;
  /** Geodesic neighbours: how far, how many. */
  ballRadius: number;
  ballLimit: number;
  /** Whether heat weights are worked out. */
  prior: boolean;
  /** Meshes of more vertices are reduced for training. */
  maxVertices: number;
  /** Meshes of fewer vertices are subdivided for training (the paper: 1000); 0 for none. */
  minVertices: number;
  /** Variants of each training character besides the character as drawn. */
  variants: number;
  /** How likely a joint turns in a posed variant, and by how many degrees. */
  poseProbability: number;
  poseDegrees: number;
  /** How likely a variant loses joints, and which share of them. */
  thinProbability: number;
  thinShare: number;
  /** How likely a variant is reduced to between a half and all of its vertices. */
  coarsenProbability: number;
}

export const SAMPLE_DEFAULTS: SampleSettings = {
  distance: "hollow",
  tails: true,
  stepOut: true,
  resolution: 88,
  k: 16,
  ballRadius: 0.06,
  ballLimit: 16,
  prior: true,
  maxVertices: 4096,
  minVertices: 0,
  variants: 6,
  poseProbability: 0.5,
  poseDegrees: 20,
  thinProbability: 0.5,
  thinShare: 0.15,
  coarsenProbability: 0.3,
};

/** The paper's own preparation: no tails, the literal algorithm, no mesh below 1K vertices, no variants. */
export const PAPER_SAMPLES: SampleSettings = {
  ...SAMPLE_DEFAULTS,
  tails: false,
  stepOut: false,
  prior: false,
  minVertices: 1000,
  variants: 0,
};

/** Raised whenever the code makes other samples from the same settings. */
const VERSION = 1;

/** A short name for settings, equal where they are equal. */
export function settingsKey(settings: SampleSettings): string {
  const text = JSON.stringify([VERSION, Object.entries(settings).sort()]);
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}
