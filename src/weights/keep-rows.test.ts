import { expect, test } from "vitest";
import type { Character } from "../character/character.ts";
import { skin } from "../skin.ts";

test("vertices at one position keep their own rows, those without weight receive the position's", async () => {
  // Two triangles that share an edge in space, not in vertices; one of the six has no weight.
  const character: Character = {
    name: "seam",
    mesh: {
      positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0.2),
      triangles: Uint32Array.of(0, 1, 2, 3, 5, 4),
    },
    skeleton: {
      names: ["a", "b"],
      parents: Int32Array.of(-1, 0),
      positions: Float32Array.of(0.2, 0.2, 0, 0.8, 0.8, 0),
    },
    weights: {
      influences: 2,
      joints: Uint16Array.of(0, 1, 0, 1, 0, 1, 1, 0, 0, 1, 0, 0),
      weights: Float32Array.of(1, 0, 0.75, 0.25, 1, 0, 1, 0, 0.5, 0.5, 0, 0),
    },
  };
  const { weights } = await skin(character, { method: "inverse-distance", keepExisting: true });
  const row = (v: number) =>
    [0, 1].map((joint) => {
      let sum = 0;
      for (let slot = v * weights.influences; slot < (v + 1) * weights.influences; slot++) {
        if (weights.joints[slot] === joint) sum += weights.weights[slot];
      }
      return Number(sum.toFixed(6));
    });
  expect([0, 1, 2, 3, 4].map(row)).toEqual([
    [1, 0],
    [0.75, 0.25],
    [1, 0],
    [0, 1],
    [0.5, 0.5],
  ]);
  expect(row(5)[0] + row(5)[1]).toBeCloseTo(1, 6);
});
