import type { AdaptNotes } from "../adapt/adapt-notes.ts";
import type { Evaluation } from "../evaluate/evaluate-character.ts";
import { formatMetric, METRIC_STYLES, methodLabel } from "../evaluate/report/html.ts";
import { compare, type Metric, summarize } from "../evaluate/summary.ts";
import {
  formatFraction,
  VISIBLE_LABELS,
  type VisibleFractions,
} from "../evaluate/visible-faults.ts";
import type { FarmStatus } from "../farm/status.ts";
import type { BindReport, DoubtReport, PoseReport } from "../files/bind-report.ts";
import { lossText } from "../formats/describe-file.ts";
import {
  BONE_DOUBT_TEXT,
  BONE_DOUBTS,
  VERTEX_DOUBT_TEXT,
  VERTEX_DOUBTS,
} from "../review/doubts.ts";

/** Maximum number of joints or examples named in a line. */
const SHOWN_NAMES = 3;

/** Formats a report for the terminal; `written` is the path of the output. */
export function bindReportLines(report: BindReport, written: string): string[] {
  const { input, timings, provider, bleed } = report;
  const total = Object.values(timings).reduce((sum, ms) => sum + ms, 0);
  const stages = Object.entries(timings).map(([stage, ms]) => `${stage} ${duration(ms)}`);
  return [
    `${input.file}: ${input.vertices} vertices, ${input.triangles} triangles, ${input.joints} joints`,
    `method      ${report.method}`,
    ...(provider ? [`provider    ${provider.provider} (${provider.reason})`] : []),
    ...(report.learned ? learnedLines(report.learned) : []),
    `time        ${duration(total)} (${stages.join(", ")})`,
    `influences  ${histogramText(report.influences)}`,
    ...doubtLines(report.doubtful, input.vertices).map((line) => `doubtful    ${line}`),
    ...poseLines(report.poses),
    ...(bleed === undefined
      ? []
      : [
          `bleed       ${(100 * bleed).toFixed(bleed < 0.1 ? 2 : 0)} % of the weight on far joints`,
        ]),
    `check       ${report.check.ok ? "passed" : "failed, see below"}`,
    ...report.check.problems.map(({ message }) => `problem     ${message}`),
    `lost        ${lossText(report.lost)}`,
    `written     ${written}`,
  ];
}

/** Formats the examples that a model has learned from, and the effect. */
export function learnedLines({ examples, leftOut, share }: AdaptNotes): string[] {
  const mean = (of: "before" | "after") =>
    (examples.reduce((sum, example) => sum + example[of], 0) / examples.length).toFixed(3);
  const how = leftOut ? "leave-one-out" : "on itself";
  const names = examples.map(({ name }) => name);
  const more = names.length > SHOWN_NAMES ? ` and ${names.length - SHOWN_NAMES} more` : "";
  return [
    `learned     from ${names.slice(0, SHOWN_NAMES).join(", ")}${more}`,
    share > 0
      ? `            L1 ${mean("before")} before, ${mean("after")} after (${how})`
      : `            L1 ${mean("before")} before (${how}); the network is unchanged, weights of similar vertices are copied`,
  ];
}

/** Maximum number of findings printed. */
const SHOWN_FINDINGS = 5;

/** Formats the pose check: passed, or one line per finding. */
export function poseLines({ findings }: PoseReport): string[] {
  if (findings.length === 0) return ["poses       passed: nothing detaches, tears or stands still"];
  const shown = findings
    .slice(0, SHOWN_FINDINGS)
    .map(({ text }, i) => `poses       ${i + 1}. ${text}`);
  const more = findings.length - shown.length;
  return more > 0 ? [...shown, `            and ${more} more`] : shown;
}

function doubtLines({ vertices, bones }: DoubtReport, total: number): string[] {
  const lines: string[] = [];
  if (vertices.count > 0) {
    const reasons = VERTEX_DOUBTS.filter((reason) => vertices.reasons[reason].count > 0).map(
      (reason) => `${vertices.reasons[reason].count} ${VERTEX_DOUBT_TEXT[reason]}`,
    );
    const percent = Math.round((100 * vertices.count) / total);
    const noun = vertices.count === 1 ? "vertex" : "vertices";
    lines.push(`${vertices.count} ${noun} (${percent || "under 1"} %): ${reasons.join(", ")}`);
  }
  for (const reason of BONE_DOUBTS) {
    if (bones.reasons[reason] === 0) continue;
    const names = bones.list.filter((bone) => bone.reasons.includes(reason));
    const shown = names.slice(0, SHOWN_NAMES).map(({ name }) => name);
    const more = bones.reasons[reason] > shown.length ? ", ..." : "";
    const bone = bones.reasons[reason] === 1 ? "bone" : "bones";
    lines.push(
      `${bones.reasons[reason]} ${bone} ${BONE_DOUBT_TEXT[reason]} (${shown.join(", ")}${more})`,
    );
  }
  return lines;
}

