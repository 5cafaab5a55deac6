import { mean } from "../../math/arrays.ts";
import { quantile } from "../statistics.ts";
import { escapeHtml } from "./html.ts";
import { linearTicks } from "./ticks.ts";

const WIDTH = 640;
const LABELS = 240;
const ROW = 30;
const TOP = 30;

/** Returns an SVG plot with one horizontal box per non-empty group; the diamond is the mean. */
export function boxPlot(title: string, groups: { label: string; values: number[] }[]): string {
  const drawn = groups.filter(({ values }) => values.length > 0);
  const all = drawn.flatMap(({ values }) => values);
  const low = Math.min(0, ...all);
  const high = Math.max(1e-9, ...all);
  const x = (value: number) => LABELS + ((value - low) / (high - low)) * (WIDTH - LABELS - 20);
  const height = TOP + drawn.length * ROW + 24;
  const rows = drawn.map(({ label, values }, i) =>
    boxRow(label, boxSummary(values)!, TOP + i * ROW, x),
  );
  return `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escapeHtml(title)}" class="plot">
<text x="${LABELS}" y="16" class="title">${escapeHtml(title)}</text>
${axis(linearTicks(low, high), x, height)}
${rows.join("\n")}
</svg>`;
}

function axis(marks: number[], x: (value: number) => number, height: number): string {
  return marks
    .map((mark) => {
      const at = x(mark).toFixed(1);
      return `<line x1="${at}" x2="${at}" y1="${TOP - 6}" y2="${height - 20}" class="grid"/><text x="${at}" y="${height - 6}" text-anchor="middle">${mark}</text>`;
    })
    .join("\n");
}

function boxRow(label: string, box: BoxSummary, top: number, x: (value: number) => number): string {
  const middle = top + ROW / 2;
  const at = (value: number) => x(value).toFixed(1);
  const line = (from: number, to: number, y1: number, y2: number, kind = "whisker") =>
    `<line x1="${at(from)}" x2="${at(to)}" y1="${y1}" y2="${y2}" class="${kind}"/>`;
  const width = (x(box.upper) - x(box.lower)).toFixed(1);
  const outliers = box.outliers.map((value) => `<circle cx="${at(value)}" cy="${middle}" r="2"/>`);
  const center = x(box.mean);
  return [
    `<g><title>${escapeHtml(label)}: median ${box.median.toPrecision(3)}, mean ${box.mean.toPrecision(3)}</title>`,
    `<text x="${LABELS - 8}" y="${middle + 4}" text-anchor="end">${escapeHtml(label)}</text>`,
    line(box.low, box.lower, middle, middle),
    line(box.upper, box.high, middle, middle),
    line(box.low, box.low, middle - 5, middle + 5),
    line(box.high, box.high, middle - 5, middle + 5),
    `<rect x="${at(box.lower)}" y="${middle - 9}" width="${width}" height="18" class="box"/>`,
    line(box.median, box.median, middle - 9, middle + 9, "median"),
    `<path d="M${(center - 4).toFixed(1)} ${middle}l4 -4l4 4l-4 4z" class="mean"/>`,
    ...outliers,
    "</g>",
  ].join("");
}

export type BoxSummary = Record<"low" | "lower" | "median" | "upper" | "high" | "mean", number> & {
  outliers: number[];
};

/** Whiskers reach the farthest value within this many box lengths (Tukey, 1977). */
const WHISKER = 1.5;

/** Summarizes the finite values of a group; undefined if there are none. */
export function boxSummary(values: ArrayLike<number>): BoxSummary | undefined {
  const sorted = Array.from(values)
    .filter(Number.isFinite)
    .sort((a, b) => a - b);
  if (sorted.length === 0) return undefined;
  const [lower, median, upper] = [0.25, 0.5, 0.75].map((q) => quantile(sorted, q));
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
