import { createRandom, normal } from "../../math/random.ts";
import type { Sample } from "../sample.ts";
import { hideNames } from "./change-helpers.ts";
import { aboutVertical, anyTurn, jitter, mirror, stretch, turn } from "./deform-sample.ts";
import { mergeBones } from "./merge-bones.ts";

/** What is changed at random each time a sample is seen; 0 switches a change off. */
export interface AugmentOptions {
  /** Probability of a mirrored sample. */
  mirror: number;
  /** Deviation of the logarithm of each axis' scale. */
  stretch: number;
  /** Deviation of the turn about the vertical axis, in degrees. */
  turn: number;
  /** Probability of a sample that lies down, stands on its head, or is turned in any other way. */
  tumble: number;
  /** Largest share of bones merged into their parents. */
  merge: number;
  /** Deviation of the logarithm of a distance. */
  jitter: number;
  /** Probability that a sample loses all names of its joints. */
  hideAllNames: number;
  /** Probability that a joint loses its name. */
  hideNames: number;
}

export const AUGMENT_DEFAULTS: AugmentOptions = {
  mirror: 0.5,
  stretch: 0.1,
  turn: 15,
  tumble: 0.12,
  merge: 0.15,
  jitter: 0.05,
  hideAllNames: 0.3,
  hideNames: 0.1,
};

/** No change at all, for validation. */
export const NO_AUGMENT: AugmentOptions = {
  mirror: 0,
  stretch: 0,
  turn: 0,
  tumble: 0,
  merge: 0,
  jitter: 0,
  hideAllNames: 0,
  hideNames: 0,
};

/** Applies the random changes that need no new distances; the same seed gives the same sample. */
export function augment(sample: Sample, options: AugmentOptions, seed: string): Sample {
  const random = createRandom(seed);
  let out = sample;
  // Every draw is made whether it is used or not, so that a switch leaves the others' draws alone.
  const flip = random() < options.mirror;
  const angle = (normal(random) * options.turn * Math.PI) / 180;
  const factors = [0, 1, 2].map(() => Math.exp(normal(random) * options.stretch));
  if (options.merge > 0) {
    const mergeRandom = createRandom(`${seed}/merge`);
    // Half of the looks see the skeleton as it is.
    const share = Math.max(0, 2 * mergeRandom() - 1) * options.merge;
    if (share > 0) out = mergeBones(out, mergeRandom, share);
  }
  if (flip) out = mirror(out);
  if (options.stretch > 0) out = stretch(out, factors as [number, number, number]);
  if (options.turn > 0) out = turn(out, aboutVertical(angle));
  if (options.tumble > 0) {
    const tumbleRandom = createRandom(`${seed}/tumble`);
    if (tumbleRandom() < options.tumble) out = turn(out, anyTurn(tumbleRandom));
  }
  if (options.hideAllNames > 0 || options.hideNames > 0) {
    const namesRandom = createRandom(`${seed}/names`);
    out = hideNames(out, namesRandom, { all: options.hideAllNames, each: options.hideNames });
  }
  if (options.jitter > 0) out = jitter(out, random, options.jitter);
  return out;
}
