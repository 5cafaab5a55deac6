import { mean } from "../math/mean.ts";
import { quantile } from "./bootstrap.ts";

/** Five numbers that sum up a group, and what lies beyond. */
export interface BoxSummary {
  low: number;
  lower: number;
  median: number;
  upper: number;
  high: number;
  mean: number;
  outliers: number[];
}

/** Whiskers reach to the furthest value within this many box lengths. Based on: Tukey, 1977. */
const WHISKER = 1.5;

/** The five numbers of a group's finite values; undefined where there are none. */
export function summarise(values: ArrayLike<number>): BoxSummary | undefined {
  const sorted = Array.from(values)
    .filter(Number.isFinite)
    .sort((a, b) => a - b);
  if (sorted.length === 0) return undefined;
  const [lower, median, upper] = [0.25, 0.5, 0.75].map((share) => quantile(sorted, share));
  const reach = WHISKER * (upper - lower);
  const within = sorted.filter((value) => value >= lower - reach && value <= upper + reach);
  return {
    low: within[0],
    lower,
    median,
    upper,
    high: within[within.length - 1],
    mean: mean(sorted),
    outliers: sorted.filter((value) => value < lower - reach || value > upper + reach),
  };
}
