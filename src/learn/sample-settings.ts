import { MEASURED_BONES } from "../distance/bone-distances.ts";
import type { MeasureConfig } from "../graph/model-config.ts";

/** Everything that determines the content of samples. */
export interface SampleSettings {
  /** How characters are measured; must match the model. */
  measure: MeasureConfig;
  k: number;
  ball: number;
  /** Larger meshes are reduced for training. */
  maxVertices: number;
  /** Smaller meshes are subdivided for training (the paper: 1000); 0 for none. */
  minVertices: number;
  /** Variants of each training character in addition to the original. */
  variants: number;
  variantSeed: number;
  /** Probability that a joint rotates in a variant, and the deviation of the angle in degrees. */
  poseProbability: number;
  poseDegrees: number;
  /** Probability that joints are removed from a variant, and the fraction removed. */
  thinProbability: number;
  thinShare: number;
  /** Probability that a variant is reduced, to between a fifth and all of its vertices. */
  coarsenProbability: number;
  /** Probability that parts and bones of a variant are resized. */
  resizeProbability: number;
  /** Probability that bones of a variant are split, and the maximum fraction of them. */
  splitProbability: number;
  splitShare: number;
  /** Probability that the joints of a variant are moved slightly. */
  moveProbability: number;
  /** Probability that loose parts of another character are attached to a variant. */
  attachProbability: number;
  /** Probability that a variant loses or gains joints without weight. */
  helperProbability: number;
  /** Probability that a variant gets a control rig. */
  twinProbability: number;
}

/** Default sample settings. */
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

/** Whether two settings are equal, in any order of their entries. */
export function sameSettings(one: unknown, other: unknown): boolean {
  return JSON.stringify(sortedEntries(one)) === JSON.stringify(sortedEntries(other));
}

/** Sorts entries by name, at every level. */
export function sortedEntries(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, entry]) => [name, sortedEntries(entry)]);
}
