import { escapeHtml } from "./html.ts";
import { linearTicks } from "./ticks.ts";

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
