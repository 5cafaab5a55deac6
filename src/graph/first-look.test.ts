import { expect, test } from "vitest";
import { randomGraphInput } from "../../test/helpers/random-graph-input.ts";
import { buildSkinGraph } from "./build-skin-graph.ts";
import { PAIR_FEATURES } from "./pair-features.ts";

const config = { k: 6, features: "extended", ring: 8, ball: 16 } as const;
const WEIGHTS = PAIR_FEATURES.map((name) => (name === "logPrior" ? 1 : name === "rank" ? -0.5 : 0));

test("a first look keeps the candidates with the highest scores", () => {
  const input = randomGraphInput(40, 9, 5, 6);
  const all = buildSkinGraph(input, config);
  const few = buildSkinGraph(input, { ...config, k: 3, look: { from: 6, weights: WEIGHTS } });
  const width = PAIR_FEATURES.length;
  expect(few.K).toBe(3);
  for (let v = 0; v < all.V; v++) {
    const scored = [0, 1, 2, 3, 4, 5].map((slot) => {
      const at = (v * 6 + slot) * width;
      const row = all.pairFeatures.subarray(at, at + width);
      return { slot, score: row.reduce((sum, value, i) => sum + value * WEIGHTS[i], 0) };
    });
    const best = scored.sort((a, b) => b.score - a.score).slice(0, 3);
    best.forEach(({ slot }, place) => {
      const [from, to] = [v * 6 + slot, v * 3 + place];
      expect(few.pairSlot![to]).toBe(slot);
      expect(few.pairBone[to]).toBe(all.pairBone[from]);
      expect(few.pairFeatures.subarray(to * width, (to + 1) * width)).toEqual(
        all.pairFeatures.subarray(from * width, (from + 1) * width),
      );
    });
  }
  expect(few.vertexFeatures).toEqual(all.vertexFeatures);
  expect(few.boneFeatures).toEqual(all.boneFeatures);
});

test("empty slots stay empty, and come last", () => {
  // Two bones and room for three of four.
  const input = randomGraphInput(20, 2, 1, 4);
  const graph = buildSkinGraph(input, { ...config, k: 3, look: { from: 4, weights: WEIGHTS } });
  for (let v = 0; v < graph.V; v++) {
    expect([...graph.pairValid.subarray(v * 3, v * 3 + 3)]).toEqual([1, 1, 0]);
    expect(graph.pairSlot![v * 3 + 2]).toBe(-1);
  }
});
