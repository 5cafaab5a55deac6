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

/** A strip of triangles over the rows. */
function score(weights: SkinWeights, nearest?: number): number {
  const V = weights.weights.length / weights.influences;
  const triangles = Uint32Array.from(
    { length: Math.max(0, V - 2) * 3 },
    (_, i) => Math.floor(i / 3) + (i % 3),
  );
  const distances = nearest !== undefined && {
    ...{ k: 1, bones: new Int32Array(V), distances: new Float32Array(V).fill(nearest) },
  };
  return doubtScore(
    weights,
    { positions: new Float32Array(V * 3), triangles },
    distances || undefined,
  );
}

test("rises with the weight that goes to others than the heaviest joint", () => {
  const sure = score(rows([1, 0], [1, 0], [0, 1]));
  const less = score(rows([0.8, 0.2], [1, 0], [0, 1]));
  const split = score(rows([0.5, 0.5], [0.5, 0.5], [0.4, 0.6]));
  expect(sure).toBeGreaterThanOrEqual(0);
  expect(less).toBeGreaterThan(sure);
  expect(split).toBeGreaterThan(less);
});

test("rises with the distance from the bones, and falls where weights change from vertex to vertex", () => {
  const still = {
    ...rows([0.6, 0.4], [0.6, 0.4], [0.6, 0.4]),
    joints: Uint16Array.of(0, 1, 0, 1, 0, 1),
  };
  const changing = { ...still, joints: Uint16Array.of(0, 1, 2, 3, 4, 5) };
  expect(score(still, 0.4)).toBeGreaterThan(score(still, 0.1));
  // Each of the two edges changes all of the weight: an L1 of 2.
  expect(score(changing) - score(still)).toBeCloseTo(-0.181 * 2, 6);
  const half = { ...still, joints: Uint16Array.of(0, 1, 0, 2, 0, 3) };
  expect(score(half) - score(still)).toBeCloseTo(-0.181 * 0.8, 6);
});

test("does not hang on the order or the scale of a row, and a vertex without weight is no comfort", () => {
  expect(score(rows([0.3, 0.7]))).toBeCloseTo(score(rows([1.4, 0.6])), 6);
  expect(score(rows([0, 0], [1, 0]))).toBeGreaterThan(score(rows([1, 0], [1, 0])));
});
