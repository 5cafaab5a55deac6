import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { formatMetric } from "../src/evaluate/report/html.ts";
import type { MethodJson, Metric, ResultJson } from "../src/evaluate/summary.ts";
import { packageRoot } from "../src/files/package-root.ts";
import { type AccuracyResults, accuracyTables } from "./accuracy-tables.ts";
import { type Filling, fillTables } from "./fill-tables.ts";
import { RESULTS_FOLDER } from "./save-results.ts";

/** Files of the committed results, in `bench/results`. */
export const RESULT_FILES: Record<keyof AccuracyResults, string> = {
  test: "accuracy-test.json",
  others: "accuracy-others.json",
  presets: "accuracy-presets.json",
  topK: "accuracy-top-k.json",
  skeletons: "accuracy-skeletons.json",
  protocol: "protocol.json",
  visibleVal: "visible-val.json",
  visibleTest: "visible-test.json",
};

/** Documents with generated tables, relative to the repository. */
export const TEXTS: string[] = [
  "README.md",
  "MODEL_CARD.md",
  "docs/lab/accuracy.md",
  "docs/lab/network.md",
  "docs/visible.md",
  "docs/lab/visible.md",
];

/** Reads the available results. */
export function readAccuracyResults(folder: string = RESULTS_FOLDER): AccuracyResults {
  const entries = Object.entries(RESULT_FILES).flatMap(([name, file]) => {
    const full = path.join(folder, file);
    return existsSync(full) ? [[name, JSON.parse(readFileSync(full, "utf8"))]] : [];
  });
  return Object.fromEntries(entries);
}

const METRIC_OF: Record<string, Metric> = {
  precision: "precision",
  recall: "recall",
  l1: "l1",
  l1_raw: "l1Raw",
  distance: "distance",
  max_distance: "maxDistance",
  bleed: "bleed",
  unweighted: "unweighted",
};

/** Tables by name, and numbers by `<file>/<method>/<field>` such as `test/network/l1`. */
export function accuracyFilling(results: AccuracyResults): Filling {
  const tables = accuracyTables(results);
  return (kind, name) => {
    if (kind === "table") return tables[name];
    const [file, method, field] = name.split("/");
    const result = results[file as "test" | "others"] as ResultJson | undefined;
    const value = result?.methods?.[method]?.[field as keyof MethodJson];
    if (value === undefined || value === null) return undefined;
    return METRIC_OF[field] ? formatMetric(METRIC_OF[field], value as number) : String(value);
  };
}

/** Regenerates the tables of all documents from the committed results. */
export function writeTables(): void {
  const filling = accuracyFilling(readAccuracyResults());
  for (const name of TEXTS) {
    const file = path.join(packageRoot(), name);
    if (!existsSync(file)) continue;
    const text = readFileSync(file, "utf8");
    const filled = fillTables(text, filling);
    if (filled === text) continue;
    writeFileSync(file, filled);
    console.log(`${name}: tables written.`);
  }
}
