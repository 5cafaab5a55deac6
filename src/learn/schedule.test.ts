import { expect, test } from "vitest";
import { learningRateAt } from "./schedule.ts";

const options = { learningRate: 2, warmUp: 0.1, floor: 0.05 };

test("the rate rises to the top at the end of the warm-up and falls to the floor", () => {
  expect(learningRateAt(0, options)).toBeGreaterThan(0);
  expect(learningRateAt(0.05, options)).toBeCloseTo(1);
  expect(learningRateAt(0.1, options)).toBeCloseTo(2);
  // Halfway down, midway between top and floor.
  expect(learningRateAt(0.55, options)).toBeCloseTo(2 * 0.525);
  expect(learningRateAt(1, options)).toBeCloseTo(0.1);
  expect(learningRateAt(1.3, options)).toBeCloseTo(0.1);
});

test("without warm-up the first rate is the highest", () => {
  expect(learningRateAt(0, { ...options, warmUp: 0 })).toBe(2);
});
