import type { MeasureConfig } from "../../graph/model-config.ts";
import { PRESETS } from "../../network/presets.ts";
import { type PrepareRow, prepare as prepareFolder } from "../../train/prepare.ts";
import { SAMPLE_DEFAULTS, type SampleSettings } from "../../train/sample-settings.ts";
import type { Command, CommandArguments, CommandContext, CommandOption } from "../command.ts";
import { JOBS_OPTION, LIST_OPTION } from "../shared-options.ts";

const share = (what: string, fallback: number): CommandOption => ({
  type: "number",
  least: 0,
  most: 1,
  default: fallback,
  help: `Share of the variants that ${what}.`,
});

/** Options that decide what samples hold, shared by `prepare` and `train`. */
export const SAMPLE_OPTIONS: Record<string, CommandOption> = {
  preset: {
    type: "text",
    choices: Object.keys(PRESETS),
    default: "default",
    help: "The network the samples are for.",
  },
  list: LIST_OPTION,
  split: {
    type: "text",
    value: "a,b",
    default: "train,val",
    help: "Splits to take; without a table an eighth of the files is val.",
  },
  variants: {
    type: "number",
    least: 0,
    most: 64,
    whole: true,
    default: SAMPLE_DEFAULTS.variants,
    help: "Posed variants of each training character; 0 switches posing and thinning off.",
  },
  "variant-seed": {
    type: "number",
    whole: true,
    default: SAMPLE_DEFAULTS.variantSeed,
    help: "Seed of the variants; another makes others.",
  },
  "max-vertices": {
    type: "number",
    least: 256,
    whole: true,
    default: SAMPLE_DEFAULTS.maxVertices,
    help: "Denser training meshes are reduced to this.",
  },
  "min-vertices": {
    type: "number",
    least: 0,
    whole: true,
    default: SAMPLE_DEFAULTS.minVertices,
    help: "Coarser training meshes are subdivided to this (the paper: 1000).",
  },
  pose: {
    type: "number",
    least: 0,
    most: 180,
    default: SAMPLE_DEFAULTS.poseDegrees,
    help: "Deviation of the joints' angles in variants, in degrees; 0 for none.",
  },
  thin: share("lose some joints", SAMPLE_DEFAULTS.thinProbability),
  coarsen: share("lose some vertices", SAMPLE_DEFAULTS.coarsenProbability),
  resize: share("have other proportions", SAMPLE_DEFAULTS.resizeProbability),
  "split-bones": share("have bones cut in two", SAMPLE_DEFAULTS.splitProbability),
  "move-joints": share("have joints moved a little", SAMPLE_DEFAULTS.moveProbability),
  attach: share("carry a loose part of another character", SAMPLE_DEFAULTS.attachProbability),
  helpers: share("gain or lose joints that move nothing", SAMPLE_DEFAULTS.helperProbability),
  twins: share("stand under a control rig", SAMPLE_DEFAULTS.twinProbability),
  jobs: {
    ...JOBS_OPTION,
    least: 0,
    help: "Characters prepared side by side; 0 works in one thread.",
  },
};

/** Turns rigged files into training samples. */
export const prepare: Command = {
  name: "prepare",
  summary: "Turn a folder of rigged files into samples to train on.",
  usage: "prepare <folder or pack> <cache> [options]",
  positionals: [2, 2],
  options: SAMPLE_OPTIONS,
  examples: [
    ["heterskin prepare rigs cache", "an eighth of the files is kept for validation"],
    ["heterskin prepare data/characters cache --list data/characters.tsv", "splits from a table"],
  ],
  run: async (args, context) => {
    const [from, cache] = args.positionals;
    const { measure } = PRESETS[args.needText("preset")];
    const rows = await prepareWith(from, cache, measure, args, context);
    context.print(prepareSummary(rows));
  },
};

/** Prepares with the options of the command line; says what was rejected. */
export async function prepareWith(
  from: string,
  cache: string,
  measure: MeasureConfig,
  args: CommandArguments,
  context: CommandContext,
): Promise<PrepareRow[]> {
  return prepareFolder(from, cache, {
    settings: sampleSettings(args, measure),
    jobs: args.needNumber("jobs"),
    splits: args.needText("split").split(","),
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
  const degrees = args.needNumber("pose");
  return {
    ...SAMPLE_DEFAULTS,
    measure,
    variants: args.needNumber("variants"),
    variantSeed: args.needNumber("variant-seed"),
    maxVertices: args.needNumber("max-vertices"),
    minVertices: args.needNumber("min-vertices"),
    poseDegrees: degrees,
    poseProbability: degrees > 0 ? SAMPLE_DEFAULTS.poseProbability : 0,
    thinProbability: args.needNumber("thin"),
    coarsenProbability: args.needNumber("coarsen"),
    resizeProbability: args.needNumber("resize"),
    splitProbability: args.needNumber("split-bones"),
    moveProbability: args.needNumber("move-joints"),
    attachProbability: args.needNumber("attach"),
    helperProbability: args.needNumber("helpers"),
    twinProbability: args.needNumber("twins"),
  };
}

/** What became of the characters, in a few lines. */
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
