import type { BoneDistances } from "../distance/bone-distances.ts";
import { InputError } from "../input-error.ts";
import { mean } from "../math/arrays.ts";
import { readRow, rowCount, type SkinWeights } from "../weights/skin-weights.ts";

/** Scoring rules: how a prediction is pruned and what counts as an influence. */
export interface Preset {
  name: PresetName;
  /** Entries below this are set to zero first; 0 disables. */
  floor: number;
  /** Then entries below `prune` times the row's maximum are set to zero; 0 disables. */
  prune: number;
  /** A predicted weight above this is an influence. */
  predictedAbove: number;
  /** An artist's weight above this is an influence. */
  artistAbove: number;
  /** Whether precision and recall count all entries, or average over vertices. */
  counted: "entries" | "vertices";
}

/** `paper` is HeterSkinNet; the others are named after their projects. */
export type PresetName = "paper" | "rignet" | "puppeteer" | "anymate";

const presets: Record<PresetName, Omit<Preset, "name">> = {
  paper: { floor: 0, prune: 0.25, predictedAbove: 1e-4, artistAbove: 1e-4, counted: "entries" },
  rignet: { floor: 0, prune: 0.35, predictedAbove: 0, artistAbove: 0, counted: "entries" },
  puppeteer: { floor: 1e-3, prune: 0.15, predictedAbove: 0, artistAbove: 0, counted: "entries" },
  anymate: { floor: 0, prune: 0, predictedAbove: 0.05, artistAbove: 0.05, counted: "vertices" },
};

export const PRESET_NAMES: PresetName[] = Object.keys(presets) as PresetName[];

export const DEFAULT_PRESET: PresetName = "paper";

/** Finds a preset by name; `heterskinnet` is the former name of `paper`. */
export function findPreset(given: string): Preset {
  const name = given === "heterskinnet" ? "paper" : given;
  if (!Object.hasOwn(presets, name)) {
    throw new InputError(`Unknown preset "${given}"; choose one of ${PRESET_NAMES.join(", ")}.`);
  }
  return { name: name as PresetName, ...presets[name as PresetName] };
}

/** Prunes a prediction by the preset's rules and renormalizes; slots keep their order. */
export function thinWeights(predicted: SkinWeights, preset: Preset): SkinWeights {
  const { influences, joints } = predicted;
  const weights = predicted.weights.slice();
  for (let start = 0; start < weights.length; start += influences) {
    const row = weights.subarray(start, start + influences);
    let largest = 0;
    for (const weight of row) largest = Math.max(largest, weight);
    const threshold = Math.max(preset.floor, preset.prune * largest);
    let sum = 0;
    for (let slot = 0; slot < influences; slot++) {
      if (row[slot] < threshold) row[slot] = 0;
      sum += row[slot];
    }
    if (sum > 0) for (let slot = 0; slot < influences; slot++) row[slot] /= sum;
  }
  return { influences, joints, weights };
}

/**
 * Returns the L1 error of each vertex: the sum over all joints of |predicted - artist|, 0 to 2.
 *
 * A vertex without predicted weight scores 1.
 */
export function vertexL1(predicted: SkinWeights, artist: SkinWeights): Float32Array {
  const errors = new Float32Array(rowCount(artist));
  eachDifference(artist, predicted, (difference, joints, vertex) => {
    errors[vertex] = joints.reduce((sum, joint) => sum + Math.abs(difference[joint]), 0);
  });
  return errors;
}

/** Returns the mean of {@link vertexL1}. */
export function meanL1(predicted: SkinWeights, artist: SkinWeights): number {
  const errors = vertexL1(predicted, artist);
  return errors.length === 0 ? 0 : mean(errors);
}

