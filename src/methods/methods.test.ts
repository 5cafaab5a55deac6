import { expect, test } from "vitest";
import type { PreparedCharacter } from "../character/character.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";
import { smoothed } from "./methods.ts";

/** Two loose triangles; the method's rows are given. */
async function settle(rows: number[][]): Promise<SkinWeights> {
  const mesh = {
    positions: Float32Array.from({ length: 18 }, (_, i) => Math.sin(i * 7)),
    triangles: Uint32Array.of(0, 1, 2, 3, 4, 5),
  };
  const weights: SkinWeights = {
    influences: 2,
    joints: Uint16Array.from(rows.flatMap(() => [0, 1])),
    weights: Float32Array.from(rows.flat()),
  };
  const prepared = { character: { mesh } } as unknown as PreparedCharacter;
  return (await smoothed(async () => ({ weights }))(prepared, {})).weights;
}

function weightOf({ influences, joints, weights }: SkinWeights, v: number, joint: number): number {
  let sum = 0;
  for (let slot = v * influences; slot < (v + 1) * influences; slot++) {
    if (joints[slot] === joint) sum += weights[slot];
  }
  return sum;
}

test("a fifth of a row is the mean of the neighbors", async () => {
  const weights = await settle([
    [1, 0],
    [0.5, 0.5],
    [0.4, 0.6],
    [1, 0],
    [0.5, 0.5],
    [0.4, 0.6],
  ]);
  expect(weightOf(weights, 0, 0)).toBeCloseTo(0.8 * 1 + 0.2 * ((0.5 + 0.4) / 2), 5);
  expect(weightOf(weights, 5, 1)).toBeCloseTo(0.8 * 0.6 + 0.2 * ((0 + 0.5) / 2), 5);
});
