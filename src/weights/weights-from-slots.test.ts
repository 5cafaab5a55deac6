import { describe, expect, test } from "vitest";
import { createRandom } from "../math/random.ts";
import { weightsFromDense, weightsFromSlots } from "./skin-weights.ts";
import { sortInfluences } from "./trim-weights.ts";

describe("weightsFromSlots", () => {
  test("skips empty slots, adds up duplicates, sorts and normalizes", () => {
    const joints = [4, -1, 2, 4, 9, 7, 7, 7];
    const values = [1, 5, 3, 1, NaN, 0, -1, Infinity];
    const { joints: j, weights } = weightsFromSlots(joints, values, 4);
    expect([...j]).toEqual([2, 4, 0, 0, 0, 0, 0, 0]);
    expect(weights).toBeAllClose([0.6, 0.4, 0, 0, 0, 0, 0, 0]);
  });

  test("sorts equal weights by joint", () => {
    expect([...weightsFromSlots([5, 3, 8], [1, 1, 1], 3).joints]).toEqual([3, 5, 8]);
  });

  test.each([1, 2, 3])("produces valid skin weights from random slots, seed %i", (seed) => {
    const random = createRandom(seed);
    const joints = Array.from({ length: 700 }, () => Math.floor(random() * 11) - 1);
    const values = joints.map(() => 10 ** (random() * 60 - 50));
    joints.forEach((joint, i) => {
      if (joint < 0 && i % 7 === 0) joints[i] = 3;
    });
    expect(weightsFromSlots(joints, values, 7)).toBeSkinWeights(100, 10);
  });
});

describe("weightsFromDense", () => {
  test.each([1, 2])("equals the table it was made from, seed %i", (seed) => {
    const random = createRandom(seed);
    const table = Float64Array.from({ length: 50 * 6 }, () => Math.max(0, random() - 0.6));
    for (let vertex = 0; vertex < 50; vertex++) table[vertex * 6 + (vertex % 6)] += 0.1;
    const weights = weightsFromDense(table, 6);
    expect(weights).toBeSkinWeights(50, 6);
    for (let vertex = 0; vertex < 50; vertex++) {
      const row = table.subarray(vertex * 6, vertex * 6 + 6);
      const sum = row.reduce((a, b) => a + b, 0);
      const found = new Float64Array(6);
      for (let i = 0; i < weights.influences; i++) {
        const at = vertex * weights.influences + i;
        found[weights.joints[at]] += weights.weights[at];
      }
      expect(found).toBeAllClose(
        row.map((value) => value / sum),
        1e-6,
      );
    }
  });
});

describe("sortInfluences", () => {
  test("repairs unsorted and unnormalized rows with stray joints in empty slots", () => {
    const { joints, weights } = sortInfluences({
      influences: 3,
      joints: Uint16Array.of(1, 9, 2),
      weights: Float32Array.of(1, 0, 3),
    });
    expect([...joints]).toEqual([2, 1, 0]);
    expect(weights).toBeAllClose([0.75, 0.25, 0]);
  });
});
