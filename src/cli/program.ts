import { packageVersion } from "../files/package-root.ts";
import { refuseLarge } from "../formats/budget.ts";
import { InputError } from "../input-error.ts";
import {
  type Command,
  type CommandArguments,
  type CommandContext,
  nearestWord,
} from "./command.ts";
import { COMMANDS, HEAVY_COMMANDS } from "./commands.ts";
import { errorJson, errorText } from "./error-text.ts";
import type { Configured } from "./parse-arguments.ts";
import { createProgressBar, type ProgressBar, type Terminal } from "./progress-bar.ts";
import { canRunInChild, interruption, runInChild, statusOf } from "./run-in-child.ts";

/** The streams that the program writes to; `process` fits. */
export interface Streams {
  stdin?: AsyncIterable<Uint8Array | string>;
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
  const output: Output = { hasResult: false, isDiverted: false };
  try {
    return (await dispatch(argv, streams, { bar, output }, signal)) ?? DONE;
  } catch (error) {
    bar.clear();
    if (signal.aborted) {
      streams.stderr.write("Stopped.\n");
      return statusOf(signal.reason);
    }
    if (wantsJson(argv) && !output.hasResult) {
      const { stdout, stderr } = streams;
      const json = JSON.stringify({ error: errorJson(error, output.hasOption) }, null, 2);
      (output.isDiverted ? stderr : stdout).write(`${json}\n`);
    } else streams.stderr.write(plainText(`${errorText(error, verbose, output.hasOption)}\n`));
    return error instanceof InputError ? INVALID_INPUT : INTERNAL_ERROR;
  } finally {
    bar.clear();
  }
}

/** Whether the result goes to standard output as JSON; `evaluate --json` takes a file, or - for standard output. */
function wantsJson(argv: readonly string[]): boolean {
  const at = argv.indexOf("--json");
  return at >= 0 && (argv[0] !== "evaluate" || argv[at + 1] === "-");
}

/** What a command has written so far. */
interface Output {
  /** Whether its JSON is written. */
  hasResult: boolean;
  /** Whether standard output carries a file, and text goes to standard error. */
  isDiverted: boolean;
  /** Whether the command has an option; unknown before it is loaded. */
  hasOption?: (name: string) => boolean;
}

async function dispatch(
  argv: string[],
  streams: Streams,
  terminal: { bar: ProgressBar; output: Output },
  signal: AbortSignal,
): Promise<number | undefined> {
  const [name, ...rest] = argv;
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    const asked = name === "help" ? rest[0] : undefined;
    const { commandHelp, programHelp } = await import("./help.ts");
    const [command] = asked ? subcommand(await findCommand(asked), rest.slice(1)) : [];
    streams.stdout.write(command ? commandHelp(command) : programHelp(await loadCommands()));
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
  terminal.output.hasOption = (option) => Object.hasOwn(command.options, option);
  if (command.commands) {
    streams.stdout.write(commandHelp(command));
    if (words.length === 0) throw new InputError(`No command of "${command.name}" given.`);
    return undefined;
  }
  const configured = await configuredOptions(name, command, parseArguments(command, words));
  const args = parseArguments(command, words, configured);
  if (args.flag("help")) streams.stdout.write(commandHelp(command));
  else await command.run(args, createContext(args, streams, terminal, signal));
  return undefined;
}

/** Returns what the config file has for a command; every option in it must be one of its command, or of any. */
async function configuredOptions(
  name: string,
  command: Command,
  typed: CommandArguments,
): Promise<Configured | undefined> {
  const { readConfig, refuseUnknown } = await import("./config-file.ts");
  const config = typed.flag("help")
    ? undefined
    : readConfig(typed.text("config"), Object.keys(COMMANDS));
  if (!config) return undefined;
  const { configName, COMMON_OPTIONS } = await import("./parse-arguments.ts");
  const namesOf = ({ options, commands = [] }: Command): string[] => [
    ...Object.entries({ ...COMMON_OPTIONS, ...options })
      .filter(([each]) => each !== "help" && each !== "config")
      .map(([each, option]) => configName(each, option)),
    ...commands.flatMap(namesOf),
  ];
  const { file, common, commands } = config;
  const own = commands[name] ?? {};
  refuseUnknown(file, own, namesOf(await findCommand(name)));
  const known = namesOf(command);
  if (Object.keys(common).some((each) => !known.includes(each))) {
    refuseUnknown(file, common, (await loadCommands()).flatMap(namesOf));
  }
  return { file, options: { ...common, ...own } };
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

function loadCommands(): Promise<Command[]> {
  return Promise.all(Object.values(COMMANDS).map((load) => load()));
}

async function findCommand(name: string): Promise<Command> {
  if (Object.hasOwn(COMMANDS, name)) return COMMANDS[name]();
  const nearest = nearestWord(name, Object.keys(COMMANDS));
  const hint = nearest ? `did you mean ${nearest}?` : "see heterskin --help.";
  throw new InputError(`There is no command "${name}"; ${hint}`);
}

function createContext(
  args: CommandArguments,
  { stdin = process.stdin, stdout, stderr }: Streams,
  { bar, output }: { bar: ProgressBar; output: Output },
  signal: AbortSignal,
): CommandContext {
  const json: unknown = args.text("json");
  const isJson = json === true || json === "-";
  const quiet = args.flag("quiet");
  const write = (stream: Terminal, text: string) => {
    bar.clear();
    stream.write(text.endsWith("\n") ? text : `${text}\n`);
  };
  const writePlain = (stream: Terminal, text: string) => write(stream, plainText(text));
  const target = () => (output.isDiverted ? stderr : stdout);
  return {
    print: (line) => quiet || isJson || writePlain(target(), line),
    // Verbatim for a program that reads it.
    output: (text) => (target().isTTY ? writePlain : write)(target(), text),
    result(value) {
      if (!isJson) return;
      if (output.hasResult) throw new Error("createContext: a command has one result.");
      output.hasResult = true;
      write(target(), JSON.stringify(value, null, 2));
    },
    divert() {
      output.isDiverted = true;
    },
    outputBytes(bytes) {
      bar.clear();
      stdout.write(bytes);
    },
    async readInput(max) {
      const chunks: Buffer[] = [];
      let size = 0;
      for await (const chunk of stdin) {
        chunks.push(Buffer.from(chunk));
        size += chunk.length;
        refuseLarge("standard input", size, max);
      }
      return new Uint8Array(Buffer.concat(chunks));
    },
    commands: loadCommands,
    warn: (line) => quiet || writePlain(stderr, line),
    detail: (line) => args.flag("verbose") && writePlain(stderr, line),
    progress: (stage, fraction) => quiet || bar.update(plainText(stage), fraction),
    signal,
  };
}

/** Replaces control characters except line ends and tabs, because names from files may contain any. */
function plainText(text: string): string {
  return text.replace(/(?![\n\t])[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, "\ufffd");
}
