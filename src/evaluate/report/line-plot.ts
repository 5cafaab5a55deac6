import { linearTicks } from "../../picture/chart.ts";
import { escapeHtml } from "./html.ts";

export interface LineSeries {
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

/** Draws an SVG of curves over common x, labeled at their right ends; y starts at 0. */
export function linePlot(
  title: string,
  xLabel: string,
  xs: number[],
  series: LineSeries[],
): string {
  const drawn = series.filter(({ values }) => values.every(Number.isFinite));
  const top = Math.max(1e-9, ...drawn.flatMap(({ values }) => values));
  const [first, last] = [xs[0], xs[xs.length - 1]];
  const x = (value: number) => LEFT + ((value - first) / (last - first)) * (WIDTH - LEFT - RIGHT);
  const y = (value: number) => HEIGHT - BOTTOM - (value / top) * (HEIGHT - TOP - BOTTOM);
  const ends = spread(drawn.map(({ values }) => y(values[values.length - 1])));
  const curves = drawn.map(({ label, values }, i) => {
    const points = values.map((value, n) => `${x(xs[n]).toFixed(1)},${y(value).toFixed(1)}`);
    const dots = points.map((point) => {
      const [cx, cy] = point.split(",");
      return `<circle cx="${cx}" cy="${cy}" r="2.5"/>`;
    });
    return `<g class="series s${i % 6}"><polyline points="${points.join(" ")}"/>${dots.join("")}<text x="${WIDTH - RIGHT + 8}" y="${(ends[i] + 4).toFixed(1)}">${escapeHtml(label)}</text></g>`;
  });
  const levels = linearTicks(0, top).map(
    (value) =>
      `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(value).toFixed(1)}" y2="${y(value).toFixed(1)}" class="grid"/><text x="${LEFT - 6}" y="${(y(value) + 4).toFixed(1)}" text-anchor="end">${value}</text>`,
  );
  const marks = xs.map(
    (value) =>
      `<text x="${x(value).toFixed(1)}" y="${HEIGHT - BOTTOM + 16}" text-anchor="middle">${value}</text>`,
  );
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeHtml(title)}" class="plot">
<text x="${LEFT}" y="16" class="title">${escapeHtml(title)}</text>
${[...levels, ...marks, ...curves].join("\n")}
<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 4}" text-anchor="middle">${escapeHtml(xLabel)}</text>
</svg>`;
}

function spread(heights: number[]): number[] {
  const gap = 15;
  const order = heights.map((_, i) => i).sort((a, b) => heights[a] - heights[b]);
  const placed = [...heights];
  order.forEach((i, n) => {
    if (n > 0) placed[i] = Math.max(placed[i], placed[order[n - 1]] + gap);
  });
  return placed;
}
