import { availableParallelism } from "node:os";
import type { BindSettings } from "../files/bind-file.ts";
import type { BoundLevel, LodSettings } from "../files/lod-files.ts";
import { InputError } from "../input-error.ts";
import {
  flagName,
  OPTIONS,
  type OptionName,
  optionProblem,
  optionsOf,
  type Verb,
} from "../options.ts";
import { type CommandArguments, type CommandOption, flag, integer, text } from "./command.ts";

/** Allows overwriting outputs. */
export const FORCE_OPTION: CommandOption = flag("Overwrite existing files.", "f");

/** Number of files bound in parallel. */
export const JOBS_OPTION: CommandOption = integer(
  "n",
  [1, 256],
  "Files bound in parallel, as far as memory allows.",
  availableParallelism(),
);

/** Selects characters of a folder. */
export const LIST_OPTION: CommandOption = text("table", "Table with the columns id and split.");

/** Returns the options of a verb as flags: `maxInfluences` becomes `--max-influences`. */
export function verbOptions(verb: Verb): Record<string, CommandOption> {
  return namedOptions(optionsOf(verb, "cli").map(([name]) => name));
}

/** Returns some options of the table as flags. */
export function namedOptions(names: readonly OptionName[]): Record<string, CommandOption> {
  return Object.fromEntries(names.map((name) => [flagName(name), commandOption(name)]));
}

function commandOption(name: OptionName): CommandOption {
  const { verbs: _, frontEnds: __, ...option } = OPTIONS[name];
  if (option.type === "flag" && option.default === true) {
    return { ...option, help: OFF_HELP[name] ?? option.help };
  }
  const help =
    option.type === "names" ? `${option.help.replace(/\.$/, "")} (comma-separated).` : option.help;
  return { ...option, help, ...(option.type === "files" && { many: true }) };
}

/** Help of flags that turn something off. */
const OFF_HELP: Partial<Record<OptionName, string>> = {
  symmetry: "Do not make the weights of a symmetric character symmetric.",
  cache: "Learn from the examples again, and do not store the result.",
};

/** Returns the options of `bind` from the command line. */
export function bindSettings(args: CommandArguments): BindSettings {
  const settings = args.settings<BindSettings>(verbOptions("bind"));
  const { threads } = settings;
  // More threads than processors would only compete.
  const [maxInfluences] = influencesOf(args);
  return {
    ...settings,
    maxInfluences,
    threads: threads && Math.min(threads, availableParallelism()),
  };
}

/** The option `--max-influences` of a command that binds several levels of detail. */
export const INFLUENCES: CommandOption = text(
  "n",
  "Maximum influences per vertex (1 to 8); with --lods one for each level, comma-separated.",
  OPTIONS.maxInfluences.default as number,
);

/** Returns the influences of each level, level 0 first. */
function influencesOf(args: CommandArguments): number[] {
  const values = `${args.text("max-influences")}`
    .split(",")
    .map((value) => Number(value || Number.NaN));
  for (const value of values) {
    const problem = optionProblem(OPTIONS.maxInfluences, value);
    if (problem) throw new InputError(`--max-influences ${problem}.`);
  }
  return values;
}

/** Returns the levels of detail of a command line; undefined if there are none. */
export function lodSettings(
  args: CommandArguments,
  {
    force,
    maxMemory,
    liftMeshes,
  }: Pick<BindSettings, "maxMemory" | "liftMeshes"> & { force?: boolean | undefined },
): LodSettings | undefined {
  const { lods: files, dropJoints = [] } = args.settings<{
    lods?: string[];
    dropJoints?: string[];
  }>({
    lods: { ...OPTIONS.lods, type: "names" },
    "drop-joints": { ...OPTIONS.dropJoints, type: "names" },
  });
  const [first, ...others] = influencesOf(args);
  if (!files || files.length === 0) {
    if (others.length > 0)
      throw new InputError("--max-influences takes one number without --lods.");
    if (dropJoints.length > 0) throw new InputError("--drop-joints needs --lods.");
    return undefined;
  }
  return {
    files,
    format: args.text("format"),
    maxInfluences: others.length > 0 ? others : [first],
    dropJoints: dropped(dropJoints, files.length),
    force,
    maxMemory,
    liftMeshes,
  };
}

/** By level: the names of `1:*finger*`. */
function dropped(words: string[], levels: number): string[][] {
  const lists = Array.from({ length: levels }, (): string[] => []);
  for (const word of words) {
    const [, level, name] = /^(\d+):(.+)$/.exec(word) ?? [];
    if (!lists[Number(level) - 1]) {
      throw new InputError(
        `--drop-joints "${word}" must name a level from 1 to ${levels} and joints, as in 1:*finger*.`,
      );
    }
    lists[Number(level) - 1].push(name);
  }
  return lists;
}

/** Describes a level for the terminal. */
export function levelLine(level: BoundLevel, index: number): string {
  const { vertices, matched, influences, output } = level;
  const percent = Math.round((matched / vertices) * 100);
  return `level ${index}     ${output}: ${vertices} vertices, ${percent} % matched, at most ${influences.length - 1} influences`;
}
