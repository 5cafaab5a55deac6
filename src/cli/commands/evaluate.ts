import { mkdir } from "node:fs/promises";
import path from "node:path";
import { writeText } from "../../disk/write-whole.ts";
import type { Evaluation } from "../../evaluate/evaluate-character.ts";
import { DEFAULT_PRESET, PRESET_NAMES } from "../../evaluate/metrics.ts";
import { hasFailed, resultCsv, resultJson } from "../../evaluate/summary.ts";
import {
  EVALUATED_METHODS,
  type EvaluateFolderOptions,
  evaluateFolder,
  evaluationReport,
} from "../../files/evaluate-folder.ts";
import { InputError } from "../../input-error.ts";
import { METHOD_NAMES } from "../../methods/methods.ts";
import { MODELS } from "../../models.ts";
import {
  type Command,
  type CommandArguments,
  type CommandContext,
  choice,
  text,
} from "../command.ts";
import { expanded, FILE_OPTIONS, printPlan } from "../file-jobs.ts";
import { namesIn } from "../parse-arguments.ts";
import { summaryText } from "../report-text.ts";
import { JOBS_OPTION, LIST_OPTION, namedOptions } from "../verb-options.ts";

/** `heterskin evaluate`: scores methods on characters with painted weights. */
export const evaluate: Command = {
  name: "evaluate",
  summary: "Score methods on rigged files against the weights their artists painted.",
  usage: "evaluate <folder or files> [--methods a,b,...] [options]",
  positionals: [1, Number.POSITIVE_INFINITY],
  options: {
    methods: text(
      "a,b,...",
      `Methods to compare: ${[...METHOD_NAMES, ...Object.keys(MODELS).filter((name) => !MODELS[name].isMethod)].join(", ")}, model:<file.onnx>, existing:<folder with files of the same names>.`,
      EVALUATED_METHODS.join(),
    ),
    preset: choice("name", PRESET_NAMES, "Scoring rules.", DEFAULT_PRESET),
    list: LIST_OPTION,
    split: text("name", "Split to evaluate, from --list or characters.tsv in the folder."),
    json: text("file", "Write the result as JSON; - prints it."),
    csv: text("file", "Write a line per character and method."),
    report: text("folder", "Write an HTML page with plots and pictures."),
    jobs: { ...JOBS_OPTION, help: "Characters evaluated in parallel." },
    "dry-run": FILE_OPTIONS["dry-run"],
    ...namedOptions(["resolution", "provider"]),
  },
  examples: [
    ["heterskin evaluate data --split val --methods network,heat", "Two methods on a split."],
    ["heterskin evaluate rigs/*.glb --json scores.json --report out", "A page with pictures."],
    [
      "heterskin evaluate data --split test --methods existing:blender-out",
      "Weights made by another tool.",
    ],
  ],
  async run(args, context) {
    const inputs = await expanded(args.positionals);
    if (args.flag("dry-run")) {
      const [json, csv, report] = ["json", "csv", "report"].map(args.text);
      const page =
        report &&
        ["index.html", "result.json", "result.csv"].map((each) => path.join(report, each));
      const writes = [json, csv, ...(page || [])]
        .filter((file) => file !== undefined)
        .filter((file) => file !== "-");
      return printPlan(context, inputs, writes);
    }
    const options: EvaluateFolderOptions = {
      ...args.settings<EvaluateFolderOptions>(evaluate.options),
      methods: namesIn(args.text("methods")),
      details: args.text("report") !== undefined,
      signal: context.signal,
      onProgress: context.progress,
      onDone: (result, done, total) => {
        context.progress(`${done} of ${total} characters`, done / total);
        for (const [method, { error }] of Object.entries(result.results)) {
          if (error) context.warn(`${result.id}, ${method}: ${error}`);
        }
      },
    };
    const evaluation = await evaluateFolder(inputs, options);
    await writeResults(evaluation, { ...args, positionals: inputs }, options, context);
    context.print(summaryText(evaluation));
    context.result(resultJson(evaluation));
    if (evaluation.characters.every(({ results }) => Object.values(results).every(hasFailed))) {
      throw new InputError("No character could be scored; see the errors above.");
    }
  },
};

async function writeResults(
  evaluation: Evaluation,
  args: CommandArguments,
  options: EvaluateFolderOptions,
  context: CommandContext,
): Promise<void> {
  const write = async (file: string | undefined, text: string) => {
    if (file === undefined) return;
    await mkdir(path.dirname(file), { recursive: true }).catch(() => undefined);
    writeText(file, text);
    context.detail(`Wrote ${file}.`);
  };
  const json = `${JSON.stringify(resultJson(evaluation), null, 1)}\n`;
  const csv = resultCsv(evaluation);
  if (args.text("json") !== "-") await write(args.text("json"), json);
  await write(args.text("csv"), csv);
  const report = args.text("report");
  if (report === undefined) return;
  const page = await evaluationReport(evaluation, args.positionals, options);
  await write(path.join(report, "index.html"), page);
  await write(path.join(report, "result.json"), json);
  await write(path.join(report, "result.csv"), csv);
}
