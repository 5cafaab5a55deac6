import type { BoneDistances } from "../distance/bone-distances.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";
import type { Preset } from "./presets.ts";

export interface PrecisionRecall {
  /** Predicted influences that are right, 0 to 1; 0 where nothing was predicted. */
  precision: number;
  /** Artist's influences that were found, 0 to 1. */
  recall: number;
}

/**
 * Precision and recall of influences, counted as the preset says.
 *
 * A vertex without a predicted influence has no say in the precision, one without an artist's
 * influence none in the recall, whether entries or vertices are counted.
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
  const precision = { part: 0, whole: 0 };
  const recall = { part: 0, whole: 0 };
  const add = (ratio: { part: number; whole: number }, part: number, whole: number) => {
    if (whole === 0) return;
    ratio.part += perVertex ? part / whole : part;
    ratio.whole += perVertex ? 1 : whole;
  };
  for (let vertex = 0; vertex < V; vertex++) {
    const guesses = influencesAbove(predicted, vertex, preset.predictedAbove);
    const truths = influencesAbove(artist, vertex, preset.artistAbove);
    let hits = 0;
    for (const joint of guesses) if (truths.includes(joint)) hits++;
    add(precision, hits, guesses.length);
    add(recall, hits, truths.length);
  }
  return { precision: share(precision), recall: share(recall) };
}

function influencesAbove(rows: SkinWeights, vertex: number, threshold: number): number[] {
  const found: number[] = [];
  const end = (vertex + 1) * rows.influences;
  for (let slot = vertex * rows.influences; slot < end; slot++) {
    if (rows.weights[slot] > threshold) found.push(rows.joints[slot]);
  }
  return found;
}

function share({ part, whole }: { part: number; whole: number }): number {
  return whole === 0 ? 0 : part / whole;
}

/**
 * The L1 error left if the K nearest bones got exactly the artist's weights, renormalized: what a
 * method that looks only at those bones cannot win back.
 *
 * With a share s of the artist's weight inside the K nearest the error of a vertex is 2 (1 - s);
 * where s is 0 the vertex is left without weight and scores 1.
 *
 * @param artist V rows, each with sum 1
 * @param distances at least `k` bones a vertex
 */
export function oracleAtK(artist: SkinWeights, distances: BoneDistances, k: number): number {
  const V = artist.weights.length / artist.influences;
  const shares = shareWithinK(artist, distances, k);
  let sum = 0;
  for (const share of shares) sum += share > 0 ? 2 * (1 - share) : 1;
  return V === 0 ? 0 : sum / V;
}

/** V, the share of each vertex's weight that lies on its K nearest bones. */
export function shareWithinK(
  weights: SkinWeights,
  distances: BoneDistances,
  k: number,
): Float32Array {
  const V = weights.weights.length / weights.influences;
  const shares = new Float32Array(V);
  const slots = Math.min(k, distances.k);
  for (let vertex = 0; vertex < V; vertex++) {
    const near = distances.bones.subarray(vertex * distances.k, vertex * distances.k + slots);
    const end = (vertex + 1) * weights.influences;
    let share = 0;
    for (let slot = vertex * weights.influences; slot < end; slot++) {
      if (weights.weights[slot] > 0 && near.includes(weights.joints[slot])) {
        share += weights.weights[slot];
      }
    }
    shares[vertex] = Math.min(1, share);
  }
  return shares;
}
