import { type ChartOptions, chartFrame, rangeOf, SERIES_COLOURS } from "./chart-frame.ts";
import { drawDisc, drawLine, drawRectangle } from "./draw-shapes.ts";
import { INK } from "./draw-text.ts";
import type { Colour, Picture } from "./picture.ts";

/** The values of one group, such as a method's error on each character. */
export interface Group {
  name: string;
  values: ArrayLike<number>;
  colour?: Colour;
}

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

/** Draws a box with whiskers per group, one below the other, the value along x; a white dot is the mean. */
export function boxPlot(groups: Group[], options: ChartOptions = {}): Picture {
  const { xLog = false } = options;
  const all = groups.flatMap((group) => Array.from(group.values));
  const xRange = options.xRange ?? rangeOf(all, { log: xLog });
  const size = options.size ?? [720, 110 + 44 * groups.length];
  const frame = chartFrame(
    { range: xRange, log: xLog },
    // The first group is the uppermost.
    { range: [groups.length - 0.4, -0.6], names: groups.map((group) => group.name) },
    { ...options, size },
  );
  groups.forEach((group, i) => {
    const summary = summarise(group.values);
    const colour = group.colour ?? SERIES_COLOURS[i % SERIES_COLOURS.length];
    if (summary) drawBox(frame.picture, frame.x, frame.y(i), summary, colour);
  });
  return frame.picture;
}

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
    mean: sorted.reduce((sum, value) => sum + value, 0) / sorted.length,
    outliers: sorted.filter((value) => value < lower - reach || value > upper + reach),
  };
}

function quantile(sorted: number[], share: number): number {
  const at = share * (sorted.length - 1);
  const below = sorted[Math.floor(at)];
  return below + (at % 1) * (sorted[Math.ceil(at)] - below);
}

function drawBox(
  picture: Picture,
  x: (value: number) => number,
  y: number,
  { low, lower, median, upper, high, mean, outliers }: BoxSummary,
  colour: Colour,
): void {
  const half = 11;
  drawLine(picture, [x(low), y], [x(high), y], 1.6, colour);
  for (const end of [low, high]) drawLine(picture, [x(end), y - 6], [x(end), y + 6], 1.6, colour);
  drawRectangle(
    picture,
    [x(lower), y - half],
    Math.max(1, x(upper) - x(lower)),
    2 * half,
    colour,
    0.85,
  );
  drawLine(picture, [x(median), y - half], [x(median), y + half], 2.6, INK);
  drawDisc(picture, [x(mean), y], 4, [255, 255, 255]);
  for (const value of outliers) drawDisc(picture, [x(value), y], 2.4, colour, 0.6);
}
