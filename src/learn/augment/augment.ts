import { createRandom, normal } from "../../math/random.ts";
import type { Sample } from "../sample.ts";
import { hideNames } from "./change-helpers.ts";
import {
  aboutVertical,
  anyRotation,
  jitter,
  mirror,
  rotateSample,
  stretch,
} from "./deform-sample.ts";
import { mergeBones } from "./merge-bones.ts";

/** Random changes each time a sample is used; 0 disables a change. */
export interface AugmentOptions {
  /** Probability of a mirrored sample. */
  mirror: number;
  /** Standard deviation of the logarithm of each axis' scale. */
  stretch: number;
  /** Standard deviation of the rotation about the vertical axis, in degrees. */
  turn: number;
  /** Probability of a lying, upside-down or arbitrarily rotated sample. */
  tumble: number;
  /** Maximum fraction of bones merged into their parents. */
  merge: number;
  /** Standard deviation of the logarithm of a distance. */
  jitter: number;
  hideAllNames: number;
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

/** No change, for validation. */
export const NO_AUGMENT: AugmentOptions = Object.fromEntries(
  Object.keys(AUGMENT_DEFAULTS).map((name) => [name, 0]),
) as unknown as AugmentOptions;

/** Applies the random changes that need no new distances; deterministic for a seed. */
export function augment(sample: Sample, options: AugmentOptions, seed: string): Sample {
  const random = createRandom(seed);
  let out = sample;
  // All numbers are drawn whether they are used or not, so that options do not affect each other.
  const flip = random() < options.mirror;
  const angle = (normal(random) * options.turn * Math.PI) / 180;
  const factors = [0, 1, 2].map(() => Math.exp(normal(random) * options.stretch));
  if (options.merge > 0) {
    const mergeRandom = createRandom(`${seed}/merge`);
    // Half of the samples keep the skeleton.
    const fraction = Math.max(0, 2 * mergeRandom() - 1) * options.merge;
    if (fraction > 0) out = mergeBones(out, mergeRandom, fraction);
  }
  if (flip) out = mirror(out);
  if (options.stretch > 0) out = stretch(out, factors as [number, number, number]);
  if (options.turn > 0) out = rotateSample(out, aboutVertical(angle));
  if (options.tumble > 0) {
    const tumbleRandom = createRandom(`${seed}/tumble`);
    if (tumbleRandom() < options.tumble) out = rotateSample(out, anyRotation(tumbleRandom));
  }
  if (options.hideAllNames > 0 || options.hideNames > 0) {
    const namesRandom = createRandom(`${seed}/names`);
    out = hideNames(out, namesRandom, { all: options.hideAllNames, each: options.hideNames });
  }
  if (options.jitter > 0) out = jitter(out, random, options.jitter);
  return out;
}
