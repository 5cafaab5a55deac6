import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { accuracyFilling, readAccuracyResults, TEXTS } from "../bench/accuracy-results.ts";
import { accuracyTables } from "../bench/accuracy-tables.ts";
import { fillTables, tableProblems } from "../bench/fill-tables.ts";
import type { MethodJson, ResultJson } from "../src/evaluate/summary.ts";

const root = path.join(import.meta.dirname, "..");

describe("documents with measured numbers", () => {
  test.each(TEXTS)("%s matches the committed results", (name) => {
    const file = path.join(root, name);
    const text = existsSync(file) ? readFileSync(file, "utf8") : "";
    expect(tableProblems(text, accuracyFilling(readAccuracyResults()))).toEqual([]);
  });
});

describe("tableProblems", () => {
  const parts: Record<string, string> = { "table:a": "| x |\n| 1 |", "number:n": "0.43" };
  const filling = (kind: string, name: string) => parts[`${kind}:${name}`];
  const good =
    "See\n<!-- table:a -->\n| x |\n| 1 |\n<!-- /table -->\nand <!-- number:n -->0.43<!-- /number -->.";

  test("accepts parts that match the results, and documents without tables", () => {
    expect(tableProblems(good, filling)).toEqual([]);
    expect(tableProblems("No table here.", filling)).toEqual([]);
  });

  test("reports a changed digit, an unknown table and a marker without partner", () => {
    expect(tableProblems(good.replace("| 1 |", "| 2 |"), filling)).toHaveLength(1);
    expect(tableProblems(good.replace("0.43", "0.42"), filling)).toEqual([
      "The number n reads\n0.42\nbut the results say\n0.43",
    ]);
    expect(tableProblems(good.replace("table:a", "table:b"), filling)[0]).toContain(
      "no result file",
    );
    expect(tableProblems(good.replace("<!-- /table -->", ""), filling)[0]).toContain("no partner");
  });

  test("accepts the output of fillTables, which keeps the rest of the document", () => {
    const stale = good.replace("| 1 |", "| 7 |\n| 8 |").replace("0.43", "");
    expect(fillTables(stale, filling)).toBe(good);
    expect(fillTables(good, () => undefined)).toBe(good);
  });
});

describe("accuracyTables", () => {
  const method = (l1: number): MethodJson => ({
    precision: 0.5,
    recall: 0.61239,
    l1,
    l1_ci95: [l1 - 0.1, l1 + 0.1],
    l1_raw: l1,
    distance: l1 / 100,
    distance_ci95: [0, 1],
    max_distance: 0.1,
    bleed: 0.01,
    unweighted: 0,
    failed: 2,
    seconds_median: 0.1234,
    seconds_p90: null,
  });
  const result: ResultJson = {
    preset: "paper",
    characters: 3,
    methods: {
      network: method(0.43),
      "geodesic-voxel": method(0.95),
      paper: method(0.8),
      "paper-euclid": method(0.9),
    },
    comparisons: [],
    per_character: [],
  };

  test("prints every method with the best in bold, ablations separately", () => {
    const { accuracy, ablation } = accuracyTables({ test: result });
    expect(accuracy.split("\n")[2]).toBe(
      "| HeterSkin (default model) | **50.0** | **61.2** | **0.430** | **0.00430** | 2 | 0.12 / – |",
    );
    expect(accuracy).not.toContain("Euclidean");
    expect(ablation.split("\n")).toHaveLength(4);
    expect(ablation).toContain("0.900 (0.800 to 1.000)");
  });

  test("prints ratios to baselines of the same run", () => {
    const { ratios } = accuracyTables({ test: result });
    expect(ratios).toContain("| 0.45 | 0.45 | 0.84 | 0.84 | 0.54 / 0.55 |");
    expect(ratios).toContain("| – | – | – | – | 0.80 / 0.83 |");
  });

  test("averages over characters with known and with new skeletons", () => {
    const row = (id: string, l1: number) => ({
      id,
      vertices: 1,
      joints: 1,
      network: { l1, distance: l1 / 100 },
    });
    const scored = { ...result, per_character: [row("a", 0.2), row("b", 0.4), row("c", 0.9)] };
    const skeletons = { known: ["a", "b"], fresh: ["c"] };
    const table = accuracyTables({ test: scored, skeletons }).skeletons.split("\n");
    expect(table[0]).toContain("Known skeleton (2), L1");
    expect(table[2]).toBe("| HeterSkin (default model) | 0.300 | 0.00300 | 0.900 | 0.00900 |");
  });

  test("finds single numbers by file, method and field", () => {
    const filling = accuracyFilling({ test: result });
    expect(filling("number", "test/network/recall")).toBe("61.2");
    expect(filling("number", "test/network/failed")).toBe("2");
    expect(filling("number", "test/nobody/l1")).toBeUndefined();
  });
});
