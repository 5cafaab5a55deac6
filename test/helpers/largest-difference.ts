import { expect } from "vitest";
import type { SkinWeights } from "../../src/weights/skin-weights.ts";
import { differences } from "./other-guises.ts";

/** Largest difference between two sets of weights over all vertices and joints. */
export function largestDifference(a: SkinWeights, b: SkinWeights): number {
  const vertices = a.weights.length / a.influences;
  expect(b.weights.length / b.influences).toBe(vertices);
  return differences(a, b, vertices).reduce((most, row) => Math.max(most, row), 0);
}
