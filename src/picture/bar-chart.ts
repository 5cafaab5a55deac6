import { type ChartOptions, chartFrame, rangeOf, SERIES_COLOURS } from "./chart-frame.ts";
import { drawLine, drawRectangle } from "./draw-shapes.ts";
import { drawText, INK } from "./draw-text.ts";
import type { Colour, Picture } from "./picture.ts";
import { tickText } from "./ticks.ts";

/** One bar. */
export interface Bar {
  name: string;
  value: number;
  /** Ends of an interval around the value. */
  interval?: [number, number];
  colour?: Colour;
}

/** Draws a bar per name, one below the other, its value written at the end. */
export function barChart(bars: Bar[], options: ChartOptions = {}): Picture {
  const values = bars.flatMap(({ value, interval }) => [value, ...(interval ?? [])]);
  const [low, high] = rangeOf(values, { zero: true });
  // Some room for the number after the longest bar.
  const xRange = options.xRange ?? [low, high + 0.1 * (high - low)];
  const size = options.size ?? [720, 110 + 36 * bars.length];
  const frame = chartFrame(
    { range: xRange },
    { range: [bars.length - 0.4, -0.6], names: bars.map((bar) => bar.name) },
    { ...options, size },
  );
  const zero = frame.x(Math.max(0, xRange[0]));
  bars.forEach(({ value, interval, colour = SERIES_COLOURS[0] }, i) => {
    if (!Number.isFinite(value)) return;
    const [x, y] = [frame.x(value), frame.y(i)];
    drawRectangle(frame.picture, [Math.min(x, zero), y - 10], Math.abs(x - zero), 20, colour);
    const ends = (interval ?? []).map(frame.x);
    if (interval) drawLine(frame.picture, [ends[0], y], [ends[1], y], 2.4, INK);
    const after = Math.max(x, zero, ...ends) + 8;
    drawText(frame.picture, tickText(Number(value.toPrecision(3))), after, y - 7, { scale: 2 });
  });
  return frame.picture;
}

/** Options for {@link histogram}. */
export interface HistogramOptions extends ChartOptions {
  /** How many bars; 30 unless told. */
  bins?: number;
}

/** Counts of values in equal bins over `xRange`; values outside count in the end bins. */
export function binCounts(
  values: ArrayLike<number>,
  bins: number,
  [low, high]: [number, number],
): number[] {
  const counts = new Array<number>(bins).fill(0);
  for (let i = 0; i < values.length; i++) {
    if (!Number.isFinite(values[i])) continue;
    const bin = Math.floor(((values[i] - low) / (high - low)) * bins);
    counts[Math.min(bins - 1, Math.max(0, bin))]++;
  }
  return counts;
}

/** Draws how many values fall into each of equal bins. */
export function histogram(values: ArrayLike<number>, options: HistogramOptions = {}): Picture {
  const { bins = 30 } = options;
  const xRange = options.xRange ?? rangeOf(Array.from(values));
  const counts = binCounts(values, bins, xRange);
  const yRange = options.yRange ?? rangeOf(counts, { zero: true });
  const frame = chartFrame({ range: xRange }, { range: yRange }, { yLabel: "count", ...options });
  const width = (xRange[1] - xRange[0]) / bins;
  counts.forEach((count, i) => {
    const from = frame.x(xRange[0] + i * width);
    const to = frame.x(xRange[0] + (i + 1) * width);
    const top = frame.y(count);
    const height = frame.y(Math.max(0, yRange[0])) - top;
    drawRectangle(frame.picture, [from + 0.5, top], to - from - 1, height, SERIES_COLOURS[0], 0.9);
  });
  return frame.picture;
}
