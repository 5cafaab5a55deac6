import type { BoneDistances } from "../src/distance/bone-distances.ts";
import type { SkinWeights } from "../src/weights/skin-weights.ts";

/** Coverage of the artist's weights by the K nearest bones, for K = 1 to the length of each list. */
export interface Coverage {
  /** Fraction of the weight on the K nearest bones, 0 to 1. */
  weight: number[];
  /** Fraction of the influences (weights above {@link INFLUENCE}) among the K nearest bones, 0 to 1. */
  influences: number[];
}

/** An artist's weight above this is an influence. */
const INFLUENCE = 1e-4;

/**
 * Measures how much of the artist's weights is on the K nearest bones by a distance: the upper bound for a method
 * that considers K bones (the paper's figure over K).
 */
export function coverageOf(artist: SkinWeights, distances: BoneDistances): Coverage {
  const { k, bones } = distances;
  const weightAt = new Float64Array(k);
  const influencesAt = new Float64Array(k);
  let weights = 0;
  let influences = 0;
  for (let i = 0; i < artist.weights.length; i++) {
    const weight = artist.weights[i];
    if (!(weight > 0)) continue;
    const first = Math.floor(i / artist.influences) * k;
    const rank = bones.subarray(first, first + k).indexOf(artist.joints[i]);
    const counts = weight > INFLUENCE ? 1 : 0;
    weights += weight;
    influences += counts;
    if (rank < 0) continue;
    weightAt[rank] += weight;
    influencesAt[rank] += counts;
  }
  return { weight: shares(weightAt, weights), influences: shares(influencesAt, influences) };
}

/** Cumulative sums as fractions of a total. */
function shares(parts: Float64Array, total: number): number[] {
  let sum = 0;
  return Array.from(parts, (part) => {
    sum += part;
    return total > 0 ? sum / total : 0;
  });
}

/** Mean over characters with equal weights. */
export function meanCoverage(all: readonly Coverage[]): Coverage {
  const mean = (pick: (coverage: Coverage) => number[]) =>
    pick(all[0]).map((_, k) => all.reduce((sum, one) => sum + pick(one)[k], 0) / all.length);
  return { weight: mean((one) => one.weight), influences: mean((one) => one.influences) };
}
