import type { BoneDistances } from "../src/distance/bone-distances.ts";
import type { SkinWeights } from "../src/weights/skin-weights.ts";

/** What the K nearest bones hold of the artist's weights, for K = 1 to the length of each list. */
export interface Coverage {
  /** Share of the weight on the K nearest bones, 0 to 1. */
  weight: number[];
  /** Share of the influences (weights above {@link INFLUENCE}) among the K nearest bones, 0 to 1. */
  influences: number[];
}

/** An artist's weight above this is an influence. */
const INFLUENCE = 1e-4;

/**
 * How much of the artist's weights lies on the K nearest bones under a distance: what a method that
 * looks at K bones cannot lose (the paper's figure over K).
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

/** Running sums as shares of a total. */
function shares(parts: Float64Array, total: number): number[] {
  let sum = 0;
  return Array.from(parts, (part) => {
    sum += part;
    return total > 0 ? sum / total : 0;
  });
}

/** The mean over characters, each counting once. */
export function meanCoverage(all: readonly Coverage[]): Coverage {
  const mean = (pick: (coverage: Coverage) => number[]) =>
    pick(all[0]).map((_, k) => all.reduce((sum, one) => sum + pick(one)[k], 0) / all.length);
  return { weight: mean((one) => one.weight), influences: mean((one) => one.influences) };
}
