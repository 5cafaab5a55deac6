import { availableParallelism } from "node:os";
import type { BindSettings } from "../files/bind-file.ts";
import { flagName, OPTIONS, type OptionName, optionsOf, type Verb } from "../options.ts";
import { type CommandArguments, type CommandOption, flag, integer, text } from "./command.ts";
import { influencesOf } from "./lod-options.ts";

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
