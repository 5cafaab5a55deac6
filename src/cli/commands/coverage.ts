import { writeFile } from "node:fs/promises";
import {
  DISTANCE_NAMES,
  type DistanceName,
  distancesIn,
  voxelizeCharacter,
} from "../../distance/measure.ts";
import { type Coverage, coverageOf, meanCoverage } from "../../evaluate/coverage.ts";
import { InputError } from "../../input-error.ts";
import { readCharacterFile } from "../../io/node.ts";
import { lineChart } from "../../picture/line-chart.ts";
import { encodePng } from "../../picture/png.ts";
import { prepareCharacter } from "../../weights/prepare-character.ts";
import type { Command, CommandArguments, CommandContext } from "../command.ts";
import { listCharacters } from "../evaluation-list.ts";
import { MEASURE_OPTIONS } from "../measure-options.ts";

/** The K of the printed table; CSV and picture have all up to the last. */
const SHOWN = [1, 2, 3, 5, 8, 16];
const MOST = 16;

/** One character's coverage under each distance. */
type Row = { id: string } & Record<DistanceName, Coverage>;

/** `heterskin coverage`: how much of the artists' weights lies on the K nearest bones. */
export const coverage: Command = {
  name: "coverage",
  summary: "Show how much of the artists' weights lies on the K nearest bones of each vertex.",
  usage: "coverage <folder or files> [--split name] [--csv file] [--picture file]",
  positionals: [1, Number.POSITIVE_INFINITY],
  options: {
    list: { type: "text", value: "table", help: "A table with the columns id and split." },
    split: { type: "text", value: "name", help: "Rows of the table to take." },
    csv: { type: "text", value: "file", help: "Write a line per character, distance and K." },
    picture: { type: "text", value: "file", help: "Write the figure of the paper as PNG." },
    ...MEASURE_OPTIONS,
  },
  examples: [
    ["heterskin coverage data --split test", "the table for one split"],
    ["heterskin coverage rigs/*.glb --csv k.csv --picture k.png", "the table, its data, a plot"],
  ],
  run,
};

async function run(args: CommandArguments, context: CommandContext): Promise<void> {
  const [list, split] = [args.text("list"), args.text("split")];
  const characters = await listCharacters(args.positionals, {
    ...(list && { list }),
    ...(split && { split }),
  });
  const rows: Row[] = [];
  for (const [i, { id, file }] of characters.entries()) {
    context.signal.throwIfAborted();
    context.progress(`${i} of ${characters.length} characters`, i / characters.length);
    try {
      rows.push(await measureFile(id, file, args));
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      context.warn(`${id}: left out. ${error.message}`);
    }
  }
  if (rows.length === 0) {
    throw new InputError("No character with painted weights was found; the lines above say why.");
  }
  await writeResults(rows, args, context);
  for (const line of tableLines(rows)) context.print(line);
}

async function measureFile(id: string, file: string, args: CommandArguments): Promise<Row> {
  const { character } = prepareCharacter((await readCharacterFile(file)).character);
  const artist = character.weights;
  if (!artist) throw new InputError("The file has no painted weights to compare with.");
  const options = {
    k: MOST,
    resolution: args.number("resolution"),
    variant: args.text("variant") as "default" | "paper",
  };
  const cells = voxelizeCharacter(character, options);
  const measure = (distance: DistanceName) =>
    coverageOf(artist, distancesIn(character.mesh, cells, { ...options, distance }));
  return {
    id,
    hollow: measure("hollow"),
    volumetric: measure("volumetric"),
    euclid: measure("euclid"),
  };
}

function tableLines(rows: readonly Row[]): string[] {
  const line = (label: string, cells: string[]) =>
    `  ${label.padEnd(12)}${cells.map((cell) => cell.padStart(7)).join("")}`;
  const block = (title: string, part: keyof Coverage) => [
    title,
    line(
      "K =",
      SHOWN.map((k) => `${k}`),
    ),
    ...DISTANCE_NAMES.map((name) => {
      const shares = meanCoverage(rows.map((row) => row[name]))[part];
      return line(
        name,
        SHOWN.map((k) => shares[k - 1].toFixed(3)),
      );
    }),
  ];
  const count = `${rows.length} character${rows.length === 1 ? "" : "s"}`;
  return [
    ...block(`Share of the artists' weight on the K nearest bones, ${count}`, "weight"),
    ...block("Share of the artists' influences among the K nearest bones", "influences"),
  ];
}

async function writeResults(
  rows: readonly Row[],
  args: CommandArguments,
  context: CommandContext,
): Promise<void> {
  const csv = args.text("csv");
  if (csv) {
    await write(csv, csvText(rows));
    context.print(`Wrote ${csv}`);
  }
  const picture = args.text("picture");
  if (picture) {
    await write(picture, encodePng(plot(rows)));
    context.print(`Wrote ${picture}`);
  }
}

async function write(file: string, content: string | Uint8Array): Promise<void> {
  await writeFile(file, content).catch((error: Error) => {
    throw new InputError(`${file} cannot be written: ${error.message}.`);
  });
}

function csvText(rows: readonly Row[]): string {
  const lines = ["character,distance,k,weight,influences"];
  for (const row of rows) {
    for (const name of DISTANCE_NAMES) {
      const { weight, influences } = row[name];
      weight.forEach((share, i) => {
        lines.push(`${row.id},${name},${i + 1},${share.toFixed(5)},${influences[i].toFixed(5)}`);
      });
    }
  }
  return `${lines.join("\n")}\n`;
}

function plot(rows: readonly Row[]) {
  const x = Array.from({ length: MOST }, (_, i) => i + 1);
  const titles: Record<DistanceName, string> = {
    hollow: "HollowDist",
    volumetric: "inside the body",
    euclid: "straight line",
  };
  return lineChart(
    DISTANCE_NAMES.map((name) => ({
      name: titles[name],
      x,
      y: meanCoverage(rows.map((row) => row[name])).weight,
    })),
    {
      title: `Artists' weight on the K nearest bones (${rows.length} characters)`,
      xLabel: "K",
      yLabel: "share of weight",
    },
  );
}
