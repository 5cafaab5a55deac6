import { packageVersion } from "../files/package-root.ts";
import { InputError, sentence } from "../input-error.ts";
import {
  type Command,
  type CommandArguments,
  type CommandContext,
  nearestWord,
} from "./command.ts";
import { COMMANDS, HEAVY_COMMANDS } from "./commands.ts";
import { createProgressBar, type ProgressBar, type Terminal } from "./progress-bar.ts";
import { canRunInChild, interruption, runInChild, statusOf } from "./run-in-child.ts";

/** The streams that the program writes to; `process` fits. */
export interface Streams {
  stdout: Terminal;
  stderr: Terminal;
}

const DONE = 0;
const INVALID_INPUT = 1;
const INTERNAL_ERROR = 2;

/** Words that print the version; before a command, -v does not mean verbose. */
const VERSION_WORDS = new Set(["--version", "-V", "-v", "version"]);

/**
 * Runs the program.
 *
 * @param argv the words after `heterskin`
 * @returns the exit status: 0 success, 1 invalid input, 2 internal error, 128 + n stopped by signal n
 */
export async function main(
  argv: string[],
  streams: Streams = process,
  signal: AbortSignal = interruption(),
): Promise<number> {
  const verbose = argv.includes("--verbose") || argv.includes("-v");
  const bar = createProgressBar(streams.stderr);
  try {
    return (await dispatch(argv, streams, bar, signal)) ?? DONE;
  } catch (error) {
    bar.clear();
    if (signal.aborted) {
      streams.stderr.write("Stopped.\n");
      return statusOf(signal.reason);
    }
    streams.stderr.write(plainText(`${errorText(error, verbose)}\n`));
    return error instanceof InputError ? INVALID_INPUT : INTERNAL_ERROR;
  } finally {
    bar.clear();
  }
}

async function dispatch(
  argv: string[],
  streams: Streams,
  bar: ProgressBar,
  signal: AbortSignal,
): Promise<number | undefined> {
  const [name, ...rest] = argv;
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    const asked = name === "help" ? rest[0] : undefined;
    const { commandHelp, programHelp } = await import("./help.ts");
    const [command] = asked ? subcommand(await findCommand(asked), rest.slice(1)) : [];
    const loadAll = () => Promise.all(Object.values(COMMANDS).map((load) => load()));
    streams.stdout.write(command ? commandHelp(command) : programHelp(await loadAll()));
    if (name === undefined) throw new InputError("No command given.");
    return undefined;
  }
  if (VERSION_WORDS.has(name)) {
    streams.stdout.write(`${packageVersion()}\n`);
    return undefined;
  }
  if (HEAVY_COMMANDS.has(name) && streams === process && canRunInChild()) {
    return runInChild(argv, signal);
  }
  const { commandHelp } = await import("./help.ts");
  const { parseArguments } = await import("./parse-arguments.ts");
  const [command, words] = subcommand(await findCommand(name), rest);
  if (command.commands) {
    streams.stdout.write(commandHelp(command));
    if (words.length === 0) throw new InputError(`No command of "${command.name}" given.`);
    return undefined;
  }
  const args = parseArguments(command, words);
  if (args.flag("help")) streams.stdout.write(commandHelp(command));
  else await command.run(args, createContext(args, streams, bar, signal));
  return undefined;
}

/** Resolves a subcommand such as `farm submit`; returns it with the remaining words. */
function subcommand(command: Command, words: string[]): [Command, string[]] {
  const [name, ...rest] = words;
  if (!command.commands || name === undefined || name === "--help" || name === "-h") {
    return [command, words];
  }
  const found = command.commands.find((each) => each.name === name);
  if (found) return [found, rest];
  const names = command.commands.map((each) => each.name);
  const nearest = nearestWord(name, names);
  const hint = nearest ? `did you mean ${nearest}?` : `it has ${names.join(", ")}.`;
  throw new InputError(`"${command.name}" has no command "${name}"; ${hint}`);
}

async function findCommand(name: string): Promise<Command> {
  if (Object.hasOwn(COMMANDS, name)) return COMMANDS[name]();
  const nearest = nearestWord(name, Object.keys(COMMANDS));
  const hint = nearest ? `did you mean ${nearest}?` : "see heterskin --help.";
  throw new InputError(`There is no command "${name}"; ${hint}`);
}

function createContext(
  args: CommandArguments,
  { stdout, stderr }: Streams,
  bar: ProgressBar,
  signal: AbortSignal,
): CommandContext {
  const quiet = args.flag("quiet");
  const write = (stream: Terminal, text: string) => {
    bar.clear();
    stream.write(text.endsWith("\n") ? text : `${text}\n`);
  };
  const writePlain = (stream: Terminal, text: string) => write(stream, plainText(text));
  return {
    print: (line) => quiet || writePlain(stdout, line),
    // Verbatim for a program that reads it.
    output: (text) => (stdout.isTTY ? writePlain : write)(stdout, text),
    warn: (line) => quiet || writePlain(stderr, line),
    detail: (line) => args.flag("verbose") && writePlain(stderr, line),
    progress: (stage, fraction) => quiet || bar.update(plainText(stage), fraction),
    signal,
  };
}

function errorText(error: unknown, verbose: boolean): string {
  const message = error instanceof Error ? messageOf(error) : String(error);
  const stack = verbose && error instanceof Error && error.stack ? `\n${error.stack}` : "";
  if (error instanceof InputError) return `heterskin: ${message}${stack}`;
  const more = verbose ? "" : " with the output of --verbose";
  return `heterskin: ${message}\nThis is an internal error; please report it${more}.${stack}`;
}

/** Returns the message of an error with the flag that helps: "out.glb: the file exists; allow overwriting (--force)." */
function messageOf(error: Error): string {
  if (!(error instanceof InputError) || !error.remedy?.option) return error.message;
  const { advice, option } = error.remedy;
  // Not `flagName`, so that the parent process does not load the option table.
  const flag = option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return sentence(error, `${advice} (--${flag})`);
}

/** Replaces control characters except line ends and tabs, because names from files may contain any. */
function plainText(text: string): string {
  return text.replace(/(?![\n\t])[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, "\ufffd");
}
