import { MEASURED_BONES } from "../distance/bone-distances.ts";
import type { MeasureConfig } from "../graph/model-config.ts";

/** Everything that decides what a sample holds; samples made with other settings are made again. */
export interface SampleSettings {
  /** How characters are measured; the model that learns from the samples asks for the same. */
  measure: MeasureConfig;
  /** Candidate bones per vertex. */
  k: number;
  /** Geodesic neighbors per vertex. */
  ball: number;
  /** Meshes of more vertices are reduced for training. */
  maxVertices: number;
  /** Meshes of fewer vertices are subdivided for training (the paper: 1000); 0 for none. */
  minVertices: number;
  /** Variants of each training character besides the character as drawn. */
  variants: number;
  /** Seeds the variants: another number makes others from the same characters. */
  variantSeed: number;
  /** How likely a joint turns in a variant, and the deviation of the angle in degrees. */
  poseProbability: number;
  poseDegrees: number;
  /** How likely a variant loses joints, and which share of them. */
  thinProbability: number;
  thinShare: number;
  /** How likely a variant is reduced, to between a fifth and all of its vertices. */
  coarsenProbability: number;
  /** How likely the parts of a variant change their size and its bones their length. */
  resizeProbability: number;
  /** How likely a variant has bones cut in two, and at most which share of them. */
  splitProbability: number;
  splitShare: number;
  /** How likely the joints of a variant are moved a little. */
  moveProbability: number;
  /** How likely loose parts of another character are put on a variant. */
  attachProbability: number;
  /** How likely a variant loses or gains joints that move nothing. */
  helperProbability: number;
  /** How likely a variant stands under a control rig. */
  twinProbability: number;
}

/** How samples are made when nobody says. */
export const SAMPLE_DEFAULTS: Omit<SampleSettings, "measure"> = {
  k: MEASURED_BONES,
  ball: 16,
  maxVertices: 3072,
  minVertices: 0,
  variants: 8,
  variantSeed: 1,
  poseProbability: 0.5,
  poseDegrees: 20,
  thinProbability: 0.5,
  thinShare: 0.15,
  coarsenProbability: 0.6,
  resizeProbability: 0.6,
  splitProbability: 0.4,
  splitShare: 0.4,
  moveProbability: 0.5,
  attachProbability: 0.12,
  helperProbability: 0.3,
  twinProbability: 0.1,
};

/** Whether two settings say the same, in whatever order their entries were written. */
export function sameSettings(one: unknown, other: unknown): boolean {
  return JSON.stringify(sortedEntries(one)) === JSON.stringify(sortedEntries(other));
}

/** Entries by name, at every level. */
export function sortedEntries(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, entry]) => [name, sortedEntries(entry)]);
}
