import { mean } from "../../math/arrays.ts";
import { linearTicks } from "../../picture/chart.ts";
import { type Evaluation, TOP_K } from "../evaluation.ts";
import { isAblation, methodLabel } from "../method-label.ts";
import { findPreset } from "../presets.ts";
import { compare, METRICS, type MethodSummary, type Metric, summarize } from "../summary.ts";
import { boxPlot } from "./box-plot.ts";
import { escapeHtml, formatMetric, METRIC_STYLES, PAGE_SCRIPT, PAGE_STYLE } from "./html.ts";

/** A picture with a caption. */
export interface ReportPicture {
  caption: string;
  /** A `data:` URI, so that the page stays one file. */
  source: string;
}

/** Pictures side by side. */
export interface ReportRow {
  caption: string;
  note?: string;
  pictures: ReportPicture[];
}

/** Rows of pictures under one heading. */
export interface ReportSection {
  title: string;
  text: string;
  rows: ReportRow[];
}

const TESTED: Metric[] = ["precision", "recall", "l1", "distance"];
const PLOTTED: Metric[] = ["precision", "recall", "l1", "distance", "maxDistance", "bleed"];
const DISTANCE_LABELS: Record<string, string> = {
  hollow: "HollowDist",
  volumetric: "Volumetric geodesic",
  euclid: "Euclidean",
};

/**
 * Renders the report of an evaluation: one self-contained HTML page, readable without scripts.
 *
 * @param sections pictures, shown between the plots and the table of characters
 */
