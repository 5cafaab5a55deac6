import type { Evaluation } from "../evaluate/evaluation.ts";
import { methodLabel } from "../evaluate/method-label.ts";
import { formatMetric, METRIC_STYLES } from "../evaluate/report/format-metric.ts";
import { compare, type Metric, summarize } from "../evaluate/summary.ts";

const SHOWN: Metric[] = ["precision", "recall", "l1", "l1Raw", "distance", "bleed"];
const TESTED: Metric[] = ["precision", "recall", "l1", "distance"];

/** The averages of an evaluation as a table for a terminal, then what sets the methods apart. */
export function summaryText(evaluation: Evaluation): string {
  const head = ["", ...SHOWN.map((metric) => METRIC_STYLES[metric].label), "Failed", "s median"];
  const rows = summarize(evaluation).map(({ method, means, intervals, failed, secondsMedian }) => [
    methodLabel(method),
    ...SHOWN.map((metric) => {
      const value = formatMetric(metric, means[metric]);
      if (metric !== "l1" && metric !== "distance") return value;
      const half = (intervals[metric][1] - intervals[metric][0]) / 2;
      return `${value} ± ${formatMetric(metric, half)}`;
    }),
    String(failed),
    Number.isFinite(secondsMedian) ? secondsMedian.toPrecision(2) : "–",
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

/** Columns side by side, the first to the left and the others to the right. */
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
