import type { Scores } from "./folds.ts";

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
