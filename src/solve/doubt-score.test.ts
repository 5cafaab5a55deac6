import { expect, test } from "vitest";
import type { SkinWeights } from "../weights/skin-weights.ts";
import { doubtScore } from "./doubt-score.ts";

function rows(...list: number[][]): SkinWeights {
  const influences = list[0].length;
  return {
    influences,
    joints: new Uint16Array(list.length * influences),
    weights: Float32Array.from(list.flat()),
  };
}

test("rises with the weight that goes to others than the heaviest joint", () => {
  const sure = doubtScore(rows([1, 0], [1, 0], [0, 1]));
  const less = doubtScore(rows([0.8, 0.2], [1, 0], [0, 1]));
  const split = doubtScore(rows([0.5, 0.5], [0.5, 0.5], [0.4, 0.6]));
  expect(sure).toBe(0);
  expect(less).toBeGreaterThan(sure);
  expect(split).toBeGreaterThan(less);
});

test("does not hang on the order or the scale of a row, and a vertex without weight is no comfort", () => {
  expect(doubtScore(rows([0.3, 0.7]))).toBeCloseTo(doubtScore(rows([1.4, 0.6])), 6);
  expect(doubtScore(rows([0, 0], [1, 0]))).toBeGreaterThan(doubtScore(rows([1, 0], [1, 0])));
});
