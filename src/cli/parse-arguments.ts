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

/** Options every command has. */
export const COMMON_OPTIONS: Record<string, CommandOption> = {
  help: flag("Show this help.", "h"),
  quiet: flag("Print nothing but errors and what was asked for.", "q"),
  verbose: flag("Print details; show where an error came from.", "v"),
};

/** Parses what follows a command's name; throws `InputError` with a hint when it does not fit. */
export function parseArguments(command: Command, argv: string[]): CommandArguments {
  const options = { ...command.options, ...COMMON_OPTIONS };
  const { tokens } = parseArgs({
    args: argv,
    options: Object.fromEntries(Object.entries(options).map(([name, o]) => [name, forParser(o)])),
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
        Object.entries(some).map(([name, { type, default: usual }]) => {
          if (type !== "flag") return [camelCase(name), lookUp(name)];
          // A flag that is on by default is typed as --no-name.
          if (usual === true) return [camelCase(name.replace(/^no-/, "")), !values.has(name)];
          return [camelCase(name), values.has(name)];
        }),
      ) as Settings,
    needText: (name) => need(name) as string,
    needNumber: (name) => need(name) as number,
    text: (name) => lookUp(name) as string | undefined,
    number: (name) => lookUp(name) as number | undefined,
    flag: (name) => values.has(name),
  };
}

function forParser({ type, short }: CommandOption) {
  return {
    type: type === "flag" ? ("boolean" as const) : ("string" as const),
    ...(short ? { short } : {}),
  };
}

/** @param word the whole word in which `typed` stands: of letters run together, or a file's name */
function unknownOption(command: Command, typed: string, word: string, names: string[]): InputError {
  const nearest = nearestWord(typed.replace(/^-+/, ""), names);
  const isName = typed !== word && /\.[^.=]+$/.test(word);
  const hint = isName
    ? `a name that starts with a dash is written ./${word}.`
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
  // An empty value, or the next option taken for one: the value was forgotten.
  if (!given || given.startsWith("--")) {
    throw new InputError(`${typed} needs a value: ${typed} <${option.value ?? option.type}>.`);
  }
  const value = typedValue(option, given);
  const problem = option.many ? undefined : optionProblem(option as OptionSpec, value);
  if (!problem) return value;
  const nearest = option.choices && nearestWord(given, option.choices);
  throw new InputError(`${typed} ${problem}${nearest ? `; did you mean ${nearest}?` : "."}`);
}

/** A typed value in the unit of the setting; text that is no number stays text and is refused. */
function typedValue({ type, unit, many }: CommandOption, text: string): OptionValue {
  if (type === "names") return namesIn(text);
  if (many || (type !== "number" && type !== "integer")) return text;
  const value = text.trim() === "" ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value * (unit?.size ?? 1) : text;
}

/** Names separated by commas; `\\,` is a comma within a name. */
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
  const [least, most] = command.positionals ?? [0, Infinity];
  if (positionals.length < least) {
    throw new InputError(`An argument is missing; usage: heterskin ${command.usage}`);
  }
  if (positionals.length > most) {
    throw new InputError(
      `"${positionals[most]}" is one argument too many; usage: heterskin ${command.usage}`,
    );
  }
}
