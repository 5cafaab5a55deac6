import { describe, expect, test } from "vitest";
import { finishWeights } from "./finish-weights.ts";

/** A chain along x whose first bone ends at 10, and a second root far away at 20. */
const character = {
  name: "line",
  mesh: {
    positions: Float32Array.of(1, 0, 0, 9, 1, 0, 19, 0, 0),
    triangles: new Uint32Array(0),
  },
  skeleton: {
    names: ["long", "tip", "far"],
    parents: Int32Array.of(-1, 0, -1),
    positions: Float32Array.of(0, 0, 0, 10, 0, 0, 20, 0, 0),
  },
};

describe("finishWeights", () => {
  test("lets vertices without weight follow their nearest bone, and reports it", () => {
    const empty = { influences: 2, joints: new Uint16Array(6), weights: new Float32Array(6) };
    empty.weights[0] = NaN;
    const { weights, warnings } = finishWeights(empty, character, { maxInfluences: 1, prune: 0 });
    expect([...weights.joints]).toEqual([0, 0, 2]);
    expect(weights).toBeSkinWeights(3, 3);
    expect(warnings).toEqual([expect.stringMatching(/3 of 3 vertices/)]);
  });

  test("reports nothing if every vertex has weight", () => {
    const good = {
      influences: 1,
      joints: Uint16Array.of(2, 1, 0),
      weights: new Float32Array(3).fill(1),
    };
    const { weights, warnings } = finishWeights(good, character, { maxInfluences: 4, prune: 0 });
    expect(warnings).toEqual([]);
    expect([...weights.joints.filter((_, i) => i % 4 === 0)]).toEqual([2, 1, 0]);
  });
});
