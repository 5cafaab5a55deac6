import { InputError } from "../input-error.ts";
import type { OptionSpec } from "../options.ts";

/** An option of a command; options of the verbs are generated from the option table. */
export interface CommandOption extends Omit<OptionSpec, "verbs" | "frontEnds"> {
  short?: string;
  /** Whether the option may be repeated (text); its setting is the list of all values. */
  many?: boolean;
}

/** The arguments of a command, checked against its options. */
export interface CommandArguments {
  positionals: string[];
  /** The value of an option, or its default. */
  text(name: string): string | undefined;
  number(name: string): number | undefined;
  /** The value of an option that has a default. */
  requireText(name: string): string;
  requireNumber(name: string): number;
  /** Values or defaults of several options by camel-case name: `--max-influences` becomes `maxInfluences`. */
  settings<Settings>(options: Record<string, CommandOption>): Settings;
  flag(name: string): boolean;
  /** Whether the command has an option of this name. */
  has(name: string): boolean;
}

/** Output, progress and cancellation of a command. */
export interface CommandContext {
  /** Prints a line for people to standard output; silent with --quiet. */
  print(line: string): void;
  /** Prints a result (such as JSON) to standard output, even with --quiet. */
  output(text: string): void;
  /** Prints a line to standard error; silent with --quiet. */
  warn(line: string): void;
  /** Prints a line to standard error with --verbose. */
  detail(line: string): void;
  /** Prints the result of the command as JSON, with --json; at most once. */
  result(value: object): void;
  /** Sends the rest of the text to standard error, because standard output carries a file. */
  divert(): void;
  /** Writes a file to standard output. */
  outputBytes(bytes: Uint8Array): void;
  /** Reads standard input to its end, at most `max` bytes (default 1 GiB). */
  readInput(max?: number): Promise<Uint8Array>;
  /** Loads every command of the program. */
  commands(): Promise<Command[]>;
  /** Draws a progress bar if standard error is a terminal. */
  progress(stage: string, fraction: number): void;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
}

/** A command: one file each in `commands/`, listed in `commands.ts`. */
export interface Command {
  name: string;
  summary: string;
  /** Arguments after the program's name: `bind <in> [out]`. */
  usage: string;
  /** Minimum and maximum number of positional arguments; any number by default. */
  positionals?: readonly [min: number, max: number];
  options: Record<string, CommandOption>;
  commands?: readonly Command[];
  /** Complete command lines, and what they do. */
  examples?: readonly (readonly [line: string, effect: string])[];
  /** Runs the command; throws `InputError` for invalid input. */
  run(args: CommandArguments, context: CommandContext): Promise<void>;
}

export const flag = (help: string, short?: string): CommandOption => ({
  type: "flag",
  help,
  ...(short && { short }),
});

/** @param value placeholder of the value in help */
export const text = (
  value: string,
  help: string,
  defaultValue?: string | number,
): CommandOption => ({
  type: "text",
  value,
  help,
  ...(defaultValue !== undefined && { default: defaultValue }),
});

export const choice = (
  value: string,
  choices: readonly string[],
  help: string,
  defaultValue?: string,
): CommandOption => ({ ...text(value, help, defaultValue), type: "choice", choices });

/** A number within inclusive bounds. */
export const number = (
  value: string,
  [min, max]: readonly [number, number],
  help: string,
  defaultValue?: number,
): CommandOption => ({ ...text(value, help, defaultValue), type: "number", min, max });

export const integer = (...spec: Parameters<typeof number>): CommandOption => ({
  ...number(...spec),
  type: "integer",
});

/** A seed for random numbers: any integer. */
export const seed = (help: string, defaultValue: number): CommandOption => ({
  ...text("n", help, defaultValue),
  type: "integer",
});

/** Returns the candidate that a mistyped word most likely means, or undefined if none is close. */
export function nearestWord(word: string, candidates: readonly string[]): string | undefined {
  let nearest: string | undefined;
  let min = Math.max(2, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates) {
    const isPrefix = word.length >= 2 && candidate.startsWith(word);
    const distance = isPrefix ? 1 : editDistance(word, candidate);
    if (distance < min && distance < candidate.length) {
      min = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

/** Levenshtein distance: letters to insert, delete or replace. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j] + 1, next[j - 1] + 1));
    }
    row = next;
  }
  return row[b.length];
}

/** The entries of an option of the form `a=1,b=2`: the setting and the bounds of each name. */
export type NumberList<Setting extends PropertyKey> = Readonly<
  Record<string, { setting: Setting; min: number; max?: number }>
>;

/** Parses `a=1,b=2`; throws `InputError` for an unknown name or a number out of bounds. */
export function numbersIn<Setting extends PropertyKey>(
  flag: string,
  text: string | undefined,
  list: NumberList<Setting>,
): Partial<Record<Setting, number>> {
  const found: Partial<Record<Setting, number>> = {};
  for (const part of (text ?? "").split(",").filter(Boolean)) {
    const [name, digits = ""] = part.split("=").map((word) => word.trim());
    const entry = Object.hasOwn(list, name) ? list[name] : undefined;
    if (!entry) {
      const nearest = nearestWord(name, Object.keys(list));
      const hint = nearest ? `did you mean ${nearest}?` : `it has ${Object.keys(list).join(", ")}.`;
      throw new InputError(`${flag} has no entry "${name}"; ${hint}`);
    }
    const { setting, min, max = Infinity } = entry;
    const value = digits === "" ? Number.NaN : Number(digits);
    if (!(value >= min && value <= max)) {
      const bounds = max < Infinity ? `from ${min} to ${max}` : `from ${min}`;
      throw new InputError(`${flag} ${name} must be a number ${bounds}, got "${digits}".`);
    }
    found[setting] = value;
  }
  return found;
}
