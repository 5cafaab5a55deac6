import type { MeasureConfig } from "../../graph/model-config.ts";
import { SAMPLE_DEFAULTS, type SampleSettings } from "../../learn/sample-settings.ts";
import { PRESETS } from "../../network/presets.ts";
import { type PrepareRow, prepare as prepareFolder } from "../../train/data/prepare.ts";
import {
  type Command,
  type CommandArguments,
  type CommandContext,
  type CommandOption,
  choice,
  integer,
  type NumberList,
  numbersIn,
  seed,
  text,
} from "../command.ts";
import { FILE_OPTIONS, printPlan } from "../file-jobs.ts";
import { JOBS_OPTION, LIST_OPTION } from "../verb-options.ts";

const SAMPLE_NUMBERS: NumberList<Exclude<keyof SampleSettings, "measure">> = {
  "max-vertices": { setting: "maxVertices", min: 256 },
  "min-vertices": { setting: "minVertices", min: 0 },
  pose: { setting: "poseDegrees", min: 0, max: 180 },
  thin: { setting: "thinProbability", min: 0, max: 1 },
  coarsen: { setting: "coarsenProbability", min: 0, max: 1 },
  resize: { setting: "resizeProbability", min: 0, max: 1 },
  "split-bones": { setting: "splitProbability", min: 0, max: 1 },
  "move-joints": { setting: "moveProbability", min: 0, max: 1 },
  attach: { setting: "attachProbability", min: 0, max: 1 },
  helpers: { setting: "helperProbability", min: 0, max: 1 },
  twins: { setting: "twinProbability", min: 0, max: 1 },
};

/** Options that determine the samples, shared by `prepare` and `train`. */
export const SAMPLE_OPTIONS: Record<string, CommandOption> = {
  preset: choice(
    "name",
    Object.keys(PRESETS),
    "Configuration of the network, and of its samples.",
    "default",
  ),
  list: LIST_OPTION,
  split: text("a,b", "Splits to use; without a table, one file in eight is val.", "train,val"),
  variants: integer(
    "n",
    [0, 64],
    "Variants of each training character; 0 trains on the originals only.",
    SAMPLE_DEFAULTS.variants,
  ),
  "variant-seed": seed("Seed of the variants.", SAMPLE_DEFAULTS.variantSeed),
  samples: text(
    "a=1,b=2",
    `How samples are made: vertex limits (max-vertices, min-vertices), degrees of posing (pose), and the fraction of variants with a change (${Object.keys(SAMPLE_NUMBERS).slice(3).join(", ")}).`,
  ),
  "dry-run": FILE_OPTIONS["dry-run"],
  jobs: { ...JOBS_OPTION, min: 0, help: "Characters prepared in parallel; 0 uses one thread." },
};

/** `heterskin prepare`: converts rigged files to training samples. */
export const prepare: Command = {
  name: "prepare",
  summary: "Convert a folder of rigged files to training samples.",
  usage: "prepare <folder or pack> <cache> [options]",
  positionals: [2, 2],
  options: SAMPLE_OPTIONS,
  examples: [
    ["heterskin prepare rigs cache", "Keeps one file in eight for validation."],
    ["heterskin prepare data/characters cache --list data/characters.tsv", "Splits from a table."],
  ],
  run: async (args, context) => {
    const [from, cache] = args.positionals;
    if (args.flag("dry-run")) return printPlan(context, [from], [cache]);
    const { measure } = PRESETS[args.requireText("preset")];
    const rows = await prepareWith(from, cache, measure, args, context);
    context.print(prepareSummary(rows));
    context.result(rows);
  },
};

/** Prepares samples with the options of the command line; warns of rejected characters. */
export async function prepareWith(
  from: string,
  cache: string,
  measure: MeasureConfig,
  args: CommandArguments,
  context: CommandContext,
): Promise<PrepareRow[]> {
  return prepareFolder(from, cache, {
    settings: sampleSettings(args, measure),
    jobs: args.requireNumber("jobs"),
    splits: args.requireText("split").split(","),
    list: args.text("list"),
    signal: context.signal,
    onProgress: (done, total, row) => {
      context.progress(`${done} of ${total} characters`, done / total);
      if (row.status === "rejected") context.warn(`${row.name}: ${row.reason}`);
      else context.detail(`${row.name}: ${row.status}, ${row.samples} samples`);
    },
  });
}

function sampleSettings(args: CommandArguments, measure: MeasureConfig): SampleSettings {
  const given = numbersIn("--samples", args.text("samples"), SAMPLE_NUMBERS);
  return {
    ...SAMPLE_DEFAULTS,
    measure,
    variants: args.requireNumber("variants"),
    variantSeed: args.requireNumber("variant-seed"),
    ...given,
    ...(given.poseDegrees === 0 && { poseProbability: 0 }),
  };
}

/** Summarizes the prepared, kept and rejected characters in a few lines. */
export function prepareSummary(rows: PrepareRow[]): string {
  const count = (status: PrepareRow["status"]): number =>
    rows.filter((row) => row.status === status).length;
  const samples = rows.reduce((sum, row) => sum + row.samples, 0);
  const vertices = rows.reduce((sum, row) => sum + row.vertices, 0);
  const reasons = new Map<string, number>();
  for (const { reason } of rows) {
    const kind = reason.split(":")[0];
    if (kind) reasons.set(kind, (reasons.get(kind) ?? 0) + 1);
  }
  return [
    `${rows.length} characters: ${count("made")} prepared, ${count("kept")} kept, ${count("rejected")} rejected; ${samples} samples, ${vertices} vertices as drawn.`,
    ...[...reasons].map(([kind, times]) => `  rejected, ${kind}: ${times}`),
  ].join("\n");
}
