import { type ChartTexts, chartFrame, rangeOf, SERIES_COLOURS } from "./chart-frame.ts";
import { drawDisc, drawPolyline, type Point } from "./draw-shapes.ts";
import type { Picture } from "./picture.ts";

/** One line of a chart. */
export interface Series {
  name: string;
  x: ArrayLike<number>;
  /** As many as x; the line is broken where a value is not finite. */
  y: ArrayLike<number>;
}

/** Options for {@link lineChart}. */
export interface LineChartOptions extends ChartTexts {
  /** Whether y is logarithmic. */
  yLog?: boolean;
}

/** Values of longer lines get no dots. */
const MOST_DOTS = 24;

/** Draws values over x as lines, with a legend where there are several. */
export function lineChart(series: Series[], options: LineChartOptions = {}): Picture {
  const { yLog = false } = options;
  const all = (axis: "x" | "y") => series.flatMap((line) => Array.from(line[axis]));
  const colourOf = (i: number) => SERIES_COLOURS[i % SERIES_COLOURS.length];
  const coloured = series.map((line, i) => ({ ...line, colour: colourOf(i) }));
  const frame = chartFrame(
    { range: rangeOf(all("x")) },
    { range: rangeOf(all("y"), yLog), log: yLog },
    options,
    series.length > 1 ? coloured : [],
  );
  for (const line of coloured) {
    for (const run of unbrokenRuns(line, yLog)) {
      const points = run.map(([x, y]): Point => [frame.x(x), frame.y(y)]);
      drawPolyline(frame.picture, points, 2.4, line.colour);
      if (line.x.length > MOST_DOTS) continue;
      for (const point of points) drawDisc(frame.picture, point, 4, line.colour);
    }
  }
  return frame.picture;
}

/** The stretches of a line without a hole. */
function unbrokenRuns({ x, y }: Series, yLog: boolean): Point[][] {
  const runs: Point[][] = [[]];
  for (let i = 0; i < x.length; i++) {
    const shown = Number.isFinite(x[i]) && Number.isFinite(y[i]) && (!yLog || y[i] > 0);
    if (shown) runs[runs.length - 1].push([x[i], y[i]]);
    else runs.push([]);
  }
  return runs.filter((run) => run.length > 0);
}