export function reportHtml(evaluation: Evaluation, sections: ReportSection[] = []): string {
  const { preset, characters } = evaluation;
  const body = [
    `<h1>Skin weights compared: ${characters.length} character${characters.length === 1 ? "" : "s"}</h1>`,
    `<p>${escapeHtml(rules(evaluation))}</p>`,
    ...comparison(evaluation),
    ...ablation(evaluation),
    "<h2>Spread over the characters</h2>",
    '<p class="note">Box: the middle half of the characters, with the median; whiskers: the farthest within 1.5 boxes; dots: the rest; diamond: the mean.</p>',
    `<div class="plots">${PLOTTED.map((metric) => metricPlot(evaluation, metric)).join("\n")}</div>`,
    ...topK(evaluation),
    ...sections.map(pictureSection),
    "<h2>Every character</h2>",
    `<p class="note">Worst first, by the L1 error of ${escapeHtml(methodLabel(evaluation.methods[0]))}. With scripts on, a click on a column sorts by it.</p>`,
    `<div class="wide">${characterTable(evaluation, TESTED)}</div>`,
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Skin weights compared (preset ${escapeHtml(preset)})</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
${body.join("\n")}
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`;
}

function rules({ preset }: Evaluation): string {
  const { floor, prune, predictedAbove, counted } = findPreset(preset);
  const thinned =
    prune > 0 ? `weights below ${prune} of a vertex's largest are dropped` : "nothing is pruned";
  return `Preset ${preset}: ${floor > 0 ? `weights below ${floor} are dropped, then ` : ""}${thinned}; a weight above ${predictedAbove} is an influence, counted over ${counted === "entries" ? "all entries of a character" : "each vertex and averaged"}. L1 runs from 0 to 2; distances are in units of the character's longest side, over ten random poses. Averages are over characters; small print: 95 % bootstrap intervals.`;
}

function comparison(evaluation: Evaluation): string[] {
  const main = { ...evaluation, methods: evaluation.methods.filter((m) => !isAblation(m)) };
  const shown = main.methods.length > 0 ? main : evaluation;
  const parts = [
    "<h2>Comparison</h2>",
    `<div class="wide">${comparisonTable(summarize(shown))}</div>`,
  ];
  if (evaluation.methods.length > 1) {
    parts.push(
      "<h2>Differences and tests</h2>",
      '<p class="note">Differences are paired, character by character; F and p are of a one-way analysis of variance.</p>',
      `<div class="wide">${differenceTable(evaluation, TESTED)}</div>`,
    );
  }
  return parts;
}

function ablation(evaluation: Evaluation): string[] {
  const ablations = evaluation.methods.filter(isAblation);
  if (ablations.length === 0) return [];
  const full = evaluation.methods.filter((method) => /(^|[/:])paper(\.onnx)?$/.test(method));
  const methods = [...full, ...ablations];
  return [
    "<h2>Ablation</h2>",
    "<p>The paper's network, and the same without one of its parts.</p>",
    `<div class="wide">${comparisonTable(summarize({ ...evaluation, methods }))}</div>`,
  ];
}

function metricPlot(evaluation: Evaluation, metric: Metric): string {
  const { label, factor } = METRIC_STYLES[metric];
  const groups = evaluation.methods.map((method) => ({
    label: methodLabel(method),
    values: evaluation.characters.flatMap(({ results }) => {
      const value = results[method]?.score?.[metric];
      return value === undefined ? [] : [value * factor];
    }),
  }));
  return boxPlot(label, groups);
}

function topK({ characters }: Evaluation): string[] {
  const measured = characters.flatMap(({ topK }) => (topK ? [topK] : []));
  if (measured.length === 0) return [];
  const series = (part: "weight" | "oracle") =>
    Object.keys(measured[0]).map((distance) => ({
      label: DISTANCE_LABELS[distance] ?? distance,
      values: TOP_K.map((_, i) => mean(measured.map((curves) => curves[distance][part][i]))),
    }));
  return [
    "<h2>What the K nearest bones hold</h2>",
    "<p class=\"note\">Left: share of the artist's weight on the K nearest bones. Right: the L1 error left if those bones got exactly the artist's weights; no method that looks at K bones can do better.</p>",
    `<div class="plots">${linePlot("Share of weight", "K", TOP_K, series("weight"))}${linePlot("L1 left (oracle)", "K", TOP_K, series("oracle"))}</div>`,
  ];
}

function pictureSection({ title, text, rows }: ReportSection): string {
  const figures = rows.map(({ caption, note = "", pictures }) => {
    const shown = pictures.map(
      ({ caption: words, source }) =>
        `<span><img src="${escapeHtml(source)}" alt="${escapeHtml(words || caption)}">${escapeHtml(words)}</span>`,
    );
    return `<figure><figcaption><b>${escapeHtml(caption)}</b> ${escapeHtml(note)}</figcaption><div class="row">${shown.join("")}</div></figure>`;
  });
  return `<h2>${escapeHtml(title)}</h2>\n<p>${escapeHtml(text)}</p>\n${figures.join("\n")}`;
}

/** Averages of each method with 95 % intervals; the best of each column in bold. */
function comparisonTable(summaries: MethodSummary[]): string {
  const best = Object.fromEntries(METRICS.map((metric) => [metric, bestOf(summaries, metric)]));
  const head = METRICS.map((metric) => `<th>${METRIC_STYLES[metric].label}</th>`).join("");
  const rows = summaries.map((summary) => {
    const cells = METRICS.map((metric) => {
      const text = formatMetric(metric, summary.means[metric]);
      const [low, high] = summary.intervals[metric].map((end) => formatMetric(metric, end));
      const value = text === best[metric] && summaries.length > 1 ? `<b>${text}</b>` : text;
      return `<td>${value}<small>${low} to ${high}</small></td>`;
    });
    const seconds = [summary.secondsMedian, summary.secondsP90].map(formatSeconds).join(" / ");
    return `<tr><th scope="row">${escapeHtml(methodLabel(summary.method))}</th>${cells.join("")}<td>${summary.failed}</td><td>${seconds}</td></tr>`;
  });
  return `<table><thead><tr><th>Method</th>${head}<th>Failed</th><th>Seconds, median / p90</th></tr></thead>
<tbody>${rows.join("\n")}</tbody></table>`;
}

/** Each method compared with the first: paired differences and one-way ANOVA. */
function differenceTable(evaluation: Evaluation, metrics: Metric[]): string {
  const [first, ...others] = evaluation.methods;
  const rows = others.flatMap((second) =>
    metrics.map((metric) => {
      const { difference, interval, anova, characters } = compare(
        evaluation.characters,
        first,
        second,
        metric,
      );
      const [low, high] = interval.map((end) => formatMetric(metric, end));
      const f = anova && Number.isFinite(anova.f) ? anova.f.toFixed(2) : "–";
      const p =
        anova && Number.isFinite(anova.p)
          ? anova.p < 0.0001
            ? "&lt; 0.0001"
            : anova.p.toFixed(4)
          : "–";
      return `<tr><th scope="row">${escapeHtml(methodLabel(second))}</th><td>${METRIC_STYLES[metric].label}</td><td>${formatMetric(metric, difference)}<small>${low} to ${high}</small></td><td>${f}</td><td>${p}</td><td>${characters}</td></tr>`;
    }),
  );
  return `<table><thead><tr><th>${escapeHtml(methodLabel(first))} minus</th><th>Metric</th><th>Paired difference</th><th>F</th><th>p</th><th>Characters</th></tr></thead>
<tbody>${rows.join("\n")}</tbody></table>`;
}

/** One row per character, worst of the first method first; `data-value` is the sort key. */
function characterTable(evaluation: Evaluation, metrics: Metric[]): string {
  const { methods } = evaluation;
  const groups = methods.map(
    (method) => `<th colspan="${metrics.length}">${escapeHtml(methodLabel(method))}</th>`,
  );
  const heads = methods.map(() =>
    metrics.map((metric) => `<th>${METRIC_STYLES[metric].label}</th>`).join(""),
  );
  const l1 = (results: Evaluation["characters"][0]["results"]) =>
    results[methods[0]]?.score?.l1 ?? Number.POSITIVE_INFINITY;
  const rows = [...evaluation.characters]
    .sort((a, b) => l1(b.results) - l1(a.results) || (a.id < b.id ? -1 : 1))
    .map(({ id, vertices, joints, results }) => {
      const cells = methods.flatMap((method) => {
        const result = results[method];
        if (!result?.score) {
          const reason = escapeHtml(result?.error ?? "not run");
          return [`<td colspan="${metrics.length}" class="error">${reason}</td>`];
        }
        const { score } = result;
        return metrics.map(
          (metric) =>
            `<td data-value="${score[metric] ?? ""}">${formatMetric(metric, score[metric])}</td>`,
        );
      });
      return `<tr><th scope="row">${escapeHtml(id)}</th><td data-value="${vertices}">${vertices}</td><td data-value="${joints}">${joints}</td>${cells.join("")}</tr>`;
    });
  return `<table class="sortable"><thead><tr><th colspan="3"></th>${groups.join("")}</tr>
<tr><th>Character</th><th>Vertices</th><th>Joints</th>${heads.join("")}</tr></thead>
<tbody>${rows.join("\n")}</tbody></table>`;
}

/** Compared as printed, so that equal numbers are equally bold. */
function bestOf(summaries: MethodSummary[], metric: Metric): string | undefined {
  const values = summaries.map((summary) => summary.means[metric]).filter(Number.isFinite);
  if (values.length === 0) return undefined;
  const best = METRIC_STYLES[metric].higherIsBetter ? Math.max(...values) : Math.min(...values);
  return formatMetric(metric, best);
}

function formatSeconds(seconds: number): string {
  return Number.isFinite(seconds) ? seconds.toPrecision(2) : "–";
}

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
