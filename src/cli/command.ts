import type { OptionSpec } from "../options.ts";

/** An option of a command, as its help shows it; those of the verbs come from the option table. */
export interface CommandOption extends Omit<OptionSpec, "verbs" | "frontEnds"> {
  /** One letter. */
  short?: string;
  /** Whether the option may be repeated (text); its setting is the list of all values. */
  many?: boolean;
}

/** What the user typed after the command's name, checked against its options. */
export interface CommandArguments {
  positionals: string[];
  /** The value of a text option, or its default. */
  text(name: string): string | undefined;
  /** The value of a number option, or its default. */
  number(name: string): number | undefined;
  /** The same for an option with a default, which is never absent. */
  needText(name: string): string;
  needNumber(name: string): number;
  /**
   * What was given of some options, or their defaults, by their names in camel case: `--max-influences`
   * becomes `maxInfluences`.
   */
  settings<Settings>(options: Record<string, CommandOption>): Settings;
  /** Whether a flag was given. */
  flag(name: string): boolean;
}

/** How a command talks to the world. */
export interface CommandContext {
  /** A line for people, on standard output; nothing with --quiet. */
  print(line: string): void;
  /** What was asked for (JSON, say), on standard output whatever the flags. */
  output(text: string): void;
  /** A line on standard error; nothing with --quiet. */
  warn(line: string): void;
  /** A line on standard error with --verbose only. */
  detail(line: string): void;
  /** A bar on a terminal, nothing in a pipe; fits an `onProgress`. */
  progress(stage: string, fraction: number): void;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
}

/** A command: one file each in `commands/`, listed in `commands.ts`. */
export interface Command {
  name: string;
  /** One line for the list of commands. */
  summary: string;
  /** After the program's name: `bind <in> [out]`. */
  usage: string;
  /** Fewest and most positional arguments; without it any number. */
  positionals?: readonly [least: number, most: number];
  options: Record<string, CommandOption>;
  /** Commands of a command: `farm submit`. */
  commands?: readonly Command[];
  /** Whole command lines with what they do. */
  examples?: readonly (readonly [line: string, says: string])[];
  /** Does the work; throws `InputError` when the input is to blame. */
  run(args: CommandArguments, context: CommandContext): Promise<void>;
}

export const flag = (help: string, short?: string): CommandOption => ({
  type: "flag",
  help,
  ...(short && { short }),
});

/** @param value placeholder of the value in help */
export const text = (value: string, help: string, usual?: string): CommandOption => ({
  type: "text",
  value,
  help,
  ...(usual !== undefined && { default: usual }),
});

export const choice = (
  value: string,
  choices: readonly string[],
  help: string,
  usual?: string,
): CommandOption => ({ ...text(value, help, usual), type: "choice", choices });

/** A number within inclusive bounds. */
export const number = (
  value: string,
  [min, max]: readonly [number, number],
  help: string,
  usual?: number,
): CommandOption => ({
  type: "number",
  value,
  min,
  max,
  help,
  ...(usual !== undefined && { default: usual }),
});

export const integer = (...about: Parameters<typeof number>): CommandOption => ({
  ...number(...about),
  type: "integer",
});

/** The seed of random numbers: any integer. */
export const seed = (help: string, usual: number): CommandOption => ({
  type: "integer",
  value: "n",
  help,
  default: usual,
});

/** The candidate that differs least from a mistyped word, or nothing where none is close. */
export function nearestWord(word: string, candidates: readonly string[]): string | undefined {
  let nearest: string | undefined;
  let least = Math.max(2, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates) {
    const begins = word.length >= 2 && candidate.startsWith(word);
    const distance = begins ? 1 : editDistance(word, candidate);
    if (distance < least && distance < candidate.length) {
      least = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

/** Letters to insert, delete or replace (Levenshtein). */
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
