import {
  type Command,
  type CommandArguments,
  type CommandContext,
  text,
} from "../src/cli/command.ts";
import { LIST_OPTION, namedOptions } from "../src/cli/verb-options.ts";
import { writeWhole } from "../src/disk/write-whole.ts";
import { DISTANCE_NAMES } from "../src/distance/measure.ts";
import { encodePng } from "../src/picture/png.ts";
import { type Coverage, meanCoverage } from "./coverage-of.ts";
import {
  type CoverageOptions,
  type CoverageRow,
  coverageCsv,
  drawCoverage,
  measureCoverage,
} from "./measure-coverage.ts";

/** The K of the printed table; CSV and picture have all up to the last. */
const SHOWN = [1, 2, 3, 5, 8, 16];

/** `heterskin coverage`: how much of the artists' weights lies on the K nearest bones. */
export const coverage: Command = {
  name: "coverage",
  summary: "Show how much of the artists' weights lies on the K nearest bones of each vertex.",
  usage: "coverage <folder or files> [--split name] [--csv file] [--picture file]",
  positionals: [1, Number.POSITIVE_INFINITY],
  options: {
    list: LIST_OPTION,
    split: text("name", "Rows of the table to take."),
    csv: text("file", "Write a line per character, distance and K."),
    picture: text("file", "Write the figure of the paper as PNG."),
    ...namedOptions(["resolution"]),
  },
  examples: [
    ["heterskin coverage data --split test", "the table for one split"],
    ["heterskin coverage rigs/*.glb --csv k.csv --picture k.png", "the table, its data, a plot"],
  ],
  run,
};

async function run(args: CommandArguments, context: CommandContext): Promise<void> {
  const rows = await measureCoverage(args.positionals, {
    ...args.settings<CoverageOptions>(coverage.options),
    signal: context.signal,
    onProgress: context.progress,
    onLeftOut: (id, why) => context.warn(`${id}: left out. ${why}`),
  });
  const write = async (file: string | undefined, content: () => Uint8Array) => {
    if (!file) return;
    writeWhole([[file, content()]]);
    context.print(`Wrote ${file}`);
  };
  await write(args.text("csv"), () => Buffer.from(coverageCsv(rows)));
  await write(args.text("picture"), () => encodePng(drawCoverage(rows)));
  for (const line of tableLines(rows)) context.print(line);
}

function tableLines(rows: readonly CoverageRow[]): string[] {
  const line = (label: string, cell: (k: number) => string) =>
    `  ${label.padEnd(12)}${SHOWN.map((k) => cell(k).padStart(7)).join("")}`;
  const block = (title: string, part: keyof Coverage) => [
    title,
    line("K =", String),
    ...DISTANCE_NAMES.map((name) => {
      const shares = meanCoverage(rows.map((row) => row[name]))[part];
      return line(name, (k) => shares[k - 1].toFixed(3));
    }),
  ];
  const count = `${rows.length} character${rows.length === 1 ? "" : "s"}`;
  return [
    ...block(`Share of the artists' weight on the K nearest bones, ${count}`, "weight"),
    ...block("Share of the artists' influences among the K nearest bones", "influences"),
  ];
}
