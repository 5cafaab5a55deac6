import type { BoneDistances } from "../distance/bone-distances.ts";
import { placeRank } from "../skeleton/place-rank.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";

/** Distances closer than this (of a character's size) are taken to be equal. */
const EQUAL = 2e-5;

/**
 * Candidates in an order that hangs on neither the numbering of joints nor the last digits of coordinates.
 *
 * Ties are common: bones that meet in a joint are equally far from whatever lies nearest to it, and so are
 * left and right from the middle. The network reads the order of candidates, so ties go by the joints' places.
 *
 * @param distances nearest first
 */
export function settleTies(distances: BoneDistances, skeleton: Skeleton): BoneDistances {
  const { k } = distances;
  const rank = placeRank(skeleton);
  const out = { k, bones: distances.bones.slice(), distances: distances.distances.slice() };
  for (let first = 0; first < out.bones.length; first += k) {
    for (let slot = first + 1; slot < first + k && out.bones[slot] >= 0; slot++) {
      for (let at = slot; at > first && isTieToSwap(out, at, rank); at--) swap(out, at);
    }
  }
  return out;
}

function isTieToSwap({ bones, distances }: BoneDistances, at: number, rank: Int32Array): boolean {
  return distances[at] - distances[at - 1] < EQUAL && rank[bones[at]] < rank[bones[at - 1]];
}

function swap({ bones, distances }: BoneDistances, at: number): void {
  [bones[at - 1], bones[at]] = [bones[at], bones[at - 1]];
  [distances[at - 1], distances[at]] = [distances[at], distances[at - 1]];
}
