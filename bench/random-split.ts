import { createRandom, shuffled } from "../src/math/random.ts";

/** Number of scored characters; all others are for training (section 4.1 of the paper). */
const SCORED = 100;

/**
 * A random split over characters as in the paper, whatever their skeletons: siblings of a scored character may be
 * in the training set.
 */
export function randomSplit(ids: string[], seed: number): Map<string, "train" | "test"> {
  const sorted = [...ids].sort();
  const order = shuffled(ids.length, createRandom(`random split ${seed}`));
  return new Map(order.map((character, at) => [sorted[character], at < SCORED ? "test" : "train"]));
}
