import { mean } from "../../math/arrays.ts";
import { type Evaluation, TOP_K } from "../evaluate-character.ts";
import { findPreset } from "../metrics.ts";
import {
  COMPARED,
  compare,
  METRICS,
  type MethodSummary,
  type Metric,
  summarize,
} from "../summary.ts";
import { formatFraction, VISIBLE_LABELS, type VisibleFractions } from "../visible-faults.ts";
import {
  escapeHtml,
  formatMetric,
  isAblation,
  METRIC_STYLES,
  methodLabel,
  PAGE_SCRIPT,
  PAGE_STYLE,
} from "./html.ts";
import { boxPlot, linePlot } from "./plots.ts";

export interface ReportPicture {
  caption: string;
  /** A `data:` URI, which keeps the page in one file. */
  source: string;
}

/** Pictures in one row; texts are plain. */
export interface ReportRow {
  caption: string;
  /** Text after the caption. */
  note?: string;
  pictures: ReportPicture[];
}

/** Rows of pictures under one heading. */
export interface ReportSection {
  title: string;
  text: string;
  rows: ReportRow[];
}

const PLOTTED: Metric[] = [...COMPARED, "maxDistance", "bleed"];
const DISTANCE_LABELS: Record<string, string> = {
  hollow: "HollowDist",
  volumetric: "Volumetric geodesic",
  euclid: "Euclidean",
};

/**
 * Returns the report as one self-contained HTML page, readable without scripts.
 *
 * @param sections pictures between the plots and the table of characters
 */
export function reportHtml(evaluation: Evaluation, sections: ReportSection[] = []): string {
  const { preset, characters } = evaluation;
  const body = [
    `<h1>Skin weights compared: ${characters.length} character${characters.length === 1 ? "" : "s"}</h1>`,
    `<p>${escapeHtml(rules(evaluation))}</p>`,
    ...comparison(evaluation),
    ...ablation(evaluation),
    "<h2>Spread over the characters</h2>",
    '<p class="note">Box: quartiles and median; whiskers: the farthest character within 1.5 box lengths; dots: outliers; diamond: mean.</p>',
    `<div class="plots">${PLOTTED.map((metric) => metricPlot(evaluation, metric)).join("\n")}</div>`,
    ...topK(evaluation),
    ...sections.map(pictureSection),
    "<h2>Every character</h2>",
    `<p class="note">Worst first, by the L1 error of ${escapeHtml(methodLabel(evaluation.methods[0]))}. Click a column to sort by it.</p>`,
    `<div class="wide">${characterTable(evaluation, COMPARED)}</div>`,
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
      `<div class="wide">${differenceTable(evaluation, COMPARED)}</div>`,
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
    "<p>The paper's network, and the same network with one part removed.</p>",
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
    "<h2>Weight on the K nearest bones</h2>",
    "<p class=\"note\">Left: fraction of the artist's weight on the K nearest bones. Right: the L1 error if those bones had exactly the artist's weights, the lower bound of any method that sees K bones.</p>",
    `<div class="plots">${linePlot("Fraction of weight", "K", TOP_K, series("weight"))}${linePlot("L1 (oracle)", "K", TOP_K, series("oracle"))}</div>`,
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

/** Averages of each method with 95 % intervals; the best of each column is bold. */
function comparisonTable(summaries: MethodSummary[]): string {
  const best = Object.fromEntries(METRICS.map((metric) => [metric, bestOf(summaries, metric)]));
  const head = [
    ...METRICS.map((metric) => METRIC_STYLES[metric].label),
    ...Object.values(VISIBLE_LABELS),
  ]
    .map((label) => `<th>${label}</th>`)
    .join("");
  const rows = summaries.map((summary) => {
    const cells = METRICS.map((metric) => {
      const text = formatMetric(metric, summary.means[metric]);
      const [low, high] = summary.intervals[metric].map((end) => formatMetric(metric, end));
      const value = text === best[metric] && summaries.length > 1 ? `<b>${text}</b>` : text;
      return `<td>${value}<small>${low} to ${high}</small></td>`;
    });
    const faults = Object.keys(VISIBLE_LABELS) as (keyof VisibleFractions)[];
    cells.push(...faults.map((name) => `<td>${formatFraction(summary.visible[name])}</td>`));
    const seconds = [summary.secondsMedian, summary.secondsP90]
      .map((value) => (Number.isFinite(value) ? value.toPrecision(2) : "–"))
      .join(" / ");
    return `<tr><th scope="row">${escapeHtml(methodLabel(summary.method))}</th>${cells.join("")}<td>${summary.failed}</td><td>${seconds}</td></tr>`;
  });
  return `<table><thead><tr><th>Method</th>${head}<th>Failed</th><th>Seconds, median / p90</th></tr></thead>
<tbody>${rows.join("\n")}</tbody></table>`;
}

/** Paired differences and one-way ANOVA between the first method and each other. */
function differenceTable(evaluation: Evaluation, metrics: Metric[]): string {
  const [first, ...others] = evaluation.methods;
  const rows = others.flatMap((second) =>
    metrics.map((metric) => {
      const compared = compare(evaluation.characters, first, second, metric);
      const { difference, interval, anova, characters } = compared;
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

/** One row per character, the first method's worst first; scripts sort by `data-value`. */
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
