import { parseArgs } from "node:util";
import { InputError } from "../input-error.ts";
import {
  type Command,
  type CommandArguments,
  type CommandOption,
  flag,
  nearestWord,
} from "./command.ts";

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
  const values = new Map<string, string | number | true | string[]>();
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
  const lookUp = (name: string, type: CommandOption["type"]) => {
    if (options[name]?.type !== type) {
      throw new Error(`parseArguments: "${command.name}" has no ${type} option "${name}".`);
    }
    return values.get(name) ?? options[name].default;
  };
  const need = (name: string, type: CommandOption["type"]) => {
    const value = lookUp(name, type);
    if (value === undefined) throw new Error(`parseArguments: "${name}" has no default.`);
    return value;
  };
  return {
    positionals,
    settings: <Settings>(some: Record<string, CommandOption>) =>
      Object.fromEntries(
        Object.entries(some).map(([name, { type }]) => [
          name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
          type === "flag" ? lookUp(name, type) === true : lookUp(name, type),
        ]),
      ) as Settings,
    needText: (name) => need(name, "text") as string,
    needNumber: (name) => need(name, "number") as number,
    text: (name) => lookUp(name, "text") as string | undefined,
    number: (name) => lookUp(name, "number") as number | undefined,
    flag: (name) => lookUp(name, "flag") === true,
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

function checkValue(
  typed: string,
  option: CommandOption,
  value: string | undefined,
): string | number | true {
  if (option.type === "flag") {
    if (value !== undefined) throw new InputError(`${typed} takes no value, got "${value}".`);
    return true;
  }
  // An empty value, or the next option taken for one: the value was forgotten.
  if (!value || value.startsWith("--")) {
    throw new InputError(`${typed} needs a value: ${typed} <${option.value ?? option.type}>.`);
  }
  return option.type === "number"
    ? checkNumber(typed, option, value)
    : checkText(typed, option, value);
}

function checkText(typed: string, { choices }: CommandOption, value: string): string {
  if (choices && !choices.includes(value)) {
    const nearest = nearestWord(value, choices);
    const hint = nearest ? `; did you mean ${nearest}?` : ".";
    throw new InputError(`${typed} takes ${choices.join(", ")}, got "${value}"${hint}`);
  }
  return value;
}

function checkNumber(typed: string, option: CommandOption, text: string): number {
  const { least = -Infinity, most = Infinity, whole } = option;
  const value = Number(text);
  const fits = Number.isFinite(value) && value >= least && value <= most;
  if (!fits || (whole && !Number.isInteger(value)) || text.trim() === "") {
    throw new InputError(`${typed} takes ${numberRange(option)}, got "${text}".`);
  }
  return value;
}

/** "a whole number from 1 to 8" */
function numberRange({ least, most = Infinity, whole }: CommandOption): string {
  const kind = whole ? "a whole number" : "a number";
  if (least !== undefined && most < Infinity) return `${kind} from ${least} to ${most}`;
  if (least !== undefined) return `${kind} from ${least}`;
  return most === Infinity ? kind : `${kind} up to ${most}`;
}

function checkPositionals(command: Command, positionals: string[]): void {
  const [least, most] = command.positionals ?? [0, Infinity];
  if (positionals.length < least) {
    throw new InputError(`Too little to go on; usage: heterskin ${command.usage}`);
  }
  if (positionals.length > most) {
    throw new InputError(
      `"${positionals[most]}" is one argument too many; usage: heterskin ${command.usage}`,
    );
  }
}
