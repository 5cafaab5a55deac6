import { expect } from "vitest";
import type { SkinWeights } from "../../src/weights/skin-weights.ts";
import { differences } from "./other-guises.ts";

/** How far two sets of weights are apart at most, vertex by vertex and joint by joint. */
export function largestDifference(a: SkinWeights, b: SkinWeights): number {
  const vertices = a.weights.length / a.influences;
  expect(b.weights.length / b.influences).toBe(vertices);
  return differences(a, b, vertices).reduce((most, row) => Math.max(most, row), 0);
}
