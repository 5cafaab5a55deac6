import { createHash } from "node:crypto";
import { MEASURED_BONES } from "../distance/nearest-k.ts";
import type { MeasureConfig } from "../graph/model-config.ts";

/** Everything that decides what a sample holds; samples made with other settings are made again. */
export interface SampleSettings {
  /** How characters are measured; the model that learns from the samples asks for the same. */
  measure: MeasureConfig;
  /** Candidate bones per vertex. */
  k: number;
  /** Geodesic neighbours per vertex. */
  ball: number;
  /** Meshes of more vertices are reduced for training. */
  maxVertices: number;
  /** Meshes of fewer vertices are subdivided for training (the paper: 1000); 0 for none. */
  minVertices: number;
  /** Variants of each training character besides the character as drawn. */
  variants: number;
  /** How likely a joint turns in a variant, and the deviation of the angle in degrees. */
  poseProbability: number;
  poseDegrees: number;
  /** How likely a variant loses joints, and which share of them. */
  thinProbability: number;
  thinShare: number;
  /** How likely a variant is reduced to between a half and all of its vertices. */
  coarsenProbability: number;
}

/** How samples are made when nobody says. */
export const SAMPLE_DEFAULTS: Omit<SampleSettings, "measure"> = {
  k: MEASURED_BONES,
  ball: 16,
  maxVertices: 4096,
  minVertices: 0,
  variants: 6,
  poseProbability: 0.5,
  poseDegrees: 20,
  thinProbability: 0.5,
  thinShare: 0.15,
  coarsenProbability: 0.3,
};

/** Raised whenever the code makes other samples from the same settings. */
const VERSION = 2;

/** A short name for settings, equal where they are equal. */
export function settingsKey(settings: SampleSettings): string {
  return createHash("sha256")
    .update(JSON.stringify([VERSION, sorted(settings)]))
    .digest("hex")
    .slice(0, 12);
}

/** Entries by name, at every level, so that the order in which they were written does not matter. */
function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, entry]) => [name, sorted(entry)]);
}