function duration(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** Formats vertex counts by number of influences: `1: 20 (40 %), 2: 30 (60 %)`. */
export function histogramText(histogram: number[]): string {
  const total = histogram.reduce((sum, value) => sum + value, 0);
  const entries = histogram
    .map((value, n) => ({ value, n }))
    .filter(({ value }) => value > 0)
    .map(({ value, n }) => `${n}: ${value} (${Math.round((value / total) * 100)} %)`);
  return entries.join(", ") || "none";
}

const SHOWN: Metric[] = ["precision", "recall", "l1", "l1Raw", "distance", "bleed"];
const TESTED: Metric[] = ["precision", "recall", "l1", "distance"];

/** Formats the means of an evaluation as a table, followed by paired differences of the methods. */
export function summaryText(evaluation: Evaluation): string {
  const faults = Object.entries(VISIBLE_LABELS) as [keyof VisibleFractions, string][];
  const head = [
    "",
    ...SHOWN.map((metric) => METRIC_STYLES[metric].label),
    ...faults.map(([, label]) => label),
    "Failed",
    "s median",
  ];
  const rows = summarize(evaluation).map(({ method, means, intervals, ...summary }) => [
    methodLabel(method),
    ...SHOWN.map((metric) => {
      const value = formatMetric(metric, means[metric]);
      if (metric !== "l1" && metric !== "distance") return value;
      const half = (intervals[metric][1] - intervals[metric][0]) / 2;
      return `${value} ± ${formatMetric(metric, half)}`;
    }),
    ...faults.map(([fault]) => formatFraction(summary.visible[fault])),
    String(summary.failed),
    Number.isFinite(summary.secondsMedian) ? summary.secondsMedian.toPrecision(2) : "–",
  ]);
  return [align([head, ...rows]), ...differences(evaluation)].join("\n");
}

function differences({ methods, characters }: Evaluation): string[] {
  const [first, ...others] = methods;
  const rows = others.flatMap((second) =>
    TESTED.map((metric) => {
      const { difference, interval, anova } = compare(characters, first, second, metric);
      const [low, high] = interval.map((end) => formatMetric(metric, end));
      const test = anova && Number.isFinite(anova.f);
      return [
        `minus ${methodLabel(second)}`,
        METRIC_STYLES[metric].label,
        formatMetric(metric, difference),
        `${low} to ${high}`,
        test ? `F ${anova.f.toFixed(2)}` : "",
        test ? `p ${anova.p.toPrecision(2)}` : "",
      ];
    }),
  );
  if (rows.length === 0) return [];
  return ["", `${methodLabel(first)}, paired differences and one-way ANOVA:`, align(rows)];
}

/** Aligns columns: the first to the left, the others to the right. */
function align(rows: string[][]): string {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows
    .map((row) =>
      row
        .map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i])))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** Formats the status of a farm as one line. */
export function farmLine({ jobs, rate, secondsLeft }: FarmStatus): string {
  const { waiting, active, delayed, done, failed } = jobs;
  const left = secondsLeft === undefined ? "" : `, ${durationText(secondsLeft)} left`;
  const retries = delayed > 0 ? `, ${delayed} to be retried` : "";
  return `${done} done, ${failed} failed, ${active} running, ${waiting} waiting${retries}; ${rate.toFixed(1)} per second${left}`;
}

const SHOWN_FAILURES = 20;

/** Formats the status of a farm, with failures and slow files. */
export function farmText(status: FarmStatus): string {
  const { name, workers, isDrained, failures, slowest, jobs } = status;
  const more = jobs.failed - Math.min(failures.length, SHOWN_FAILURES);
  return [
    `farm      ${name}, ${workers} workers${isDrained ? ", drained" : ""}`,
    `jobs      ${farmLine(status)}`,
    ...slowest.map(({ file, seconds }) => `slowest   ${file}: ${seconds} s`),
    ...failures.slice(0, SHOWN_FAILURES).map((failure) => `failed    ${failureText(failure)}`),
    ...(more > 0 ? [`failed    and ${more} more; --json lists the last hundred`] : []),
  ].join("\n");
}

/** Formats the error of a file; drops the file name from the message, because the path comes first. */
export function failureText({
  file,
  error = "",
}: {
  file: string;
  error?: string | undefined;
}): string {
  const name = `${file.replace(/^.*[\\/]/, "")}: `;
  return `${file}: ${error.startsWith(name) ? error.slice(name.length) : error}`;
}

function durationText(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}
