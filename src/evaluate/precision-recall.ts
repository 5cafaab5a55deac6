import type { BoneDistances } from "../distance/bone-distances.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";
import type { Preset } from "./presets.ts";

export interface PrecisionRecall {
  /** Fraction of predicted influences that are correct; 0 if nothing was predicted. */
  precision: number;
  /** Fraction of the artist's influences that were found. */
  recall: number;
}

/**
 * Computes precision and recall of influences by the rules of the preset.
 *
 * A vertex without a predicted influence does not count for the precision, one without an artist's influence
 * not for the recall.
 *
 * @param predicted V rows, already thinned by the preset
 * @param artist V rows
 */
export function precisionRecall(
  predicted: SkinWeights,
  artist: SkinWeights,
  preset: Pick<Preset, "predictedAbove" | "artistAbove" | "counted">,
): PrecisionRecall {
  const perVertex = preset.counted === "vertices";
  const V = artist.weights.length / artist.influences;
  const precision = { part: 0, total: 0 };
  const recall = { part: 0, total: 0 };
  const add = (ratio: { part: number; total: number }, part: number, total: number) => {
    if (total === 0) return;
    ratio.part += perVertex ? part / total : part;
    ratio.total += perVertex ? 1 : total;
  };
  for (let vertex = 0; vertex < V; vertex++) {
    const guesses = influencesAbove(predicted, vertex, preset.predictedAbove);
    const truths = influencesAbove(artist, vertex, preset.artistAbove);
    let hits = 0;
    for (const joint of guesses) if (truths.includes(joint)) hits++;
    add(precision, hits, guesses.length);
    add(recall, hits, truths.length);
  }
  return { precision: quotient(precision), recall: quotient(recall) };
}

function influencesAbove(rows: SkinWeights, vertex: number, threshold: number): number[] {
  const found: number[] = [];
  const end = (vertex + 1) * rows.influences;
  for (let slot = vertex * rows.influences; slot < end; slot++) {
    if (rows.weights[slot] > threshold) found.push(rows.joints[slot]);
  }
  return found;
}

function quotient({ part, total }: { part: number; total: number }): number {
  return total === 0 ? 0 : part / total;
}

/**
 * Returns the L1 error if the K nearest bones had exactly the artist's weights, renormalized: the lower limit
 * of a method restricted to these bones.
 *
 * With a fraction s of the artist's weight on the K nearest the error of a vertex is 2 (1 - s); if s is 0 the
 * vertex has no weight and scores 1.
 *
 * @param artist V rows, each with sum 1
 * @param distances at least `k` bones per vertex
 */
export function oracleAtK(artist: SkinWeights, distances: BoneDistances, k: number): number {
  const V = artist.weights.length / artist.influences;
  let sum = 0;
  for (const fraction of shareWithinK(artist, distances, k)) {
    sum += fraction > 0 ? 2 * (1 - fraction) : 1;
  }
  return V === 0 ? 0 : sum / V;
}

/** Returns the fraction of each vertex's weight on its K nearest bones, V. */
export function shareWithinK(
  weights: SkinWeights,
  distances: BoneDistances,
  k: number,
): Float32Array {
  const V = weights.weights.length / weights.influences;
  const fractions = new Float32Array(V);
  const slots = Math.min(k, distances.k);
  for (let vertex = 0; vertex < V; vertex++) {
    const near = distances.bones.subarray(vertex * distances.k, vertex * distances.k + slots);
    const end = (vertex + 1) * weights.influences;
    let sum = 0;
    for (let slot = vertex * weights.influences; slot < end; slot++) {
      if (weights.weights[slot] > 0 && near.includes(weights.joints[slot])) {
        sum += weights.weights[slot];
      }
    }
    fractions[vertex] = Math.min(1, sum);
  }
  return fractions;
}
