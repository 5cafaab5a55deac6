import { formatMetric, METRIC_STYLES, methodLabel } from "../src/evaluate/report/html.ts";
import type { ComparisonJson, MethodJson, Metric, ResultJson } from "../src/evaluate/summary.ts";
import { mean } from "../src/math/arrays.ts";
import type { KnownSkeletons } from "./known-skeletons.ts";
import { type VisibleResult, visibleRows } from "./visible-tables.ts";

/** The committed results behind the tables; missing files are omitted. */
export interface AccuracyResults {
  /** All methods on the test split, preset `paper`. */
  test?: ResultJson;
  /** Weights of other tools on the test split (`existing:`), if available. */
  others?: ResultJson;
  /** The default model under each preset. */
  presets?: Record<string, MethodJson>;
  topK?: TopKTable;
  skeletons?: KnownSkeletons;
  /** Networks trained and scored on a random split, as in the paper. */
  protocol?: ResultJson;
  /** What people see on each split. */
  visibleVal?: VisibleResult;
  visibleTest?: VisibleResult;
}

/** Means over characters, for each distance, of what the K nearest bones cover. */
export interface TopKTable {
  k: number[];
  distances: Record<string, { weight: number[]; oracle: number[] }>;
}

/** The field of {@link MethodJson} for each metric. */
const FIELDS: [Metric, keyof MethodJson][] = [
  ["precision", "precision"],
  ["recall", "recall"],
  ["l1", "l1"],
  ["l1Raw", "l1_raw"],
  ["distance", "distance"],
  ["maxDistance", "max_distance"],
  ["bleed", "bleed"],
];
const SHORT: Metric[] = ["precision", "recall", "l1", "distance"];
const ABLATIONS = ["paper", "paper-euclid", "paper-without-inter", "paper-without-smooth"];
const DISTANCES: Record<string, string> = {
  hollow: "HollowDist",
  volumetric: "Volumetric geodesic",
  euclid: "Euclidean",
};

/** Placeholder for a table whose methods were not measured. */
const MISSING = "(Not measured: the models for this table are not in `models/`.)";
const TABLES = [
  "accuracy",
  "accuracy-full",
  "ablation",
  "tests",
  "ratios",
  "presets",
  "top-k",
  "skeletons",
  "protocol",
  "protocol-ratios",
  "visible-val",
  "visible-test",
  "verdict-val",
  "verdict-test",
];
/** Methods in the table of known and new skeletons. */
const LEARNED = ["network", ...ABLATIONS, "rignet", "neuroskinning", "heat", "geodesic-voxel"];

/** All tables in Markdown, by the names in their markers. */
export function accuracyTables(results: AccuracyResults): Record<string, string> {
  const { test, others, presets, topK, skeletons, protocol, visibleVal, visibleTest } = results;
  const tables: Record<string, string> = Object.fromEntries(TABLES.map((name) => [name, MISSING]));
  if (test) {
    const methods = { ...test.methods, ...others?.methods };
    const main = Object.keys(methods).filter((name) => !ABLATIONS.slice(1).includes(name));
    const ablations = ABLATIONS.filter((name) => methods[name]);
    tables.accuracy = methodTable(methods, main, SHORT, false);
    tables["accuracy-full"] = methodTable(
      methods,
      main,
      FIELDS.map(([metric]) => metric),
      true,
    );
    if (ablations.length > 1) tables.ablation = methodTable(methods, ablations, SHORT, true);
    if (test.comparisons.length > 0) tables.tests = testTable(test.comparisons);
    if (methods.network || methods.paper) tables.ratios = ratioTable(methods);
  }
  if (presets) {
    tables.presets = methodTable(presets, Object.keys(presets), SHORT, false, "Preset");
  }
  if (topK) tables["top-k"] = topKTable(topK);
  if (test && skeletons) tables.skeletons = skeletonTable(test, skeletons);
  if (protocol) {
    const { methods } = protocol;
    tables.protocol = methodTable(methods, Object.keys(methods), SHORT, false);
    tables["protocol-ratios"] = ratioTable(methods);
  }
  for (const visible of [visibleVal, visibleTest]) {
    if (!visible) continue;
    const { faults, verdict } = visibleRows(visible);
    tables[`visible-${visible.split}`] = markdown(faults.head, faults.rows);
    tables[`verdict-${visible.split}`] = markdown(verdict.head, verdict.rows);
  }
  return tables;
}

