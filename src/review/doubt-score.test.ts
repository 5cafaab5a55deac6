import { expect, test } from "vitest";
import type { SkinWeights } from "../weights/skin-weights.ts";
import { doubtScore } from "./doubts.ts";

function rows(...list: number[][]): SkinWeights {
  const influences = list[0].length;
  return {
    influences,
    joints: new Uint16Array(list.length * influences),
    weights: Float32Array.from(list.flat()),
  };
}

function score(solved: SkinWeights, nearest?: number): number {
  const V = solved.weights.length / solved.influences;
  if (nearest === undefined) return doubtScore({ solved });
  const distances = new Float32Array(V).fill(nearest);
  return doubtScore({ solved }, { k: 1, bones: new Int32Array(V), distances });
}

test("increases with the weight on other joints than the heaviest", () => {
  const sure = score(rows([0.9, 0.1], [1, 0], [0, 1]));
  const less = score(rows([0.8, 0.2], [1, 0], [0, 1]));
  const split = score(rows([0.5, 0.5], [0.5, 0.5], [0.4, 0.6]));
  expect(sure).toBeGreaterThanOrEqual(0);
  expect(less).toBeGreaterThan(sure);
  expect(split).toBeGreaterThan(less);
});

test("increases with the distance from the bones", () => {
  const split = rows([0.6, 0.4], [0.6, 0.4]);
  expect(score(split, 0.4)).toBeGreaterThan(score(split, 0.1));
});

test("does not depend on the order or scale of a row, nor decrease with empty vertices", () => {
  expect(score(rows([0.3, 0.7]))).toBeCloseTo(score(rows([1.4, 0.6])), 6);
  expect(score(rows([0, 0], [1, 0]))).toBeGreaterThan(score(rows([1, 0], [1, 0])));
});

test("uses the weights of a network before smoothing", () => {
  const [divided, settled] = [rows([0.6, 0.4]), rows([1, 0])];
  expect(doubtScore({ solved: settled, unsmoothed: divided })).toBe(score(divided));
});
