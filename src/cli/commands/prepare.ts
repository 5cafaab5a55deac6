import type { MeasureConfig } from "../../graph/model-config.ts";
import { SAMPLE_DEFAULTS, type SampleSettings } from "../../learn/sample-settings.ts";
import { PRESETS } from "../../network/presets.ts";
import { type PrepareRow, prepare as prepareFolder } from "../../train/data/prepare.ts";
import { JOBS_OPTION, LIST_OPTION } from "../bind-options.ts";
import {
  type Command,
  type CommandArguments,
  type CommandContext,
  type CommandOption,
  choice,
  number,
  seed,
  text,
  whole,
} from "../command.ts";

/** What variants may go through: the option, the setting it is the probability of, and what it does. */
const CHANGES = [
  ["thin", "thinProbability", "lose some joints"],
  ["coarsen", "coarsenProbability", "lose some vertices"],
  ["resize", "resizeProbability", "have other proportions"],
  ["split-bones", "splitProbability", "have bones cut in two"],
  ["move-joints", "moveProbability", "have joints moved a little"],
  ["attach", "attachProbability", "carry a loose part of another character"],
  ["helpers", "helperProbability", "gain or lose joints that move nothing"],
  ["twins", "twinProbability", "stand under a control rig"],
] as const;

/** Options that decide what samples hold, shared by `prepare` and `train`. */
export const SAMPLE_OPTIONS: Record<string, CommandOption> = {
  preset: choice("text", Object.keys(PRESETS), "The network the samples are for.", "default"),
  list: LIST_OPTION,
  split: text("a,b", "Splits to take; without a table an eighth of the files is val.", "train,val"),
  variants: whole(
    "number",
    [0, 64],
    "Posed variants of each training character; 0 switches posing and thinning off.",
    SAMPLE_DEFAULTS.variants,
  ),
  "variant-seed": seed("Seed of the variants; another makes others.", SAMPLE_DEFAULTS.variantSeed),
  "max-vertices": whole(
    "number",
    [256, Infinity],
    "Denser training meshes are reduced to this.",
    SAMPLE_DEFAULTS.maxVertices,
  ),
  "min-vertices": whole(
    "number",
    [0, Infinity],
    "Coarser training meshes are subdivided to this (the paper: 1000).",
    SAMPLE_DEFAULTS.minVertices,
  ),
  pose: number(
    "number",
    [0, 180],
    "Deviation of the joints' angles in variants, in degrees; 0 for none.",
    SAMPLE_DEFAULTS.poseDegrees,
  ),
  ...Object.fromEntries(
    CHANGES.map(([option, setting, what]) => [
      option,
      number("number", [0, 1], `Share of the variants that ${what}.`, SAMPLE_DEFAULTS[setting]),
    ]),
  ),
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
    ...Object.fromEntries(CHANGES.map(([option, setting]) => [setting, args.needNumber(option)])),
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
