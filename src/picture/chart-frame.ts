import { drawLine, drawRectangle, type Point } from "./draw-shapes.ts";
import { drawText, fitText, INK, textWidth } from "./draw-text.ts";
import { type Colour, createPicture, type Picture } from "./picture.ts";
import { linearTicks, logTicks, tickText } from "./ticks.ts";

/** Texts of a chart. */
export interface ChartTexts {
  title?: string;
  /** What the axes show, units included. */
  xLabel?: string;
  yLabel?: string;
}

/** An axis: what runs along it and where on the picture. */
export interface Axis {
  range: [number, number];
  log?: boolean;
}

/** An empty chart, ready to be drawn into. */
export interface ChartFrame {
  picture: Picture;
  /** The pixel of a value along each axis. */
  x(value: number): number;
  y(value: number): number;
}

/** Lines of a chart, in turn; told apart by the colour-blind too. */
export const SERIES_COLOURS: Colour[] = [
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
const PAPER: Colour = [255, 255, 255];
const GRID: Colour = [224, 226, 230];

/** Pixels per dot of the texts; height of a line of text with some air. */
const TEXT = 2;
const LINE = 26;

/** A legend: a swatch and a name each. */
export type Legend = { name: string; colour: Colour }[];

/** Draws title, legend, axes, ticks and grid lines. */
export function chartFrame(
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
    drawText(picture, text, (left + right) / 2, HEIGHT - 24, { scale: TEXT, align: "centre" });
  }
  if (yLabel) {
    const text = fitText(yLabel, bottom - top, TEXT);
    const place = { scale: TEXT, align: "centre", upwards: true } as const;
    drawText(picture, text, 10, (top + bottom) / 2, place);
  }
  return { picture, x, y };
}

/** The smallest range that holds all finite values, a little wider than they are. */
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
    drawText(picture, text, x, bottom + 9, { scale: TEXT, align: "centre" });
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
function drawLegend(
  picture: Picture,
  legend: Legend,
  left: number,
  right: number,
  top: number,
): number {
  if (legend.length === 0) return 0;
  let [x, y] = [left, top];
  for (const { name, colour } of legend) {
    const size = 20 + textWidth(name, TEXT);
    if (x > left && x + size > right) [x, y] = [left, y + LINE];
    drawRectangle(picture, [x, y + 2], 12, 10, colour);
    drawText(picture, name, x + 20, y, { scale: TEXT });
    x += size + 22;
  }
  return y + LINE - top;
}
