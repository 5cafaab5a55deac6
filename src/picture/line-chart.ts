import { type ChartOptions, chartFrame, rangeOf, SERIES_COLOURS } from "./chart-frame.ts";
import { drawDisc, drawPolyline, type Point } from "./draw-shapes.ts";
import type { Colour, Picture } from "./picture.ts";

/** One line of a chart. */
export interface Series {
  name: string;
  x: ArrayLike<number>;
  /** As many as x; the line is broken where a value is not finite. */
  y: ArrayLike<number>;
  colour?: Colour;
}

/** Options for {@link lineChart}. */
export interface LineChartOptions extends ChartOptions {
  /** Dots at the values; by default where a line has at most 24. */
  dots?: boolean;
}

/** Draws values over x as lines, with a legend where there are several. */
export function lineChart(series: Series[], options: LineChartOptions = {}): Picture {
  const { yLog = false } = options;
  const all = (of: (line: Series) => ArrayLike<number>) =>
    series.flatMap((line) => Array.from(of(line)));
  const xRange = options.xRange ?? rangeOf(all((line) => line.x));
  const yRange =
    options.yRange ??
    rangeOf(
      all((line) => line.y),
      yLog,
    );
  const coloured = series.map((line, i) => ({
    ...line,
    colour: line.colour ?? SERIES_COLOURS[i % SERIES_COLOURS.length],
  }));
  const frame = chartFrame(
    { range: xRange },
    { range: yRange, log: yLog },
    options,
    series.length > 1 ? coloured : [],
  );
  for (const line of coloured) {
    for (const run of unbrokenRuns(line, yLog)) {
      const points = run.map(([x, y]): Point => [frame.x(x), frame.y(y)]);
      drawPolyline(frame.picture, points, 2.4, line.colour);
      if (options.dots ?? line.x.length <= 24) {
        for (const point of points) drawDisc(frame.picture, point, 4, line.colour);
      }
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
