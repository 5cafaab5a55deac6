/**
 * Measures how much of the artists' weights is on the K nearest bones of each vertex:
 *
 *     npm run bench coverage -- <folder or files> [--split name] [--csv file] [--plot file.svg]
 *
 * `--list` names a table with the characters, `--resolution` the cells along the longest side, `--variant`
 * the HollowDist variant.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { DISTANCE_NAMES } from "../src/distance/measure.ts";
import { type Coverage, meanCoverage } from "./coverage-of.ts";
import {
  type CoverageRow,
  coverageCsv,
  drawCoverage,
  measureCoverage,
} from "./measure-coverage.ts";

/** Values of K in the printed table; CSV and plot have all of them. */
const SHOWN = [1, 2, 3, 5, 8, 16];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: "string" },
    split: { type: "string" },
    csv: { type: "string" },
    plot: { type: "string" },
    resolution: { type: "string" },
    variant: { type: "string" },
  },
});
const rows = await measureCoverage(positionals, {
  ...(values.list && { list: values.list }),
  ...(values.split && { split: values.split }),
  ...(values.resolution && { resolution: Number(values.resolution) }),
  ...(values.variant && { variant: values.variant as "default" | "paper" }),
  onProgress: (stage) => console.error(stage),
  onLeftOut: (id, why) => console.error(`${id}: left out. ${why}`),
});
if (values.csv) writeFileSync(values.csv, coverageCsv(rows));
if (values.plot) writeFileSync(values.plot, drawCoverage(rows));
for (const line of tableLines(rows)) console.log(line);

function tableLines(rows: readonly CoverageRow[]): string[] {
  const line = (label: string, cell: (k: number) => string) =>
    `  ${label.padEnd(12)}${SHOWN.map((k) => cell(k).padStart(7)).join("")}`;
  const block = (title: string, part: keyof Coverage) => [
    title,
    line("K =", String),
    ...DISTANCE_NAMES.map((name) => {
      const fractions = meanCoverage(rows.map((row) => row[name]))[part];
      return line(name, (k) => fractions[k - 1].toFixed(3));
    }),
  ];
  const count = `${rows.length} character${rows.length === 1 ? "" : "s"}`;
  return [
    ...block(`Fraction of the artists' weight on the K nearest bones, ${count}`, "weight"),
    ...block("Fraction of the artists' influences among the K nearest bones", "influences"),
  ];
}
