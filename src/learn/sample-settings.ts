import { MEASURED_BONES } from "../distance/bone-distances.ts";
import type { MeasureConfig } from "../graph/model-config.ts";

/** All settings that affect samples; a change invalidates them. */
export interface SampleSettings {
  /** How characters are measured, also stored in the model. */
  measure: MeasureConfig;
  /** Candidate bones per vertex. */
  k: number;
  /** Geodesic neighbors per vertex. */
  ball: number;
  /** Meshes with more vertices are simplified for training. */
  maxVertices: number;
  /** Meshes with fewer vertices are subdivided for training (the paper: 1000); 0 disables. */
  minVertices: number;
  /** Variants of each training character in addition to the original. */
  variants: number;
  /** Seed of the variants. */
  variantSeed: number;
  /** Probability that a joint rotates, and the standard deviation of the angle in degrees. */
  poseProbability: number;
  poseDegrees: number;
  /** Probability of removing joints, and the fraction of them. */
  thinProbability: number;
  thinShare: number;
  /** Probability of simplifying the mesh, to between a fifth and all of its vertices. */
  coarsenProbability: number;
  /** Probability of changing proportions. */
  resizeProbability: number;
  /** Probability of splitting bones, and the maximum fraction of them. */
  splitProbability: number;
  splitShare: number;
  /** Probability of moving joints slightly. */
  moveProbability: number;
  /** Probability of attaching a loose part of another character. */
  attachProbability: number;
  /** Probability of adding or removing joints without weight. */
  helperProbability: number;
  /** Probability of adding a control rig. */
  twinProbability: number;
}

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

/** Returns whether two settings are equal, in any order of keys. */
export function sameSettings(one: unknown, other: unknown): boolean {
  return JSON.stringify(sortedEntries(one)) === JSON.stringify(sortedEntries(other));
}

/** Returns entries sorted by key, recursively. */
export function sortedEntries(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, entry]) => [name, sortedEntries(entry)]);
}
