import { expect } from "vitest";
import type { SkinWeights } from "../src/weights/skin-weights.ts";

/** How far two sets of weights are apart at most, vertex by vertex and joint by joint. */
export function largestDifference(a: SkinWeights, b: SkinWeights): number {
  const vertices = a.weights.length / a.influences;
  expect(b.weights.length / b.influences).toBe(vertices);
  let largest = 0;
  for (let v = 0; v < vertices; v++) {
    const difference = new Map<number, number>();
    for (const [weights, sign] of [
      [a, 1],
      [b, -1],
    ] as const) {
      for (let slot = v * weights.influences; slot < (v + 1) * weights.influences; slot++) {
        const joint = weights.joints[slot];
        difference.set(joint, (difference.get(joint) ?? 0) + sign * weights.weights[slot]);
      }
    }
    for (const value of difference.values()) largest = Math.max(largest, Math.abs(value));
  }
  return largest;
}
