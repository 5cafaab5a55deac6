import { expect } from "vitest";
import { checkWeights } from "../../src/weights/check-weights.ts";
import type { SkinWeights } from "../../src/weights/skin-weights.ts";

declare module "vitest" {
  // biome-ignore lint/suspicious/noExplicitAny: the type parameter must match Vitest's own.
  interface Matchers<T = any> {
    /** Each number within `tolerance` of its counterpart (default 1e-6), and the same count. */
    toBeAllClose(expected: ArrayLike<number>, tolerance?: number): T;
    /** Weights that satisfy every rule of `checkWeights`. */
    toBeSkinWeights(vertices: number, joints: number): T;
  }
}

expect.extend({
  toBeAllClose(received: ArrayLike<number>, expected: ArrayLike<number>, tolerance = 1e-6) {
    const problem = firstDifference(received, expected, tolerance);
    return {
      pass: problem === undefined,
      message: () => problem ?? `expected the numbers to differ by more than ${tolerance}`,
    };
  },
  toBeSkinWeights(received: SkinWeights, vertices: number, joints: number) {
    const problems = checkWeights(received, vertices, joints);
    return {
      pass: problems.length === 0,
      message: () =>
        problems.map(({ rule, message }) => `${rule}: ${message}`).join("\n") ||
        "expected the weights to break a rule",
    };
  },
});

function firstDifference(
  received: ArrayLike<number>,
  expected: ArrayLike<number>,
  tolerance: number,
): string | undefined {
  if (received.length !== expected.length) {
    return `expected ${expected.length} numbers, got ${received.length}`;
  }
  for (let i = 0; i < expected.length; i++) {
    const same = Object.is(received[i], expected[i]) || received[i] === expected[i];
    if (same || Math.abs(received[i] - expected[i]) <= tolerance) continue;
    return `number ${i}: expected ${expected[i]} within ${tolerance}, got ${received[i]}`;
  }
  return undefined;
}
