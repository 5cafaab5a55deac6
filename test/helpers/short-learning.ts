import { afterAll, beforeAll } from "vitest";
import { ADAPT_DEFAULTS } from "../../src/adapt/adapt-notes.ts";

/**
 * Lets all tests of a file learn in a few large steps, in every front end: the path from examples to weights is
 * under test. `test/like.long.test.ts` learns at full length.
 */
export function useShortLearning(settings: Partial<typeof ADAPT_DEFAULTS> = {}): void {
  const full = { ...ADAPT_DEFAULTS };
  beforeAll(() => {
    Object.assign(ADAPT_DEFAULTS, { steps: 4, learningRate: 3e-3, variants: 1, ...settings });
  });
  afterAll(() => {
    Object.assign(ADAPT_DEFAULTS, full);
  });
}
