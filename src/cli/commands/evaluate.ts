import { mkdir, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import path from "node:path";
import type { Evaluation } from "../../evaluate/evaluation.ts";
import { PRESET_NAMES, type PresetName } from "../../evaluate/presets.ts";
import { reportHtml } from "../../evaluate/report/report-html.ts";
import { resultCsv } from "../../evaluate/result-csv.ts";
import { resultJson } from "../../evaluate/result-json.ts";
import { hasFailed } from "../../evaluate/summary.ts";
import { InputError } from "../../input-error.ts";
import type { Command, CommandArguments, CommandContext } from "../command.ts";
import type { EvaluationSettings } from "../evaluation-job.ts";
import { listCharacters } from "../evaluation-list.ts";
import { evaluateAll } from "../evaluation-pool.ts";
import { reportSections } from "../report-sections.ts";
import { summaryText } from "../summary-text.ts";

/** Scores methods on characters with painted weights. */
export const evaluate: Command = {
  name: "evaluate",
  summary: "Score methods on rigged files against the weights their artists painted.",
  usage: "evaluate <folder or files> [--methods a,b,...] [options]",
  positionals: [1, Number.POSITIVE_INFINITY],
  options: {
    methods: {
      type: "text",
      value: "a,b,...",
      default: "heterskinnet,heat,geodesic-voxel",
      help: "Methods to compare: heterskinnet, paper, rignet, neuroskinning, heat, heat:blind, geodesic-voxel, geodesic-voxel:maya, hollow, euclid, volumetric, model:<file.onnx>, existing:<folder of files of the same names>.",
    },
    preset: {
      type: "text",
      choices: PRESET_NAMES,
      default: "heterskinnet",
      help: "Whose rules the scores follow.",
    },
    list: { type: "text", value: "table", help: "A table with the columns id and split." },
    split: {
      type: "text",
      value: "name",
      help: "Rows of the table to take (without --list: of characters.tsv in the folder).",
    },
    json: { type: "text", value: "file", help: "Write the result as JSON." },
    csv: { type: "text", value: "file", help: "Write a line per character and method." },
    report: { type: "text", value: "folder", help: "Write an HTML page with plots and pictures." },
    jobs: {
      type: "number",
      least: 1,
      most: 256,
      whole: true,
      default: availableParallelism(),
      help: "Characters evaluated side by side.",
    },
    resolution: { type: "number", least: 16, most: 512, help: "Cells along the longest side." },
    provider: {
      type: "text",
      choices: ["auto", "cpu", "webgpu", "wasm"],
      default: "auto",
      help: "Where networks run; on a processor the same scores bit for bit.",
    },
  },
  examples: [
    ["heterskin evaluate data --split val --methods heterskinnet,heat", "two methods on a split"],
    ["heterskin evaluate rigs/*.glb --json scores.json --report out", "a page with pictures"],
    [
      "heterskin evaluate data --split test --methods existing:blender-out",
      "weights made by another tool",
    ],
  ],
  run,
};

async function run(args: CommandArguments, context: CommandContext): Promise<void> {
  const characters = await listCharacters(args.positionals, optional(args, "list", "split"));
  const settings = settingsFrom(args);
  const results = await evaluateAll(characters, settings, {
    jobs: args.number("jobs")!,
    signal: context.signal,
    onDone: (result, done, total) => {
      context.progress(`${done} of ${total} characters`, done / total);
      for (const [method, { error }] of Object.entries(result.results)) {
        if (error) context.warn(`${result.id}, ${method}: ${error}`);
      }
    },
  });
  const evaluation: Evaluation = { ...settings, characters: results };
  await writeResults(evaluation, args, context, async () =>
    reportSections(evaluation, settings, characters, context),
  );
  context.print(summaryText(evaluation));
  if (results.every((result) => Object.values(result.results).every(hasFailed))) {
    throw new InputError("No character could be scored; the lines above say why.");
  }
}

function settingsFrom(args: CommandArguments): EvaluationSettings {
  const resolution = args.number("resolution");
  return {
    methods: args
      .text("methods")!
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== ""),
    preset: args.text("preset") as PresetName,
    details: args.text("report") !== undefined,
    provider: args.text("provider") as NonNullable<EvaluationSettings["provider"]>,
    ...(resolution && { resolution }),
  };
}

async function writeResults(
  evaluation: Evaluation,
  args: CommandArguments,
  context: CommandContext,
  sections: () => ReturnType<typeof reportSections>,
): Promise<void> {
  const json = () => `${JSON.stringify(resultJson(evaluation), null, 1)}\n`;
  await write(args.text("json"), json, context);
  await write(args.text("csv"), () => resultCsv(evaluation), context);
  const report = args.text("report");
  if (report === undefined) return;
  const page = reportHtml(evaluation, await sections());
  await write(path.join(report, "index.html"), () => page, context);
  await write(path.join(report, "result.json"), json, context);
  await write(path.join(report, "result.csv"), () => resultCsv(evaluation), context);
}

async function write(
  file: string | undefined,
  text: () => string,
  context: CommandContext,
): Promise<void> {
  if (file === undefined) return;
  try {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text());
  } catch (error) {
    throw new InputError(`${file}: cannot be written (${(error as NodeJS.ErrnoException).code}).`);
  }
  context.detail(`Wrote ${file}.`);
}

function optional<Name extends string>(args: CommandArguments, ...names: Name[]) {
  const given = names.flatMap((name) => {
    const value = args.text(name);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(given) as Partial<Record<Name, string>>;
}
