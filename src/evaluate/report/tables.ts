import type { Evaluation } from "../evaluation.ts";
import { methodLabel } from "../method-label.ts";
import { compare, METRICS, type MethodSummary, type Metric } from "../summary.ts";
import { escapeHtml } from "./escape-html.ts";
import { formatMetric, METRIC_STYLES } from "./format-metric.ts";

/** Averages of each method with 95 % intervals; the best of each column in bold. */
export function comparisonTable(summaries: MethodSummary[]): string {
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

/** Each method against the first: paired differences and one-way ANOVA. */
export function differenceTable(evaluation: Evaluation, metrics: Metric[]): string {
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
      const p = anova && Number.isFinite(anova.p) ? formatP(anova.p) : "–";
      return `<tr><th scope="row">${escapeHtml(methodLabel(second))}</th><td>${METRIC_STYLES[metric].label}</td><td>${formatMetric(metric, difference)}<small>${low} to ${high}</small></td><td>${f}</td><td>${p}</td><td>${characters}</td></tr>`;
    }),
  );
  return `<table><thead><tr><th>${escapeHtml(methodLabel(first))} minus</th><th>Metric</th><th>Paired difference</th><th>F</th><th>p</th><th>Characters</th></tr></thead>
<tbody>${rows.join("\n")}</tbody></table>`;
}

/** One row per character, worst of the first method first; `data-value` is what sorting uses. */
export function characterTable(evaluation: Evaluation, metrics: Metric[]): string {
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

function formatP(p: number): string {
  return p < 0.0001 ? "&lt; 0.0001" : p.toFixed(4);
}
