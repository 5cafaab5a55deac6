import { describe, expect, test } from "vitest";
import { createRandom } from "../math/random.ts";
import { influenceHistogram } from "../weights/check-weights.ts";
import { quantizeWeights } from "../weights/quantize-weights.ts";
import { type SkinWeights, weightsFromDense } from "../weights/skin-weights.ts";
import { pruneWeights, trimWeights } from "../weights/trim-weights.ts";
import { limitInfluences } from "../weights/weight-locks.ts";

const JOINTS = 12;
const VERTICES = 300;

function randomWeights(seed: number): SkinWeights {
  const random = createRandom(seed);
  const table = Float32Array.from({ length: VERTICES * JOINTS }, () =>
    random() < 0.4 ? 0 : random() ** 8,
  );
  for (let vertex = 0; vertex < VERTICES; vertex++)
    table[vertex * JOINTS + (vertex % JOINTS)] += 0.01;
  return weightsFromDense(table, JOINTS);
}

describe("limitInfluences", () => {
  test.each([1, 3, 4, 8, 20])("keeps the heaviest %i in proportion", (limit) => {
    const weights = randomWeights(limit);
    const limited = limitInfluences(weights, limit);
    expect(limited.influences).toBe(limit);
    expect(limited).toBeSkinWeights(VERTICES, JOINTS);
    for (let vertex = 0; vertex < VERTICES; vertex++) {
      const from = vertex * weights.influences;
      const kept = Math.min(limit, weights.influences);
      const row = weights.weights.subarray(from, from + kept);
      const sum = row.reduce((a, b) => a + b, 0);
      const found = limited.weights.subarray(vertex * limit, vertex * limit + kept);
      expect(found).toBeAllClose(
        row.map((value) => value / sum),
        1e-6,
      );
    }
  });

  test("refuses a limit below one", () => {
    expect(() => limitInfluences(randomWeights(1), 0)).toThrow(/got 0/);
  });
});

test("trimming keeps none of the joints that tie at the limit, whatever their numbers", () => {
  const row = (values: number[]) => weightsFromDense(Float32Array.from(values), values.length);
  const trimmed = (values: number[], maxInfluences: number) => {
    const { joints, weights } = trimWeights(row(values), { maxInfluences, prune: 0 });
    return values.map((_, joint) =>
      joints.reduce((sum, each, slot) => sum + (each === joint ? weights[slot] : 0), 0),
    );
  };
  expect(trimmed([0.1, 0.6, 0.2, 0.1], 3)).toBeAllClose([0, 0.75, 0.25, 0], 1e-6);
  expect(trimmed([0.6, 0.1, 0.1, 0.2], 3)).toBeAllClose([0.75, 0, 0, 0.25], 1e-6);
  // Without a tie at the limit the heaviest stay, and of nothing but ties the first.
  expect(trimmed([0.1, 0.6, 0.19, 0.11], 3)).toBeAllClose(
    [0, 0.6 / 0.9, 0.19 / 0.9, 0.11 / 0.9],
    1e-6,
  );
  expect(trimmed([0.25, 0.25, 0.25, 0.25], 3).filter((value) => value > 0)).toHaveLength(3);
});

describe("pruneWeights", () => {
  test.each([0, 0.1, 0.25, 1])("keeps weights of at least %d of the largest", (fraction) => {
    const weights = randomWeights(9);
    const pruned = pruneWeights(weights, fraction);
    expect(pruned).toBeSkinWeights(VERTICES, JOINTS);
    const { influences } = weights;
    for (let start = 0; start < weights.weights.length; start += influences) {
      const before = weights.weights.subarray(start, start + influences);
      const after = pruned.weights.subarray(start, start + influences);
      const expected = before.filter((value) => value > 0 && value >= before[0] * fraction).length;
      expect(after.filter((value) => value > 0)).toHaveLength(expected);
    }
  });

  test("refuses a fraction outside 0 to 1", () => {
    expect(() => pruneWeights(randomWeights(1), 1.5)).toThrow(/got 1.5/);
    expect(() => pruneWeights(randomWeights(1), Number.NaN)).toThrow(/got NaN/);
  });
});

describe("quantizeWeights", () => {
  test.each([255, 65535] as const)(
    "sums exactly to %i, in order, off by less than one",
    (whole) => {
      const weights = randomWeights(whole);
      const { influences } = weights;
      const quantized = quantizeWeights(weights, whole);
      for (let start = 0; start < weights.weights.length; start += influences) {
        const row = Array.from(quantized.weights.subarray(start, start + influences));
        expect(row.reduce((a, b) => a + b, 0)).toBe(whole);
        row.forEach((value, i) => {
          expect(Math.abs(value - weights.weights[start + i] * whole)).toBeLessThan(1.02);
          if (i > 0) expect(value).toBeLessThanOrEqual(row[i - 1]);
          expect(quantized.joints[start + i]).toBe(value > 0 ? weights.joints[start + i] : 0);
        });
      }
    },
  );

  test("distributes the remainder to the largest fractions, first slot first", () => {
    const weights = {
      influences: 4,
      joints: Uint16Array.of(0, 1, 2, 3),
      weights: Float32Array.of(0.25, 0.25, 0.25, 0.25),
    };
    expect([...quantizeWeights(weights, 255).weights]).toEqual([64, 64, 64, 63]);
  });

  test("does not change a vertex without weight", () => {
    const empty = { influences: 2, joints: new Uint16Array(2), weights: new Float32Array(2) };
    expect([...quantizeWeights(empty, 255).weights]).toEqual([0, 0]);
  });
});

describe("influenceHistogram", () => {
  test("counts vertices by their number of influences", () => {
    const weights = {
      influences: 3,
      joints: new Uint16Array(9),
      weights: Float32Array.of(1, 0, 0, 0.5, 0.5, 0, 0.7, 0.3, 0),
    };
    expect(influenceHistogram(weights)).toEqual([0, 1, 2, 0]);
  });
});
