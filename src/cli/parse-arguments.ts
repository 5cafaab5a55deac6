import { parseArgs } from "node:util";
import { InputError } from "../input-error.ts";
import { type OptionSpec, optionProblem } from "../options.ts";
import {
  type Command,
  type CommandArguments,
  type CommandOption,
  flag,
  nearestWord,
} from "./command.ts";

type OptionValue = string | number | true | string[];

/** Options of every command. */
export const COMMON_OPTIONS: Record<string, CommandOption> = {
  help: flag("Show this help.", "h"),
  quiet: flag("Print only errors and requested output.", "q"),
  verbose: flag("Print details, and the stack trace of an error.", "v"),
};

/** Parses the words after a command's name; throws `InputError` with a hint for invalid ones. */
export function parseArguments(command: Command, argv: string[]): CommandArguments {
  const options = { ...command.options, ...COMMON_OPTIONS };
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
  };
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
