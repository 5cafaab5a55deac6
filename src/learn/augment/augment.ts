import { createRandom, normal } from "../../math/random.ts";
import type { Sample } from "../sample.ts";
import { hideNames } from "./change-helpers.ts";
import {
  jitter,
  mirror,
  randomRotation,
  rotateSample,
  stretch,
  verticalRotation,
} from "./deform-sample.ts";
import { mergeBones } from "./merge-bones.ts";

/** Random changes each time a sample is used; 0 disables a change. */
export interface AugmentOptions {
  /** Probability of mirroring. */
  mirror: number;
  /** Standard deviation of the logarithm of each axis' scale. */
  stretch: number;
  /** Standard deviation of the rotation about the vertical axis, in degrees. */
  turn: number;
  /** Probability of a rotation about any other axis. */
  tumble: number;
  /** Maximum fraction of bones merged into their parents. */
  merge: number;
  /** Standard deviation of the logarithm of a distance. */
  jitter: number;
  /** Probability that all joint names are removed. */
  hideAllNames: number;
  /** Probability that a joint's name is removed. */
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

/** No changes, for validation. */
export const NO_AUGMENT: AugmentOptions = Object.fromEntries(
  Object.keys(AUGMENT_DEFAULTS).map((name) => [name, 0]),
) as unknown as AugmentOptions;

/** Applies random changes that need no new distances; deterministic by seed. */
export function augment(sample: Sample, options: AugmentOptions, seed: string): Sample {
  const random = createRandom(seed);
  let out = sample;
  // All numbers are drawn even if unused, so that disabling a change does not affect the others.
  const flip = random() < options.mirror;
  const angle = (normal(random) * options.turn * Math.PI) / 180;
  const factors = [0, 1, 2].map(() => Math.exp(normal(random) * options.stretch));
  if (options.merge > 0) {
    const mergeRandom = createRandom(`${seed}/merge`);
    // Half of the samples keep the skeleton.
    const share = Math.max(0, 2 * mergeRandom() - 1) * options.merge;
    if (share > 0) out = mergeBones(out, mergeRandom, share);
  }
  if (flip) out = mirror(out);
  if (options.stretch > 0) out = stretch(out, factors as [number, number, number]);
  if (options.turn > 0) out = rotateSample(out, verticalRotation(angle));
  if (options.tumble > 0) {
    const tumbleRandom = createRandom(`${seed}/tumble`);
    if (tumbleRandom() < options.tumble) out = rotateSample(out, randomRotation(tumbleRandom));
  }
  if (options.hideAllNames > 0 || options.hideNames > 0) {
    const namesRandom = createRandom(`${seed}/names`);
    out = hideNames(out, namesRandom, { all: options.hideAllNames, each: options.hideNames });
  }
  if (options.jitter > 0) out = jitter(out, random, options.jitter);
  return out;
}
