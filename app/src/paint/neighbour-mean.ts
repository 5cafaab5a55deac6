import type { SkinWeights } from "../../../src/index.ts";
import type { Lists } from "../../../src/parts.ts";

/**
 * A vertex's weights moved towards the mean of its neighbours', by joint.
 *
 * @param strength 0 keeps them, 1 takes the mean
 */
export function neighbourMean(
  weights: SkinWeights,
  { starts, items }: Lists,
  v: number,
  strength: number,
): Map<number, number> {
  const sum = new Map<number, number>();
  const add = (row: number, factor: number) => {
    const { influences, joints } = weights;
    for (let slot = row * influences; slot < (row + 1) * influences; slot++) {
      const share = weights.weights[slot] * factor;
      if (share > 0) sum.set(joints[slot], (sum.get(joints[slot]) ?? 0) + share);
    }
  };
  const count = starts[v + 1] - starts[v];
  add(v, count === 0 ? 1 : 1 - strength);
  for (let i = starts[v]; i < starts[v + 1]; i++) add(items[i], strength / count);
  return sum;
}
