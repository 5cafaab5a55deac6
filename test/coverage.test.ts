import { expect, test } from "vitest";
import { coverageOf, meanCoverage } from "../bench/coverage-of.ts";
import type { BoneDistances } from "../src/distance/bone-distances.ts";
import type { SkinWeights } from "../src/weights/skin-weights.ts";

const artist: SkinWeights = {
  influences: 2,
  joints: Uint16Array.of(4, 1, 2, 0),
  weights: Float32Array.of(0.75, 0.25, 1, 0),
};

test("weights and influences are counted at the rank of their bone", () => {
  const distances: BoneDistances = {
    k: 3,
    bones: Int32Array.of(1, 4, 0, 3, 0, -1),
    distances: Float32Array.of(1, 2, 3, 1, 2, Infinity),
  };
  // Vertex 0: joint 1 is nearest, joint 4 second. Vertex 1: joint 2 is not among the nearest.
  const { weight, influences } = coverageOf(artist, distances);
  expect(weight).toEqual([0.25 / 2, 1 / 2, 1 / 2]);
  expect(influences).toEqual([1 / 3, 2 / 3, 2 / 3]);
});

test("all bones cover all weight, and fractions only grow with K", () => {
  const distances: BoneDistances = {
    k: 5,
    bones: Int32Array.of(0, 1, 2, 3, 4, 4, 3, 2, 1, 0),
    distances: new Float32Array(10),
  };
  const { weight } = coverageOf(artist, distances);
  expect(weight[4]).toBe(1);
  for (let k = 1; k < 5; k++) expect(weight[k]).toBeGreaterThanOrEqual(weight[k - 1]);
});

test("each character counts once", () => {
  const mean = meanCoverage([
    { weight: [0, 1], influences: [0.5, 1] },
    { weight: [1, 1], influences: [0, 1] },
  ]);
  expect(mean).toEqual({ weight: [0.5, 1], influences: [0.25, 1] });
});
