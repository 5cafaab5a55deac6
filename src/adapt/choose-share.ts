import { DEFAULT_PRESET, findPreset, thinWeights } from "../evaluate/presets.ts";
import {
  DEFAULT_TRUST,
  mixFound,
  type Neighbor,
  type NeighborTrust,
  neighborFinder,
} from "../examples/neighbor-weights.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";
import type { Example } from "./example.ts";
import { exampleL1, type Scores } from "./learn.ts";

/** The chosen interpolation towards the trained parameters, and the examples' errors. */
export interface ChosenShare {
  /** 0 to {@link MOST}. */
  share: number;
  before: Scores;
  after: Scores;
}

/** Maximum interpolation: 1 is too far. */
const MOST = 0.8;
/** Smaller interpolations, and one that needs less evidence. */
const SOME = 0.4;
const LITTLE = 0.2;
/** Relative error at which a larger interpolation is accepted. */
const WORTH_IT = 0.9;

/**
 * Chooses the largest interpolation that pays for the held-out examples. A single example cannot be held out: it
 * is trusted more, the more there was to learn from it, and the better it was learned.
 *
 * @param scoreAt errors at an interpolation, each example by the fold that has not seen it
 */
export async function chooseShare(
  examples: number,
  scoreAt: (share: number) => Promise<Scores>,
): Promise<ChosenShare> {
  const [before, most] = [await scoreAt(0), await scoreAt(MOST)];
  if (examples === 1) {
    const share = singleShare(before[0], most[0]);
    return { share, before, after: share === 0 ? before : await scoreAt(share) };
  }
  const some = await scoreAt(SOME);
  if (total(some) <= WORTH_IT * total(before)) {
    const isFarther = total(most) <= WORTH_IT * total(some);
    return isFarther ? { share: MOST, before, after: most } : { share: SOME, before, after: some };
  }
  const little = await scoreAt(LITTLE);
  const helps = total(little) < total(before);
  return { share: helps ? LITTLE : 0, before, after: helps ? little : before };
}

/** Below this error of the old model there is nothing to learn from an example ... */
const NOTHING_TO_LEARN = 0.1;
/** ... and from this error on everything. */
const ALL_TO_LEARN = 0.5;
/** Remaining error of an example that was learned well, and of one that was not. */
const LEARNED = 0.5;
const NOT_LEARNED = 0.85;

function singleShare(before: number, after: number): number {
  const toLearn = (before - NOTHING_TO_LEARN) / (ALL_TO_LEARN - NOTHING_TO_LEARN);
  const learned = (NOT_LEARNED - after / before) / (NOT_LEARNED - LEARNED);
  const within = (value: number) => Math.min(1, Math.max(0, value));
  return Number((MOST * within(toLearn) * within(learned)).toFixed(2));
}

function total(scores: Scores): number {
  return scores.reduce((sum, l1) => sum + l1, 0);
}

/** Two or more examples have a similar vertex nearly everywhere. */
const FULL_TRUST: NeighborTrust = { most: 1, within: 0.2 };
/** Unrelated bodies: the next will not resemble them either. */
const NO_TRUST: NeighborTrust = { most: 0, within: 0.1 };
/**
 * Chooses the trust in the examples' vertices relative to the network: the default for one example; full for
 * more, unless that is worse on held-out examples; none if no two are related.
 *
 * @param weighed the network's weights of each example, trained without it
 */
export function chooseTrust(examples: Example[], weighed: SkinWeights[]): NeighborTrust {
  if (examples.length < 2) return DEFAULT_TRUST;
  // The search for neighbors is slow, and the same for each trust.
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

/** The neighbors of each vertex among the other examples; undefined if none is related. */
function neighborsAmong(example: Example, examples: Example[]): Neighbor[] | undefined {
  const others = examples.filter((other) => other !== example);
  const [{ input, counts }] = example.samples;
  const find = neighborFinder(
    input,
    others.map(({ exemplar }) => exemplar),
  );
  return find && Array.from(counts, (_, vertex) => find(vertex));
}
