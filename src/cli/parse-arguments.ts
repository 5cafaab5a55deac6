import { parseArgs } from "node:util";
import { InputError } from "../input-error.ts";
import { type OptionSpec, optionProblem } from "../options.ts";
import {
  type Command,
  type CommandArguments,
  type CommandOption,
  flag,
  nearestWord,
  text,
} from "./command.ts";
import { type ConfigOptions, relativeTo } from "./config-file.ts";

type OptionValue = string | number | true | string[];

/** Options of a command that come from a config file. */
export interface Configured {
  file: string;
  options: ConfigOptions;
}

/** Options of every command. */
export const COMMON_OPTIONS: Record<string, CommandOption> = {
  help: flag("Show this help.", "h"),
  quiet: flag("Print only errors and requested output.", "q"),
  verbose: flag("Print details, and the stack trace of an error.", "v"),
  json: flag("Print the result, or the error, as one JSON value."),
  config: text(
    "file",
    "Read defaults from this file, or none; by default heterskin.config.json in this folder or above.",
  ),
};

/**
 * Parses the words after a command's name; throws `InputError` with a hint for invalid ones.
 *
 * @param configured options of a config file, which the words override
 */
export function parseArguments(
  command: Command,
  argv: string[],
  configured?: Configured,
): CommandArguments {
  const options = { ...COMMON_OPTIONS, ...command.options };
  const forParser = Object.entries(options).map(([name, { type, short }]) => {
    const kind = type === "flag" ? ("boolean" as const) : ("string" as const);
    return [name, { type: kind, ...(short && { short }) }] as const;
  });
  const { tokens } = parseArgs({
    args: argv,
    options: Object.fromEntries(forParser),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const positionals: string[] = [];
  const values = new Map<string, OptionValue>();
  for (const token of tokens) {
    if (token.kind === "positional") positionals.push(token.value);
    if (token.kind !== "option") continue;
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    if (!option)
      throw unknownOption(command, token.rawName, argv[token.index], Object.keys(options));
    const value = checkValue(token.rawName, option, token.value);
    const earlier = (values.get(token.name) ?? []) as string[];
    values.set(token.name, option.many ? [...earlier, value as string] : value);
  }
  if (configured) addConfigured(values, options, configured);
  if (!values.has("help")) checkPositionals(command, positionals);
  const lookUp = (name: string) => {
    if (!options[name]) {
      throw new Error(`parseArguments: "${command.name}" has no option "${name}".`);
    }
    return values.get(name) ?? options[name].default;
  };
  const need = (name: string) => {
    const value = lookUp(name);
    if (value === undefined) throw new Error(`parseArguments: "${name}" has no default.`);
    return value;
  };
  return {
    positionals,
    settings: <Settings>(some: Record<string, CommandOption>) =>
      Object.fromEntries(
        Object.entries(some).map(([name, { type, default: value }]) => {
          if (type !== "flag") return [camelCase(name), lookUp(name)];
          // A flag that is on by default is typed as --no-<name>.
          if (value === true) return [camelCase(name.replace(/^no-/, "")), !values.has(name)];
          return [camelCase(name), values.has(name)];
        }),
      ) as Settings,
    requireText: (name) => need(name) as string,
    requireNumber: (name) => need(name) as number,
    text: (name) => lookUp(name) as string | undefined,
    number: (name) => lookUp(name) as number | undefined,
    flag: (name) => values.has(name),
    has: (name) => Object.hasOwn(options, name),
  };
}

/** The name of an option in a config file: `--no-symmetry` is `symmetry`. */
export function configName(flagName: string, { type, default: value }: CommandOption): string {
  return camelCase(type === "flag" && value === true ? flagName.replace(/^no-/, "") : flagName);
}

/** Adds the options of a config file that were not typed. */
function addConfigured(
  values: Map<string, OptionValue>,
  options: Record<string, CommandOption>,
  { file, options: given }: Configured,
): void {
  for (const [name, option] of Object.entries(options)) {
    const key = configName(name, option);
    if (values.has(name) || !Object.hasOwn(given, key)) continue;
    const value = given[key];
    const where = `${file}: "${key}"`;
    if (option.type === "flag") {
      if (typeof value !== "boolean") throw new InputError(`${where} must be true or false.`);
      if (value !== (option.default === true)) values.set(name, true);
      continue;
    }
    const list = (Array.isArray(value) ? value : [value]).map(String);
    const words = list.map((word) => relativeTo(file, word));
    if (option.many) values.set(name, words);
    else values.set(name, checkValue(where, option, words.join(",")));
  }
}

/** @param word the complete word that contains `typed`: several short flags in one, or a file name */
function unknownOption(command: Command, typed: string, word: string, names: string[]): InputError {
  const nearest = nearestWord(typed.replace(/^-+/, ""), names);
  const isName = typed !== word && /\.[^.=]+$/.test(word);
  const hint = isName
    ? `write a file name that starts with a dash as ./${word}.`
    : nearest
      ? `did you mean --${nearest}?`
      : `see heterskin ${command.name} --help.`;
  return new InputError(`"${command.name}" has no option ${typed}; ${hint}`);
}

function checkValue(typed: string, option: CommandOption, given: string | undefined): OptionValue {
  if (option.type === "flag") {
    if (given !== undefined) throw new InputError(`${typed} takes no value, got "${given}".`);
    return true;
  }
  // The value is missing: it is empty, or the next option was taken for it.
  if (!given || given.startsWith("--")) {
    throw new InputError(`${typed} needs a value: ${typed} <${option.value ?? option.type}>.`);
  }
  const value = typedValue(option, given);
  const problem = option.many ? undefined : optionProblem(option as OptionSpec, value);
  if (!problem) return value;
  const nearest = option.choices && nearestWord(given, option.choices);
  throw new InputError(`${typed} ${problem}${nearest ? `; did you mean ${nearest}?` : "."}`);
}

/** Converts a typed value to the unit of the setting; text that is not a number stays text, which fails the check. */
function typedValue({ type, unit, many }: CommandOption, text: string): OptionValue {
  if (type === "names") return namesIn(text);
  if (many || (type !== "number" && type !== "integer")) return text;
  const value = text.trim() === "" ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value * (unit?.size ?? 1) : text;
}

/** Splits names at commas; `\\,` is a comma within a name. */
export function namesIn(text = ""): string[] {
  return text
    .split(/(?<!\\),/)
    .map((name) => name.replaceAll("\\,", ",").trim())
    .filter((name) => name !== "");
}

function camelCase(name: string): string {
  return name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

function checkPositionals(command: Command, positionals: string[]): void {
  const [min, max] = command.positionals ?? [0, Infinity];
  if (positionals.length < min) {
    throw new InputError(`An argument is missing; usage: heterskin ${command.usage}`);
  }
  if (positionals.length > max) {
    throw new InputError(
      `"${positionals[max]}" is one argument too many; usage: heterskin ${command.usage}`,
    );
  }
}
