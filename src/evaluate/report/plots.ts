import { mean } from "../../math/arrays.ts";
import { quantile } from "../statistics.ts";
import { escapeHtml } from "./html.ts";

interface LineSeries {
  label: string;
  /** As many as there are x. */
  values: number[];
}

const WIDTH = 560;
const HEIGHT = 300;
const LEFT = 50;
const RIGHT = 130;
const TOP = 30;
const BOTTOM = 36;
/** Curves with more values have round marks instead of one per value, and no dots. */
const MAX_DOTS = 24;

/** Draws an SVG of curves over common x, labeled at their right ends; y starts at 0. */
export function linePlot(
  title: string,
  xLabel: string,
  xs: number[],
  series: LineSeries[],
): string {
  const drawn = series.filter(({ values }) => values.every(Number.isFinite));
  const top = Math.max(1e-9, ...drawn.flatMap(({ values }) => values));
  const [first, last] = [xs[0] ?? 0, xs[xs.length - 1] ?? 1];
  const span = last - first || 1;
  const x = (value: number) => LEFT + ((value - first) / span) * (WIDTH - LEFT - RIGHT);
  const y = (value: number) => HEIGHT - BOTTOM - (value / top) * (HEIGHT - TOP - BOTTOM);
  const ends = spread(drawn.map(({ values }) => y(values[values.length - 1] ?? 0)));
  const isDense = xs.length > MAX_DOTS;
  const curves = drawn.map(({ label, values }, i) => {
    const points = values.map((value, n) => `${x(xs[n]).toFixed(1)},${y(value).toFixed(1)}`);
    const dots = (isDense ? [] : points).map((point) => {
      const [cx, cy] = point.split(",");
      return `<circle cx="${cx}" cy="${cy}" r="2.5"/>`;
    });
    return `<g class="series s${i % 6}"><polyline points="${points.join(" ")}"/>${dots.join("")}<text x="${WIDTH - RIGHT + 8}" y="${(ends[i] + 4).toFixed(1)}">${escapeHtml(label)}</text></g>`;
  });
  const levels = linearTicks(0, top).map(
    (value) =>
      `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(value).toFixed(1)}" y2="${y(value).toFixed(1)}" class="grid"/><text x="${LEFT - 6}" y="${(y(value) + 4).toFixed(1)}" text-anchor="end">${value}</text>`,
  );
  const marks = (isDense ? linearTicks(first, last) : xs).map(
    (value) =>
      `<text x="${x(value).toFixed(1)}" y="${HEIGHT - BOTTOM + 16}" text-anchor="middle">${value}</text>`,
  );
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeHtml(title)}" class="plot">
<text x="${LEFT}" y="16" class="title">${escapeHtml(title)}</text>
${[...levels, ...marks, ...curves].join("\n")}
<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 4}" text-anchor="middle">${escapeHtml(xLabel)}</text>
</svg>`;
}

/** The colors that the report's style sheet gives to plots, for an SVG file without a page. */
const STYLE = `svg { font: 11px system-ui, sans-serif; } .title { font-size: 13px; font-weight: 600; }
.grid { stroke: #dde1e7; } polyline { fill: none; stroke: var(--c); stroke-width: 2; }
.series circle, .series text { fill: var(--c); }
.s0 { --c: #2f7fd0; } .s1 { --c: #d0762f; } .s2 { --c: #3a9a5b; } .s3 { --c: #b0509e; } .s4 { --c: #8a8f2c; } .s5 { --c: #c04545; }`;

/** An SVG file with plots side by side. */
export function svgFile(plots: string[]): string {
  const placed = plots.map((plot, i) =>
    plot.replace("<svg ", `<svg x="${i * WIDTH}" width="${WIDTH}" height="${HEIGHT}" `),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH * plots.length} ${HEIGHT}">
<style>${STYLE}</style>
<rect width="100%" height="100%" fill="#ffffff"/>
${placed.join("\n")}
</svg>
`;
}

/** Moves labels apart, so that none covers another. */
function spread(heights: number[]): number[] {
  const gap = 15;
  const order = heights.map((_, i) => i).sort((a, b) => heights[a] - heights[b]);
  const placed = [...heights];
  order.forEach((i, n) => {
    if (n > 0) placed[i] = Math.max(placed[i], placed[order[n - 1]] + gap);
  });
  return placed;
}

const BOX_WIDTH = 640;
const LABELS = 240;
const ROW = 30;

/** Returns an SVG plot with one horizontal box per non-empty group; the diamond is the mean. */
export function boxPlot(title: string, groups: { label: string; values: number[] }[]): string {
  const drawn = groups.filter(({ values }) => values.length > 0);
  const all = drawn.flatMap(({ values }) => values);
  const low = Math.min(0, ...all);
  const high = Math.max(1e-9, ...all);
  const x = (value: number) => LABELS + ((value - low) / (high - low)) * (BOX_WIDTH - LABELS - 20);
  const height = TOP + drawn.length * ROW + 24;
  const rows = drawn.map(({ label, values }, i) =>
    boxRow(label, boxSummary(values)!, TOP + i * ROW, x),
  );
  return `<svg viewBox="0 0 ${BOX_WIDTH} ${height}" role="img" aria-label="${escapeHtml(title)}" class="plot">
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

type BoxSummary = Record<"low" | "lower" | "median" | "upper" | "high" | "mean", number> & {
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

/** Number of ticks of an axis, roughly. */
const TICKS = 5;

/**
 * Returns round numbers (1, 2 or 5 times a power of ten) that cover a range.
 *
 * @returns ascending, all within low..high
 */
export function linearTicks(low: number, high: number): number[] {
  if (!(high > low)) return [low];
  const rough = (high - low) / TICKS;
  const power = Number(`1e${Math.floor(Math.log10(rough))}`);
  const step = power * ([1, 2, 5].find((factor) => factor * power >= rough * 0.75) ?? 10);
  const ticks: number[] = [];
  // Multiples of the step instead of running sums, so that rounding errors do not add up.
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i++) {
    ticks.push(Number((i * step).toPrecision(12)));
  }
  return ticks;
}
