import type { BoneDistances } from "../distance/bone-distances.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";

/**
 * L1 to the artist as a sum of what goes with it, fitted to 90 validation characters with the default model
 * and to 164 training characters of skeletons that the permissive model has not seen, with that one, both sets
 * counted alike. In ten folds the rank correlation is 0.82 on the former and 0.77 on the latter; of settled
 * weights it would be 0.72 and 0.69. How fast weights change along edges adds nothing.
 */
const OFFSET = -0.103;
const PER_DIVISION = 2.277;
const PER_FARNESS = 0.613;

/** How far those characters' vertices are from their nearest bone, for want of distances. */
const USUAL_FARNESS = 0.112;

/**
 * How far a character's weights are expected to be from an artist's, as an L1 error from 0 to 2.
 *
 * A network that knows what it sees gives a vertex to one bone, or to the two that share it; one that does
 * not spreads the weight. So what says most is the mean share that does not go to the heaviest joint. A body
 * far from its bones adds to it.
 *
 * @param given the network's weights before they were settled, which hides doubt, or else as the method gave
 *   them; any order
 * @param distances to the nearest bones, in longest sides of the mesh
 */
export function doubtScore(
  given: { solved: SkinWeights; unsettled?: SkinWeights | undefined },
  distances?: BoneDistances,
): number {
  const score =
    OFFSET +
    PER_DIVISION * division(given.unsettled ?? given.solved) +
    PER_FARNESS * (distances ? farness(distances) : USUAL_FARNESS);
  return Math.min(2, Math.max(0, score));
}

/** Mean share of the weight that does not go to the heaviest joint. */
function division({ influences, weights }: SkinWeights): number {
  const count = weights.length / influences;
  let divided = 0;
  for (let v = 0; v < count; v++) {
    let [total, most] = [0, 0];
    for (let i = v * influences; i < (v + 1) * influences; i++) {
      total += weights[i];
      if (weights[i] > most) most = weights[i];
    }
    // Nothing is known of a vertex without weight.
    divided += total > 0 ? 1 - most / total : 1;
  }
  return divided / Math.max(1, count);
}

/** Mean distance to the nearest bone, a vertex at most 1. */
function farness({ k, distances }: BoneDistances): number {
  let sum = 0;
  for (let at = 0; at < distances.length; at += k) sum += Math.min(1, distances[at]);
  return (sum * k) / Math.max(1, distances.length);
}
