import { drawDisc, drawLine, drawPolyline, drawRectangle, type Point } from "./draw-shapes.ts";
import { drawText, fitText, INK, textWidth } from "./draw-text.ts";
import { type Color, createPicture, type Picture } from "./picture.ts";

/** One line of a chart. */
export interface Series {
  name: string;
  x: ArrayLike<number>;
  /** As many as x; the line is interrupted at values that are not finite. */
  y: ArrayLike<number>;
}

/** Options for {@link lineChart}. */
export interface LineChartOptions extends ChartTexts {
  yLog?: boolean;
}

const MAX_DOTS = 24;

/** Draws values over x as lines, with a legend if there are several. */
export function lineChart(series: Series[], options: LineChartOptions = {}): Picture {
  const { yLog = false } = options;
  const all = (axis: "x" | "y") => series.flatMap((line) => Array.from(line[axis]));
  const colorOf = (i: number) => SERIES_COLORS[i % SERIES_COLORS.length];
  const colored = series.map((line, i) => ({ ...line, color: colorOf(i) }));
  const frame = chartFrame(
    { range: rangeOf(all("x")) },
    { range: rangeOf(all("y"), yLog), log: yLog },
    options,
    series.length > 1 ? colored : [],
  );
  for (const line of colored) {
    for (const run of unbrokenRuns(line, yLog)) {
      const points = run.map(([x, y]): Point => [frame.x(x), frame.y(y)]);
      drawPolyline(frame.picture, points, 2.4, line.color);
      if (line.x.length > MAX_DOTS) continue;
      for (const point of points) drawDisc(frame.picture, point, 4, line.color);
    }
  }
  return frame.picture;
}

function unbrokenRuns({ x, y }: Series, yLog: boolean): Point[][] {
  const runs: Point[][] = [[]];
  for (let i = 0; i < x.length; i++) {
    const shown = Number.isFinite(x[i]) && Number.isFinite(y[i]) && (!yLog || y[i] > 0);
    if (shown) runs[runs.length - 1].push([x[i], y[i]]);
    else runs.push([]);
  }
  return runs.filter((run) => run.length > 0);
}

/** Texts of a chart. */
export interface ChartTexts {
  title?: string;
  /** What the axes show, units included. */
  xLabel?: string;
  yLabel?: string;
}

/** The range of an axis. */
export interface Axis {
  range: [number, number];
  log?: boolean;
}

/** An empty chart to draw into. */
export interface ChartFrame {
  picture: Picture;
  /** The pixel of a value along each axis. */
  x(value: number): number;
  y(value: number): number;
}

/** Line colors, distinguishable by color-blind readers too. */
export const SERIES_COLORS: Color[] = [
  [38, 98, 184],
  [226, 116, 30],
  [30, 146, 112],
  [190, 58, 92],
  [128, 98, 190],
  [148, 122, 30],
  [72, 172, 214],
  [110, 116, 126],
];

const [WIDTH, HEIGHT] = [720, 440];
const PAPER: Color = [255, 255, 255];
const GRID: Color = [224, 226, 230];

/** Pixels per font dot; line height of text. */
const TEXT = 2;
const LINE = 26;

/** A legend: a swatch and a name each. */
export type Legend = { name: string; color: Color }[];

function chartFrame(
  xAxis: Axis,
  yAxis: Axis,
  { title, xLabel, yLabel }: ChartTexts,
  legend: Legend,
): ChartFrame {
  const picture = createPicture(WIDTH, HEIGHT, PAPER);
  const yTexts = labelsOf(yAxis);
  const widest = Math.max(...yTexts.map(([, text]) => textWidth(text, TEXT)), 10);
  const left = 18 + Math.min(widest, WIDTH * 0.4) + (yLabel ? LINE : 0);
  const right = WIDTH - 24;
  const legendTop = 12 + (title ? LINE : 0);
  const top = legendTop + drawLegend(picture, legend, left, right, legendTop) + 6;
  const bottom = HEIGHT - 34 - (xLabel ? LINE : 0);
  const x = positionAlong(xAxis, left, right);
  const y = positionAlong(yAxis, bottom, top);
  if (title) drawText(picture, fitText(title, WIDTH - 24, TEXT), 12, 12, { scale: TEXT });
  drawGrid(picture, xAxis, yAxis, { x, y }, [left, top], [right, bottom]);
  if (xLabel) {
    const text = fitText(xLabel, right - left, TEXT);
    drawText(picture, text, (left + right) / 2, HEIGHT - 24, { scale: TEXT, align: "center" });
  }
  if (yLabel) {
    const text = fitText(yLabel, bottom - top, TEXT);
    const style = { scale: TEXT, align: "center", upwards: true } as const;
    drawText(picture, text, 10, (top + bottom) / 2, style);
  }
  return { picture, x, y };
}

