import { createRandom } from "../math/random.ts";

export type Interval = [low: number, high: number];

const RESAMPLES = 2000;
/** One seed for all: the same characters are drawn for each method and metric. */
const SEED = "bootstrap";

/**
 * The 95 % interval of the mean by the bootstrap (percentiles over 2,000 resamples, fixed seed).
 *
 * Based on: Efron. Bootstrap Methods: Another Look at the Jackknife. 1979.
 */
export function bootstrapInterval(values: number[], resamples: number = RESAMPLES): Interval {
  if (values.length === 0) return [Number.NaN, Number.NaN];
  const random = createRandom(SEED);
  const means = new Float64Array(resamples);
  for (let i = 0; i < resamples; i++) {
    let sum = 0;
    for (let n = 0; n < values.length; n++) sum += values[Math.floor(random() * values.length)];
    means[i] = sum / values.length;
  }
  means.sort();
  return [quantile(means, 0.025), quantile(means, 0.975)];
}

/** The quantile of sorted values, linear between neighbours; NaN of nothing. */
export function quantile(sorted: ArrayLike<number>, q: number): number {
  if (sorted.length === 0) return Number.NaN;
  const at = q * (sorted.length - 1);
  const below = Math.floor(at);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
}
