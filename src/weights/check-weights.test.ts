import { describe, expect, test } from "vitest";
import { checkWeights } from "./check-weights.ts";
import type { SkinWeights } from "./skin-weights.ts";

/** Two valid vertices of three slots, for a skeleton of four joints. */
function good(): SkinWeights {
  return {
    influences: 3,
    joints: Uint16Array.of(3, 1, 0, 2, 0, 0),
    weights: Float32Array.of(0.5, 0.25, 0.25, 1, 0, 0),
  };
}

describe("checkWeights", () => {
  test("finds nothing in valid weights", () => {
    expect(checkWeights(good(), 2, 4)).toEqual([]);
  });

  test.each<[string, (weights: SkinWeights) => unknown]>([
    ["negative", (w) => w.weights.set([1.25, 0.25, -0.5])],
    ["not-a-number", (w) => w.weights.set([NaN], 3)],
    ["not-a-number", (w) => w.weights.set([Infinity], 3)],
    ["no-weight", (w) => [w.weights.fill(0, 3), w.joints.fill(0, 3)]],
    ["sum", (w) => w.weights.set([0.5, 0.25, 0.2])],
    ["order", (w) => w.weights.set([0.25, 0.5, 0.25])],
    ["joint-range", (w) => w.joints.set([4])],
    ["joint-twice", (w) => w.joints.set([3, 3, 0])],
    ["unused-slot", (w) => w.joints.set([1], 4)],
    ["shape", (w) => Object.assign(w, { weights: new Float32Array(5) })],
  ])("names the broken rule: %s", (rule, spoil) => {
    const weights = good();
    spoil(weights);
    expect(checkWeights(weights, 2, 4).map((problem) => problem.rule)).toEqual([rule]);
  });

  test("counts vertices and names the first", () => {
    const weights = good();
    weights.joints[3] = 9;
    const [problem] = checkWeights(weights, 2, 4);
    expect(problem).toMatchObject({ count: 1, vertex: 1 });
    expect(problem.message).toMatch(/^1 of 2 vertices name a joint .* vertex 1\.$/);
  });
});
