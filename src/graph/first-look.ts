import type { BoneDistances } from "../distance/bone-distances.ts";

/** A cheap first look at many candidates, after which a network judges few of them. */
export interface FirstLook {
  /** Candidates looked at, the nearest ones. */
  from: number;
  /** What the leading columns of a pair's features count in its score. */
  weights: number[];
}

/** The candidates a first look has left, in the order of their scores. */
export interface Chosen {
  /** V×k slots of the measured candidates; -1 in an empty slot. */
  slots: Int32Array;
  /** (V·k)×Fp, the features of the pairs that are left; zero rows in empty slots. */
  features: Float32Array;
}

/**
 * Keeps the `k` candidates of each vertex with the highest scores, a linear function of the pair's features.
 *
 * A vertex has three or four plausible bones; telling them from the rest is far easier than sharing the weight
 * out among them, and a network takes a time in proportion to its pairs.
 *
 * @param features (V·from)×Fp
 * @param distances of the character, at least `look.from` slots a vertex
 */
export function firstLook(
  features: Float32Array,
  { k: slots, bones }: BoneDistances,
  look: FirstLook,
  k: number,
): Chosen {
  const V = bones.length / slots;
  const width = features.length / (V * look.from);
  const chosen: Chosen = {
    slots: new Int32Array(V * k).fill(-1),
    features: new Float32Array(V * k * width),
  };
  const scores = new Float64Array(look.from);
  for (let v = 0; v < V; v++) {
    for (let slot = 0; slot < look.from; slot++) {
      const row = (v * look.from + slot) * width;
      let score = bones[v * slots + slot] < 0 ? Number.NEGATIVE_INFINITY : 0;
      for (let column = 0; column < look.weights.length; column++) {
        score += look.weights[column] * features[row + column];
      }
      scores[slot] = score;
    }
    for (let place = 0; place < k; place++) {
      let best = 0;
      for (let slot = 1; slot < look.from; slot++) if (scores[slot] > scores[best]) best = slot;
      if (scores[best] === Number.NEGATIVE_INFINITY) break;
      scores[best] = Number.NEGATIVE_INFINITY;
      const row = (v * look.from + best) * width;
      chosen.slots[v * k + place] = best;
      chosen.features.set(features.subarray(row, row + width), (v * k + place) * width);
    }
  }
  return chosen;
}