/** Visits b - a for each vertex: a number per joint, zero except at `joints`. */
export function eachDifference(
  a: SkinWeights,
  b: SkinWeights,
  visit: (difference: readonly number[], joints: readonly number[], vertex: number) => void,
): void {
  // One list for all rows, so that no V×J table is needed.
  const difference: number[] = [];
  let touched: number[] = [];
  const add = ({ influences, joints, weights }: SkinWeights, vertex: number, sign: number) => {
    for (let slot = vertex * influences; slot < (vertex + 1) * influences; slot++) {
      if (weights[slot] === 0) continue;
      const joint = joints[slot];
      if (!difference[joint]) {
        difference[joint] = 0;
        touched.push(joint);
      }
      difference[joint] += sign * weights[slot];
    }
  };
  for (let vertex = 0; vertex < rowCount(a); vertex++) {
    touched = [];
    add(a, vertex, -1);
    add(b, vertex, 1);
    visit(difference, touched, vertex);
    for (const joint of touched) difference[joint] = 0;
  }
}

export interface PrecisionRecall {
  /** Fraction of the predicted influences that are correct; 0 if there are none. */
  precision: number;
  /** Fraction of the artist's influences that are predicted. */
  recall: number;
}

/**
 * Returns precision and recall of influences, counted by the preset's rule.
 *
 * Vertices without a predicted influence do not affect the precision, vertices without an artist's
 * influence do not affect the recall.
 *
 * @param predicted V rows, already pruned by the preset
 */
export function precisionRecall(
  predicted: SkinWeights,
  artist: SkinWeights,
  preset: Pick<Preset, "predictedAbove" | "artistAbove" | "counted">,
): PrecisionRecall {
  const perVertex = preset.counted === "vertices";
  const precision = { part: 0, total: 0 };
  const recall = { part: 0, total: 0 };
  const add = (ratio: typeof recall, part: number, total: number) => {
    if (total === 0) return;
    ratio.part += perVertex ? part / total : part;
    ratio.total += perVertex ? 1 : total;
  };
  const ratioOf = ({ part, total }: typeof recall) => (total === 0 ? 0 : part / total);
  for (let vertex = 0; vertex < rowCount(artist); vertex++) {
    const guesses = influencesAbove(predicted, vertex, preset.predictedAbove);
    const truths = influencesAbove(artist, vertex, preset.artistAbove);
    const hits = guesses.filter((joint) => truths.includes(joint)).length;
    add(precision, hits, guesses.length);
    add(recall, hits, truths.length);
  }
  return { precision: ratioOf(precision), recall: ratioOf(recall) };
}

function influencesAbove(rows: SkinWeights, vertex: number, threshold: number): number[] {
  const found: number[] = [];
  const end = (vertex + 1) * rows.influences;
  for (let slot = vertex * rows.influences; slot < end; slot++) {
    if (rows.weights[slot] > threshold) found.push(rows.joints[slot]);
  }
  return found;
}

/**
 * Returns the L1 error of the artist's weights restricted to the K nearest bones and renormalized:
 * the lower bound of a method that sees only those bones.
 *
 * The error of a vertex with a fraction s of its weight on those bones is 2 (1 - s), or 1 if s is
 * 0.
 *
 * @param artist V rows, each with sum 1
 * @param distances at least `k` bones per vertex
 */
export function oracleAtK(artist: SkinWeights, distances: BoneDistances, k: number): number {
  const fractions = fractionWithinK(artist, distances, k);
  if (fractions.length === 0) return 0;
  return mean(Array.from(fractions, (fraction) => (fraction > 0 ? 2 * (1 - fraction) : 1)));
}

/** Returns the fraction of each vertex's weight on its K nearest bones (V). */
export function fractionWithinK(
  weights: SkinWeights,
  distances: BoneDistances,
  k: number,
): Float32Array {
  const slots = Math.min(k, distances.k);
  return Float32Array.from({ length: rowCount(weights) }, (_, vertex) => {
    const near = distances.bones.subarray(vertex * distances.k, vertex * distances.k + slots);
    const { joints, values } = readRow(weights, vertex);
    let fraction = 0;
    joints.forEach((joint, i) => {
      if (near.includes(joint)) fraction += values[i];
    });
    return Math.min(1, fraction);
  });
}