function methodTable(
  methods: Record<string, MethodJson>,
  names: string[],
  metrics: Metric[],
  intervals: boolean,
  title = "Method",
): string {
  const fields = FIELDS.filter(([metric]) => metrics.includes(metric));
  // The artist's own weights are the ceiling and do not compete.
  const rivals = names.filter((name) => name !== "artist");
  const rows = names.map((name) => {
    const method = methods[name];
    const cells = fields.map(([metric, field]) => {
      const text = formatMetric(metric, method[field] as number | null);
      const best = bestOf(
        rivals.map((other) => methods[other][field] as number | null),
        metric,
      );
      const value =
        rivals.length > 1 && rivals.includes(name) && text === best ? `**${text}**` : text;
      const interval = intervals && (metric === "l1" || metric === "distance");
      return interval ? `${value} (${intervalText(method, metric)})` : value;
    });
    const seconds = [method.seconds_median, method.seconds_p90].map(secondsText).join(" / ");
    return [
      title === "Method" ? methodLabel(name) : name,
      ...cells,
      String(method.failed),
      seconds,
    ];
  });
  const labels = fields.map(([metric]) => METRIC_STYLES[metric].label);
  return markdown([title, ...labels, "Failed", "Seconds, median / p90"], rows);
}

function intervalText(method: MethodJson, metric: "l1" | "distance"): string {
  const ends = metric === "l1" ? method.l1_ci95 : method.distance_ci95;
  return ends.map((end) => formatMetric(metric, end)).join(" to ");
}

function bestOf(values: (number | null)[], metric: Metric): string {
  const known = values.filter((value) => value !== null);
  const best = METRIC_STYLES[metric].higherIsBetter ? Math.max(...known) : Math.min(...known);
  return formatMetric(metric, best);
}

function testTable(comparisons: ComparisonJson[]): string {
  const byJson: Record<string, Metric> = { precision: "precision", recall: "recall", l1: "l1" };
  const rows = comparisons.map(({ metric, first, second, difference, difference_ci95, f, p }) => {
    const name = byJson[metric] ?? "distance";
    const ends = difference_ci95.map((end) => formatMetric(name, end)).join(" to ");
    return [
      `${methodLabel(first)} minus ${methodLabel(second)}`,
      METRIC_STYLES[name].label,
      `${formatMetric(name, difference)} (${ends})`,
      f === null ? "–" : f.toFixed(2),
      p === null ? "–" : p < 0.0001 ? "< 0.0001" : p.toFixed(4),
    ];
  });
  return markdown(["Methods", "Metric", "Paired difference (95 %)", "F", "p"], rows);
}

/** Results comparable with the paper: errors as multiples of a baseline in the same run. */
function ratioTable(methods: Record<string, MethodJson>): string {
  const ratio = (method: string, base: string, field: "l1" | "distance") => {
    const [a, b] = [methods[method]?.[field], methods[base]?.[field]];
    return a && b ? (a / b).toFixed(2) : "–";
  };
  const pairs = [
    ["geodesic-voxel", "0.54", "0.55"],
    ["rignet", "0.80", "0.83"],
  ];
  const rows = pairs.map(([base, l1, distance]) => [
    `Multiple of ${methodLabel(base)}`,
    ratio("network", base, "l1"),
    ratio("network", base, "distance"),
    ratio("paper", base, "l1"),
    ratio("paper", base, "distance"),
    `${l1} / ${distance}`,
  ]);
  const head = ["Default model, L1", "distance", "Paper's network here, L1", "distance"];
  return markdown(["", ...head, "In the paper, on its data, L1 / distance"], rows);
}

function topKTable({ k, distances }: TopKTable): string {
  const rows = Object.entries(distances).flatMap(([name, { weight, oracle }]) => [
    [`${DISTANCES[name] ?? name}: fraction of weight`, ...weight.map((share) => share.toFixed(3))],
    [`${DISTANCES[name] ?? name}: L1 left`, ...oracle.map((l1) => l1.toFixed(3))],
  ]);
  return markdown(["K", ...k.map(String)], rows);
}

/** Means over the characters whose skeleton is in the training set, and over the others. */
function skeletonTable(test: ResultJson, { known, fresh }: KnownSkeletons): string {
  const average = (method: string, ids: string[], metric: "l1" | "distance"): string => {
    const rows = test.per_character.filter(({ id }) => ids.includes(id));
    const values = rows.flatMap((row) => {
      const score = row[method];
      return typeof score === "object" && typeof score[metric] === "number" ? score[metric] : [];
    });
    return formatMetric(metric, mean(values));
  };
  const rows = LEARNED.filter((method) => test.methods[method]).map((method) => [
    methodLabel(method),
    ...[known, fresh].flatMap((ids) => [
      average(method, ids, "l1"),
      average(method, ids, "distance"),
    ]),
  ]);
  const titles = [`Known skeleton (${known.length}), L1`, "distance"];
  return markdown(["Method", ...titles, `New (${fresh.length}), L1`, "distance"], rows);
}

function secondsText(seconds: number | null): string {
  return seconds === null ? "–" : seconds.toPrecision(2);
}

function markdown(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(" | ")} |`;
  const rule = line(head.map((_, i) => (i === 0 ? "---" : "---:")));
  return [line(head), rule, ...rows.map(line)].join("\n");
}
