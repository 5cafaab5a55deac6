import { packageVersion } from "../files/package-root.ts";
import { InputError } from "../input-error.ts";
import {
  type Command,
  type CommandArguments,
  type CommandContext,
  nearestWord,
} from "./command.ts";
import { COMMANDS, HEAVY_COMMANDS } from "./commands.ts";
import { commandHelp, programHelp } from "./help.ts";
import { parseArguments } from "./parse-arguments.ts";
import { createProgressBar, type ProgressBar, type Terminal } from "./progress-bar.ts";
import { canRunApart, interruption, runApart, statusOf } from "./run-apart.ts";

/** Where the program writes; `process` fits. */
export interface Streams {
  stdout: Terminal;
  stderr: Terminal;
}

const DONE = 0;
const INPUT_AT_FAULT = 1;
const OUR_FAULT = 2;

/** What people type to learn the version; before a command's name -v cannot mean verbose. */
const VERSION_WORDS = new Set(["--version", "-V", "-v", "version"]);

/**
 * Runs the program.
 *
 * @param argv what the user typed after `heterskin`
 * @returns the exit status: 0 done, 1 something is wrong with the input, 2 a fault of ours
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
    return error instanceof InputError ? INPUT_AT_FAULT : OUR_FAULT;
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
    streams.stdout.write(asked ? commandHelp(await findCommand(asked)) : await listCommands());
    if (name === undefined) throw new InputError("Name a command.");
    return undefined;
  }
  if (VERSION_WORDS.has(name)) {
    streams.stdout.write(`${packageVersion()}\n`);
    return undefined;
  }
  if (HEAVY_COMMANDS.has(name) && streams === process && canRunApart()) {
    return runApart(argv, signal);
  }
  const command = await findCommand(name);
  const args = parseArguments(command, rest);
  if (args.flag("help")) streams.stdout.write(commandHelp(command));
  else await command.run(args, createContext(args, streams, bar, signal));
  return undefined;
}

async function listCommands(): Promise<string> {
  return programHelp(await Promise.all(Object.values(COMMANDS).map((load) => load())));
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
  const say = (stream: Terminal, text: string) => write(stream, plainText(text));
  return {
    print: (line) => quiet || say(stdout, line),
    // A program that reads it wants it as it is.
    output: (text) => (stdout.isTTY ? say : write)(stdout, text),
    warn: (line) => quiet || say(stderr, line),
    detail: (line) => args.flag("verbose") && say(stderr, line),
    progress: (stage, fraction) => quiet || bar.update(plainText(stage), fraction),
    signal,
  };
}

function errorText(error: unknown, verbose: boolean): string {
  const message = error instanceof Error ? error.message : String(error);
  const stack = verbose && error instanceof Error && error.stack ? `\n${error.stack}` : "";
  if (error instanceof InputError) return `heterskin: ${message}${stack}`;
  const more = verbose ? "" : " (--verbose shows where it happened)";
  return `heterskin: ${message}\nThis is a fault of ours; please report it${more}.${stack}`;
}

/** A text without what a terminal would obey: names from files may hold anything. Line ends and tabs stay. */
function plainText(text: string): string {
  return text.replace(/(?![\n\t])[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, "\ufffd");
}
