import { DEFAULT_PRESET, findPreset, thinWeights } from "../evaluate/metrics.ts";
import {
  DEFAULT_TRUST,
  mixFound,
  type Neighbor,
  type NeighborTrust,
  neighborFinder,
} from "../examples/neighbor-weights.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";
import { type Example, exampleL1, type Scores } from "./learn.ts";

/** The chosen interpolation factor and the scores of the examples. */
export interface ChosenShare {
  /** 0 to {@link MAX}. */
  share: number;
  before: Scores;
  after: Scores;
}

/** Going all the way overfits. */
const MAX = 0.8;
const STEP = 0.4;
const SMALL_STEP = 0.2;
/** A step is taken if the error drops to this fraction or less. */
const WORTH_IT = 0.9;

/**
 * Chooses how far to move toward the learned parameters, as long as each step improves the held-out
 * examples. A single example cannot be held out; its factor grows with the initial error and with
 * how well it was learned.
 *
 * @param scoreAt returns the errors at a factor, each example by the fold trained without it
 */
export async function chooseShare(
  examples: number,
  scoreAt: (share: number) => Promise<Scores>,
): Promise<ChosenShare> {
  const [before, far] = [await scoreAt(0), await scoreAt(MAX)];
  if (examples === 1) {
    const share = singleShare(before[0], far[0]);
    return { share, before, after: share === 0 ? before : await scoreAt(share) };
  }
  const some = await scoreAt(STEP);
  if (total(some) <= WORTH_IT * total(before)) {
    const isFarther = total(far) <= WORTH_IT * total(some);
    return isFarther ? { share: MAX, before, after: far } : { share: STEP, before, after: some };
  }
  const little = await scoreAt(SMALL_STEP);
  const helps = total(little) < total(before);
  return { share: helps ? SMALL_STEP : 0, before, after: helps ? little : before };
}

/** Initial error of an example below which nothing is left to learn ... */
const NOTHING_TO_LEARN = 0.1;
/** ... and from which all of it is. */
const ALL_TO_LEARN = 0.5;
/**
 * Remaining fraction of the error on an example that was learned well, and on one that was not.
 */
const LEARNED = 0.5;
const NOT_LEARNED = 0.85;

function singleShare(before: number, after: number): number {
  const toLearn = (before - NOTHING_TO_LEARN) / (ALL_TO_LEARN - NOTHING_TO_LEARN);
  const learned = (NOT_LEARNED - after / before) / (NOT_LEARNED - LEARNED);
  const within = (value: number) => Math.min(1, Math.max(0, value));
  return Number((MAX * within(toLearn) * within(learned)).toFixed(2));
}

function total(scores: Scores): number {
  return scores.reduce((sum, l1) => sum + l1, 0);
}

/** With several examples nearly every vertex has a close neighbor. */
const FULL_TRUST: NeighborTrust = { most: 1, within: 0.2 };
/** For examples too different to represent each other. */
const NO_TRUST: NeighborTrust = { most: 0, within: 0.1 };

/**
 * Chooses how much to trust the examples' vertices over the network: the usual amount for one
 * example, fully for several unless that increases the error when each is represented by the
 * others, not at all if no two are related.
 *
 * @param weighed the network's weights of each example, from the fold trained without it
 */
export function chooseTrust(examples: Example[], weighed: SkinWeights[]): NeighborTrust {
  if (examples.length < 2) return DEFAULT_TRUST;
  // The neighbor search dominates the time and is the same for each trust.
  const neighbors = examples.map((example) => neighborsAmong(example, examples));
  if (neighbors.every((found) => !found)) return NO_TRUST;
  const preset = findPreset(DEFAULT_PRESET);
  const error = (trust: NeighborTrust): number =>
    examples.reduce((sum, example, i) => {
      const found = neighbors[i];
      const mixed = found ? mixFound(weighed[i], (vertex) => found[vertex], trust) : weighed[i];
      return sum + exampleL1(example, thinWeights(mixed, preset));
    }, 0);
  return error(DEFAULT_TRUST) <= WORTH_IT * error(FULL_TRUST) ? DEFAULT_TRUST : FULL_TRUST;
}

/** Returns the neighbors of each vertex among the other examples; undefined if none is related. */
function neighborsAmong(example: Example, examples: Example[]): Neighbor[] | undefined {
  const others = examples.filter((other) => other !== example).map(({ exemplar }) => exemplar);
  const [{ input, counts }] = example.samples;
  const find = neighborFinder(input, others);
  return find && Array.from(counts, (_, vertex) => find(vertex));
}
