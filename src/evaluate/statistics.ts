import { mean } from "../math/arrays.ts";
import { createRandom } from "../math/random.ts";

export interface Anova {
  /** Variance between the groups over variance within them. */
  f: number;
  /** Probability of an F this large if all groups have the same mean. */
  p: number;
  /** Degrees of freedom. */
  between: number;
  within: number;
}

/**
 * One-way analysis of variance: tests whether the groups have the same mean (the paper's test).
 *
 * @param groups at least two, each with at least one value, three values in total
 * @returns f is NaN if all values are equal
 */
export function oneWayAnova(groups: number[][]): Anova {
  const count = groups.reduce((sum, group) => sum + group.length, 0);
  const between = groups.length - 1;
  const within = count - groups.length;
  if (between < 1 || within < 1 || groups.some((group) => group.length === 0)) {
    const got = `${groups.length} groups of ${count} values`;
    throw new Error(`oneWayAnova: needs two groups and more values than groups, got ${got}.`);
  }
  const grand = mean(groups.flat());
  let explained = 0;
  let rest = 0;
  for (const group of groups) {
    const center = mean(group);
    explained += group.length * (center - grand) ** 2;
    for (const value of group) rest += (value - center) ** 2;
  }
  const f = explained / between / (rest / within);
  return { f, p: fTail(f, between, within), between, within };
}

/**
 * Returns the probability that an F-distributed number exceeds `f`, by the regularized incomplete
 * beta function.
 *
 * @param d1 degrees of freedom between groups, above 0
 * @param d2 degrees of freedom within groups, above 0
 */
export function fTail(f: number, d1: number, d2: number): number {
  if (!(d1 > 0 && d2 > 0)) {
    throw new Error(`fTail: degrees of freedom must be above 0, got ${d1} and ${d2}.`);
  }
  if (Number.isNaN(f)) return Number.NaN;
  if (f <= 0) return 1;
  if (f === Number.POSITIVE_INFINITY) return 0;
  return incompleteBeta(d2 / (d2 + d1 * f), d2 / 2, d1 / 2);
}

/** The regularized incomplete beta function I_x(a, b). */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  // The fraction converges fast only on this side of the mean.
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const front = Math.exp(
    a * Math.log(x) + b * Math.log1p(-x) + logGamma(a + b) - logGamma(a) - logGamma(b),
  );
  return (front * betaFraction(x, a, b)) / a;
}

/**
 * Returns ln Γ(x) by Stirling's series, shifted to x ≥ 10, where it is exact to double precision.
 */
export function logGamma(x: number): number {
  let shift = 0;
  let z = x;
  for (; z < 10; z++) shift += Math.log(z);
  const inverse = 1 / z;
  const square = inverse * inverse;
  const series =
    inverse *
    (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square * (1 / 1680 - square / 1188))));
  return (z - 0.5) * Math.log(z) - z + 0.5 * Math.log(2 * Math.PI) + series - shift;
}

/** The continued fraction of the incomplete beta function (Lentz's algorithm). */
function betaFraction(x: number, a: number, b: number): number {
  const tiny = 1e-300;
  const guard = (value: number) => (Math.abs(value) < tiny ? tiny : value);
  let d = 1 / guard(1 - ((a + b) * x) / (a + 1));
  let c = 1;
  let value = d;
  for (let m = 1; m <= 1000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / guard(1 + even * d);
    c = guard(1 + even / c);
    value *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / guard(1 + odd * d);
    c = guard(1 + odd / c);
    const step = d * c;
    value *= step;
    if (Math.abs(step - 1) < 1e-15) break;
  }
  return value;
}

export type Interval = [low: number, high: number];

const RESAMPLES = 2000;
/** A fixed seed, so that every method and metric draws the same characters. */
const SEED = "bootstrap";

/**
 * Returns the 95 % bootstrap interval of the mean (percentiles, fixed seed).
 *
 * Based on: Efron. Bootstrap Methods: Another Look at the Jackknife. 1979.
 */
export function bootstrapInterval(values: number[]): Interval {
  if (values.length === 0) return [Number.NaN, Number.NaN];
  const random = createRandom(SEED);
  const means = new Float64Array(RESAMPLES);
  for (let i = 0; i < RESAMPLES; i++) {
    let sum = 0;
    for (let n = 0; n < values.length; n++) sum += values[Math.floor(random() * values.length)];
    means[i] = sum / values.length;
  }
  means.sort();
  return [quantile(means, 0.025), quantile(means, 0.975)];
}

/** Returns a quantile of sorted values by linear interpolation; NaN if there are none. */
export function quantile(sorted: ArrayLike<number>, q: number): number {
  if (sorted.length === 0) return Number.NaN;
  const at = q * (sorted.length - 1);
  const below = Math.floor(at);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
}
