import type { SkinWeights } from "../../src/weights/skin-weights.ts";

/** Largest difference of a joint's weight in a row; rows may differ in length and order. */
export function largestWeightDifference(a: SkinWeights, b: SkinWeights): number {
  const rows = a.weights.length / a.influences;
  if (rows !== b.weights.length / b.influences) return Infinity;
  let largest = 0;
  for (let row = 0; row < rows; row++) {
    const left = new Map<number, number>();
    for (const [{ influences, joints, weights }, sign] of [
      [a, 1],
      [b, -1],
    ] as const) {
      for (let slot = row * influences; slot < (row + 1) * influences; slot++) {
        left.set(joints[slot], (left.get(joints[slot]) ?? 0) + sign * weights[slot]);
      }
    }
    for (const value of left.values()) largest = Math.max(largest, Math.abs(value));
  }
  return largest;
}
