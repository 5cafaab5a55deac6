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