/** Returns the range of all finite values, with a small margin. */
export function rangeOf(values: number[], log = false): [number, number] {
  const usable = values.filter((value) => Number.isFinite(value) && (!log || value > 0));
  if (usable.length === 0) return log ? [0.1, 1] : [0, 1];
  let [low, high] = [Infinity, -Infinity];
  for (const value of usable) [low, high] = [Math.min(low, value), Math.max(high, value)];
  if (log) return low === high ? [low / 2, high * 2] : [low / 1.1, high * 1.1];
  const air = (high - low) * 0.04 || Math.abs(high) * 0.1 || 1;
  return [low - air, high + air];
}

function labelsOf({ range, log }: Axis): [number, string][] {
  const ticks = log ? logTicks(range[0], range[1]) : linearTicks(range[0], range[1]);
  return ticks.map((tick) => [tick, tickText(tick)]);
}

function positionAlong({ range, log }: Axis, start: number, end: number) {
  const along = log ? Math.log : (value: number) => value;
  const [low, high] = [along(range[0]), along(range[1])];
  return (value: number) => start + ((along(value) - low) / (high - low)) * (end - start);
}

function drawGrid(
  picture: Picture,
  xAxis: Axis,
  yAxis: Axis,
  at: Pick<ChartFrame, "x" | "y">,
  [left, top]: Point,
  [right, bottom]: Point,
): void {
  for (const [value, text] of labelsOf(xAxis)) {
    const x = at.x(value);
    drawLine(picture, [x, top], [x, bottom], 1, GRID);
    drawText(picture, text, x, bottom + 9, { scale: TEXT, align: "center" });
  }
  for (const [value, text] of labelsOf(yAxis)) {
    const y = at.y(value);
    drawLine(picture, [left, y], [right, y], 1, GRID);
    const fitted = fitText(text, picture.width * 0.4, TEXT);
    drawText(picture, fitted, left - 9, y - 3.5 * TEXT, { scale: TEXT, align: "right" });
  }
  drawLine(picture, [left, bottom], [right, bottom], 1.5, INK, 0.7);
  drawLine(picture, [left, top], [left, bottom], 1.5, INK, 0.7);
}

/** @returns the height taken */
function drawLegend(picture: Picture, legend: Legend, left: number, right: number, top: number) {
  if (legend.length === 0) return 0;
  let [x, y] = [left, top];
  for (const { name, color } of legend) {
    const size = 20 + textWidth(name, TEXT);
    if (x > left && x + size > right) [x, y] = [left, y + LINE];
    drawRectangle(picture, [x, y + 2], 12, 10, color);
    drawText(picture, name, x + 20, y, { scale: TEXT });
    x += size + 22;
  }
  return y + LINE - top;
}

/** Returns about `count` round numbers (1, 2 or 5 times a power of ten) within a range, ascending. */
export function linearTicks(low: number, high: number, count = 5): number[] {
  if (!(high > low)) return [low];
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= rough * 0.75) ?? 10);
  const ticks: number[] = [];
  // Multiples of the step, rather than sums, so that rounding does not accumulate.
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i++) {
    ticks.push(Number((i * step).toPrecision(12)));
  }
  return ticks;
}

/** Returns powers of ten in a range, with 2 and 5 times them if there are few. */
export function logTicks(low: number, high: number): number[] {
  const decades = Math.log10(high / low);
  const factors = decades > 2.5 ? [1] : decades > 1 ? [1, 3] : [1, 2, 5];
  const ticks: number[] = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) {
    for (const factor of factors) {
      const tick = Number((factor * 10 ** power).toPrecision(6));
      if (tick >= low * 0.9999 && tick <= high * 1.0001) ticks.push(tick);
    }
  }
  return ticks;
}

/** Formats a tick as short as possible: 0.25, 1200, 15k, 2e-5. */
export function tickText(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e6) return `${Number((value / 1e6).toPrecision(3))}M`;
  if (size >= 1e4) return `${Number((value / 1e3).toPrecision(3))}k`;
  if (size > 0 && size < 1e-3) return value.toExponential(1).replace(".0e", "e");
  return String(Number(value.toPrecision(4)));
}
