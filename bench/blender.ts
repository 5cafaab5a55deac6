/**
 * Compares the add-on's button with Blender's automatic weights, on the same characters in one run:
 *
 *     npm run bench blender -- <data folder> [--split val] [--jobs n]
 *
 * The folder has a table `characters.tsv` and `characters/<id>.glb`. Needs Blender. Figures go to
 * bench/results/blender.csv, the table into docs/lab/blender.md.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { quantile } from "../src/evaluate/statistics.ts";
import { type MethodJson, resultJson } from "../src/evaluate/summary.ts";
import { evaluateAll, listCharacters } from "../src/files/evaluate-folder.ts";
import { tableRows } from "../src/train/data/character-table.ts";
import { fillTables } from "./fill-tables.ts";
import { saveLines } from "./save-results.ts";

const SCRIPT = "docs/blender-automatic-weights.py";
const TEXT = "docs/lab/blender.md";
/** Vertex counts that represent "a character of 5,000 vertices". */
const MIDDLE = [3500, 6500];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { split: { type: "string", default: "val" }, jobs: { type: "string" } },
});
const [data] = positionals;

/** Blender's script writes both results for every character, and their times. */
const out = mkdtempSync(path.join(tmpdir(), "heterskin-bench-"));
const config = path.join(out, "config");
mkdirSync(path.join(config, "addons"), { recursive: true });
const { status } = spawnSync(
  process.env.BLENDER ?? "blender",
  ["-b", "--factory-startup", "--python-exit-code", "1", "--python", SCRIPT, "--"].concat(
    [path.join(data, "characters"), out, path.join(data, "characters.tsv")],
    [values.split, path.resolve("out/heterskin-blender.zip")],
  ),
  {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, BLENDER_USER_SCRIPTS: config, BLENDER_USER_CONFIG: config },
  },
);
if (status !== 0)
  throw new Error("Blender could not run; npm run test:blender says what it needs.");

const times = tableRows(readFileSync(path.join(out, "seconds.csv"), "utf8")).rows;
const methods = [`existing:${out}`, `existing:${path.join(out, "heterskin")}`];
const settings = { methods, preset: "paper" as const, details: false };
const listed = await listCharacters([data], { split: values.split });
const jobs = values.jobs ? Number(values.jobs) : undefined;
const characters = await evaluateAll(listed, settings, { jobs });
rmSync(out, { recursive: true, force: true });

const rows = times.map(([id, vertices, seconds, , buttonSeconds, megabytes]) => {
  const [automatic, button] = methods.map(
    (method) => characters.find((each) => each.id === id)?.results[method]?.score,
  );
  return { id, automatic, button, ...numbers({ vertices, seconds, buttonSeconds, megabytes }) };
});
const columns =
  "id,vertices,automatic_seconds,button_seconds,button_mb,automatic_l1,button_l1,automatic_unweighted,button_unweighted";
const lines = rows.map((row) =>
  [
    row.id,
    row.vertices,
    row.seconds,
    row.buttonSeconds,
    row.megabytes,
    row.automatic?.l1.toFixed(4),
    row.button?.l1.toFixed(4),
    row.automatic?.unweighted.toFixed(4),
    row.button?.unweighted.toFixed(4),
  ].join(","),
);
saveLines("blender.csv", [columns, ...lines]);
const table = markdown();
const text = readFileSync(TEXT, "utf8");
const filled = fillTables(text, (_, name) => (name === "blender" ? table : undefined));
writeFileSync(TEXT, filled);
console.log(table);

function markdown(): string {
  const { methods: summary } = resultJson({ ...settings, characters });
  const both = (cell: (score: MethodJson) => string): string =>
    methods.map((method) => cell(summary[method])).join(" | ");
  const unweighted = (which: "automatic" | "button"): number =>
    rows.filter((row) => !row[which] || row[which].unweighted > 0).length;
  const middle = rows.filter(({ vertices }) => vertices >= MIDDLE[0] && vertices <= MIDDLE[1]);
  const seconds = (which: "seconds" | "buttonSeconds", share: number, of = rows): string =>
    quantile(
      of.map((row) => row[which]).sort((a, b) => a - b),
      share,
    ).toFixed(2);
  const times = (share: number, of = rows): string =>
    `${seconds("seconds", share, of)} | ${seconds("buttonSeconds", share, of)}`;
  const most = Math.max(...rows.map(({ megabytes }) => megabytes));
  return [
    `| ${rows.length} characters (${values.split}) | Automatic Weights | HeterSkin |`,
    "|---|---|---|",
    `| failed (more than 5 % of the vertices without weight) | ${both(({ failed }) => String(failed))} |`,
    `| with vertices without weight | ${unweighted("automatic")} | ${unweighted("button")} |`,
    `| L1 to the artist | ${both(({ l1 }) => (l1 ?? Number.NaN).toFixed(3))} |`,
    `| distance | ${both(({ distance }) => (distance ?? Number.NaN).toFixed(5))} |`,
    `| seconds, median | ${times(0.5)} |`,
    `| seconds, 90th percentile | ${times(0.9)} |`,
    `| seconds, median of ${middle.length} with ${MIDDLE.join(" to ")} vertices | ${times(0.5, middle)} |`,
    `| peak memory of the warm process, MB | | ${most} |`,
  ].join("\n");
}

function numbers<Name extends string>(texts: Record<Name, string>): Record<Name, number> {
  const entries = Object.entries<string>(texts).map(([name, text]) => [name, Number(text)]);
  return Object.fromEntries(entries);
}
