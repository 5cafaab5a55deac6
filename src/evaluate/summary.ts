import { csvCell } from "../csv-cell.ts";
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
import { type VisibleFaults, type VisibleFractions, visibleFractions } from "./visible-faults.ts";

export type { Metric } from "./score-weights.ts";

/** The metrics in the order of the tables. */
export const METRICS: Metric[] = Object.keys(METRIC_STYLES) as Metric[];

/** The metrics the paper tests. */
export const COMPARED: Metric[] = ["precision", "recall", "l1", "distance"];

/** Returns the name of a metric in files, such as `max_distance`. */
function columnName(metric: string): string {
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

/** The machine-readable result of an evaluation; missing numbers are null. */
export interface ResultJson {
  preset: string;
  characters: number;
  methods: Record<string, MethodJson>;
  /** Each method compared with the first, on the characters both were scored on. */
  comparisons: ComparisonJson[];
  per_character: CharacterJson[];
}

/** A row with the scores or the error of each method under its name. */
export type CharacterJson = { id: string; vertices: number; joints: number } & Record<
  string,
  string | number | Record<string, number | string | null>
>;

export interface MethodJson {
  precision: number | null;
  recall: number | null;
  l1: number | null;
  l1_ci95: [number | null, number | null];
  l1_raw: number | null;
  distance: number | null;
  distance_ci95: [number | null, number | null];
  max_distance: number | null;
  bleed: number | null;
  unweighted: number | null;
  /** Fractions of visible faults; absent in results of earlier versions. */
  dead_joints?: number | null;
  floating_parts?: number | null;
  torn_edges?: number | null;
  across?: number | null;
  failed: number;
  seconds_median: number | null;
  seconds_p90: number | null;
}

export interface ComparisonJson {
  metric: string;
  first: string;
  second: string;
  characters: number;
  /** Mean of first minus second. */
  difference: number | null;
  difference_ci95: [number | null, number | null];
  f: number | null;
  p: number | null;
}

/** Returns the result as plain data for `JSON.stringify`. */
export function resultJson(evaluation: Evaluation): ResultJson {
  const summaries = summarize(evaluation);
  const [first, ...others] = evaluation.methods;
  return {
    preset: evaluation.preset,
    characters: evaluation.characters.length,
    methods: Object.fromEntries(summaries.map((one) => [one.method, methodJson(one)])),
    comparisons: others.flatMap((second) =>
      COMPARED.map((metric) => comparisonJson(evaluation, first, second, metric)),
    ),
    per_character: evaluation.characters.map(({ id, vertices, joints, results }) => {
      const scores = evaluation.methods.map((method) => [method, scoreJson(results[method])]);
      return { id, vertices, joints, ...Object.fromEntries(scores) };
    }),
  };
}

function methodJson({ means, intervals, ...summary }: MethodSummary): MethodJson {
  return {
    precision: known(means.precision),
    recall: known(means.recall),
    l1: known(means.l1),
    l1_ci95: knownPair(intervals.l1),
    l1_raw: known(means.l1Raw),
    distance: known(means.distance),
    distance_ci95: knownPair(intervals.distance),
    max_distance: known(means.maxDistance),
    bleed: known(means.bleed),
    unweighted: known(means.unweighted),
    dead_joints: known(summary.visible.dead),
    floating_parts: known(summary.visible.floating),
    torn_edges: known(summary.visible.torn),
    across: known(summary.visible.across),
    failed: summary.failed,
    seconds_median: known(summary.secondsMedian),
    seconds_p90: known(summary.secondsP90),
  };
}

function comparisonJson(evaluation: Evaluation, first: string, second: string, metric: Metric) {
  const comparison = compare(evaluation.characters, first, second, metric);
  return {
    metric: columnName(metric),
    first,
    second,
    characters: comparison.characters,
    difference: known(comparison.difference),
    difference_ci95: knownPair(comparison.interval),
    f: known(comparison.anova?.f),
    p: known(comparison.anova?.p),
  };
}

function scoreJson(result: Evaluation["characters"][0]["results"][string] | undefined) {
  if (!result?.score) return { error: result?.error ?? "not run" };
  const { visible, ...metrics } = result.score;
  const scores = Object.entries({ ...metrics, ...visible }).map(([name, value]) => [
    columnName(name),
    value,
  ]);
  return { ...Object.fromEntries(scores), seconds: known(result.seconds) };
}

function known(value: number | undefined): number | null {
  return value !== undefined && Number.isFinite(value) ? value : null;
}

function knownPair([low, high]: [number, number]): [number | null, number | null] {
  return [known(low), known(high)];
}

/** The counts of visible faults in the order of the CSV. */
const VISIBLE_COUNTS: (keyof VisibleFaults)[] = [
  "usedJoints",
  "deadJoints",
  "touchingParts",
  "floatingParts",
  "edges",
  "tornEdges",
  "sidedVertices",
  "crossedVertices",
];

/** Returns the result as CSV with a header, one line per character and method. */
export function resultCsv(evaluation: Evaluation): string {
  const columns = [...METRICS, ...VISIBLE_COUNTS].map(columnName);
  const header = ["id", "vertices", "joints", "method", ...columns, "seconds", "error"];
  const lines = evaluation.characters.flatMap(({ id, vertices, joints, results }) =>
    evaluation.methods.map((method) => {
      const result = results[method];
      const scores = [
        ...METRICS.map((metric) => result?.score?.[metric] ?? ""),
        ...VISIBLE_COUNTS.map((count) => result?.score?.visible?.[count] ?? ""),
      ];
      return [id, vertices, joints, method, ...scores, result?.seconds || "", result?.error ?? ""];
    }),
  );
  return `${[header, ...lines].map((line) => line.map(csvCell).join(",")).join("\n")}\n`;
}
