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

/** How far an adapted model goes towards what was learned, and what that does for the examples. */
export interface ChosenShare {
  /** 0 to {@link MOST}. */
  share: number;
  before: Scores;
  after: Scores;
}

/** All the way is too far. */
const MOST = 0.8;
/** A first step, and one that needs less of a reason. */
const SOME = 0.4;
const LITTLE = 0.2;
/** A step is taken where it leaves this much, or less, of the error. */
const WORTH_IT = 0.9;

/**
 * Goes as far as each step pays for the examples that were left out. A single one cannot be left out: it is
 * believed the more, the more there was to learn from it, and the better it could be learned.
 *
 * @param scoreAt errors at a share of the way, each example by the fold that has not seen it
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

/** Where the old model errs by less than this on an example, it has nothing to teach ... */
const NOTHING_TO_LEARN = 0.1;
/** ... and where it errs by this, everything. */
const ALL_TO_LEARN = 0.5;
/** What is left of the error on an example that was learned well; and on one that could not be. */
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

/** Two and more examples find a vertex of their kind nearly everywhere. */
const FULL_TRUST: NeighborTrust = { most: 1, within: 0.2 };
/** Bodies so unlike that none can stand for another: the next will be no more like them. */
const NO_TRUST: NeighborTrust = { most: 0, within: 0.1 };
/** The usual trust is taken where it leaves this much, or less, of the error on the examples under full trust. */

/**
 * How far the examples' vertices are to be trusted against the network: as usual, where there is one; wholly,
 * where there are more, unless that takes them away from their artists when the others stand for each; or not
 * at all, where no two are kin.
 *
 * @param weighed the network's weights of each example, by what was learned without it
 */
export function chooseTrust(examples: Example[], weighed: SkinWeights[]): NeighborTrust {
  if (examples.length < 2) return DEFAULT_TRUST;
  // Looking for neighbors is the long part, and the same for each trust.
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

/** What the other examples say of each vertex of one; undefined where none is its kin. */
function neighborsAmong(example: Example, examples: Example[]): Neighbor[] | undefined {
  const others = examples.filter((other) => other !== example);
  const [{ input, counts }] = example.samples;
  const find = neighborFinder(
    input,
    others.map(({ exemplar }) => exemplar),
  );
  return find && Array.from(counts, (_, vertex) => find(vertex));
}
