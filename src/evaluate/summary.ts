import { mean } from "../math/arrays.ts";
import type { CharacterResult, Evaluation, MethodResult } from "./evaluate-character.ts";
import { METRIC_STYLES } from "./report/html.ts";
import { type CharacterScore, FAILED_ABOVE, type Metric } from "./score-weights.ts";
import {
  type Anova,
  bootstrapInterval,
  type Interval,
  oneWayAnova,
  quantile,
} from "./statistics.ts";
import { type VisibleFractions, visibleFractions } from "./visible-faults.ts";

export type { Metric } from "./score-weights.ts";

/** The metrics in the order of the tables. */
export const METRICS: Metric[] = Object.keys(METRIC_STYLES) as Metric[];

/** The metrics the paper tests. */
export const COMPARED: Metric[] = ["precision", "recall", "l1", "distance"];

/** Returns the name of a metric in files, such as `max_distance`. */
export function columnName(metric: string): string {
  return metric.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** A method's results over all characters. */
export interface MethodSummary {
  method: string;
  scored: number;
  /** Characters with an error or more than 5 % unweighted vertices. */
  failed: number;
  means: Record<Metric, number>;
  intervals: Record<Metric, Interval>;
  /** Faults that are visible when the characters move. */
  visible: VisibleFractions;
  secondsMedian: number;
  secondsP90: number;
}

/** Averages each method over the characters it was scored on, with 95 % bootstrap intervals. */
export function summarize(evaluation: Evaluation): MethodSummary[] {
  return evaluation.methods.map((method) => {
    const results = evaluation.characters.map((character) => character.results[method]);
    const scores = results.flatMap((result) => (result?.score ? [result.score] : []));
    const seconds = results
      .flatMap((result) => (result?.score && result.seconds >= 0 ? [result.seconds] : []))
      .sort((a, b) => a - b);
    return {
      method,
      scored: scores.length,
      failed: results.filter(hasFailed).length,
      means: forEachMetric((metric) => mean(column(scores, metric))),
      intervals: forEachMetric((metric) => bootstrapInterval(column(scores, metric))),
      visible: visibleFractions(scores.flatMap(({ visible }) => visible ?? [])),
      secondsMedian: quantile(seconds, 0.5),
      secondsP90: quantile(seconds, 0.9),
    };
  });
}

/** Returns whether a method threw or left more than 5 % of the vertices unweighted. */
export function hasFailed(result: MethodResult | undefined): boolean {
  return !result?.score || result.score.unweighted > FAILED_ABOVE;
}

/** A comparison of two methods on the characters scored for both: first minus second. */
export interface Comparison {
  metric: Metric;
  first: string;
  second: string;
  characters: number;
  /** Mean of the paired differences and its 95 % bootstrap interval. */
  difference: number;
  interval: Interval;
  smaller: number;
  anova?: Anova;
}

/** Compares two methods on one metric by paired differences and one-way ANOVA. */
export function compare(
  characters: CharacterResult[],
  first: string,
  second: string,
  metric: Metric,
): Comparison {
  const pairs = characters.flatMap(({ results }) => {
    const a = results[first]?.score?.[metric];
    const b = results[second]?.score?.[metric];
    return a === undefined || b === undefined ? [] : [[a, b]];
  });
  const differences = pairs.map(([a, b]) => a - b);
  const groups = [pairs.map(([a]) => a), pairs.map(([, b]) => b)];
  return {
    metric,
    first,
    second,
    characters: pairs.length,
    difference: mean(differences),
    interval: bootstrapInterval(differences),
    smaller: differences.filter((difference) => difference < 0).length,
    ...(pairs.length > 1 && { anova: oneWayAnova(groups) }),
  };
}

function column(scores: CharacterScore[], metric: Metric): number[] {
  return scores.flatMap((score) => score[metric] ?? []);
}

function forEachMetric<T>(value: (metric: Metric) => T): Record<Metric, T> {
  return Object.fromEntries(METRICS.map((metric) => [metric, value(metric)])) as Record<Metric, T>;
}
