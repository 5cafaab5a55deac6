import { createRandom, shuffled } from "../src/math/random.ts";

/** So many characters are scored, all others are learned from: section 4.1 of the paper. */
const SCORED = 100;

/**
 * A split at random over characters, as the paper's is, whatever their skeletons: siblings of a scored
 * character may be learned from.
 */
export function randomSplit(ids: string[], seed: number): Map<string, "train" | "test"> {
  const sorted = [...ids].sort();
  const order = shuffled(ids.length, createRandom(`random split ${seed}`));
  return new Map(order.map((character, at) => [sorted[character], at < SCORED ? "test" : "train"]));
}
