import { mkdir, stat } from "node:fs/promises";
import path from "node:path";
import { checkPlainFile, filesMatching, hasWildcard } from "../disk/open-input.ts";
import { checkOutput, defaultOutput } from "../disk/output-paths.ts";
import { ENDINGS, endingOf } from "../formats/endings.ts";
import { InputError } from "../input-error.ts";
import {
  type CommandArguments,
  type CommandContext,
  type CommandOption,
  choice,
  flag,
} from "./command.ts";
import { errorJson, messageOf } from "./error-text.ts";
import { PIPE, type RealFiles, withPipes } from "./pipes.ts";

/** Options of every command that turns files into files. */
export const FILE_OPTIONS: Record<string, CommandOption> = {
  format: choice(
    "name",
    ["glb", "gltf", "vrm", "fbx", "dae", "usda", "usdz", "xml", "json", "ng.json", "csv"],
    "Format of an output without a name: on standard output, in a folder, or of a level of detail; by default that of the input.",
  ),
  "dry-run": flag("Print what would be read and written, and write nothing."),
};

/** One file to work on. */
export interface FileJob {
  input: string;
  output: string;
}

/** What a command does with one file. */
export interface FileRun<Result extends object> {
  /** Lines for people are printed by this function; its result is printed with --json. */
  run(files: RealFiles): Promise<Result>;
  /** Further files that are read, and written. */
  reads?: readonly (string | undefined)[];
  writes?: readonly (string | undefined)[];
  /** Paths of the levels of detail that are written next to an output. */
  levels?: ((output: string) => string[]) | undefined;
  /** Whether an output is written at all; by default it is. */
  hasOutput?: boolean;
  /** Whether the command adds motions, which changes the default format. */
  hasMotion?: boolean;
}

/** Runs a command on every input, and continues after a file that fails. */
export async function runFileJobs<Result extends object>(
  args: CommandArguments,
  context: CommandContext,
  command: FileRun<Result>,
): Promise<void> {
  const { jobs, isList } = await fileJobs(args, command);
  const { reads = [], writes = [], levels, hasOutput = true } = command;
  if (isList && (levels || writes.some((file) => file !== undefined))) {
    throw new InputError(
      "A report, a picture and levels of detail belong to one input; use batch.",
    );
  }
  if (levels && jobs[0].output === PIPE) {
    throw new InputError("Levels of detail are written next to the output; give it a name.");
  }
  if (args.flag("dry-run")) return dryRun(jobs, command, args, context);
  const maxMemory = args.has("max-memory") ? args.number("max-memory") : undefined;
  const runOne = async (job: FileJob) => {
    const files = { ...job, reads, writes, maxMemory };
    const result = await withPipes(files, context, formatOf(args), command.run);
    return { ...result, ...namesIn(result, job) };
  };
  if (!isList) return context.result(await runOne(jobs[0]));
  if (hasOutput) await makeFolders(jobs);
  await runList(jobs, runOne, context, args.has);
}

/** The names that the user gave, in place of those of temporary files. */
function namesIn(result: object, { input, output }: FileJob): Partial<FileJob> {
  const { output: written } = result as Partial<FileJob>;
  return {
    ...("input" in result && typeof result.input === "string" && { input }),
    ...(written && { output }),
  };
}

async function runList(
  jobs: readonly FileJob[],
  runOne: (job: FileJob) => Promise<object>,
  context: CommandContext,
  hasOption: CommandArguments["has"],
): Promise<void> {
  const results: object[] = [];
  const failures: unknown[] = [];
  for (const job of jobs) {
    context.signal.throwIfAborted();
    try {
      results.push(await runOne(job));
    } catch (error) {
      if (context.signal.aborted) throw error;
      failures.push(error);
      context.warn(messageOf(error as Error, hasOption));
      results.push({ input: job.input, error: errorJson(error, hasOption) });
    }
  }
  context.result(results);
  if (failures.length === 0) return;
  const text = `${failures.length} of ${jobs.length} files failed.`;
  throw failures.every((error) => error instanceof InputError)
    ? new InputError(text)
    : new Error(text);
}

/** Returns the inputs of a command line with their outputs; more than one input is a list. */
export async function fileJobs(
  args: CommandArguments,
  { hasMotion = false, hasOutput = true }: Pick<FileRun<object>, "hasMotion" | "hasOutput"> = {},
): Promise<{ jobs: FileJob[]; isList: boolean }> {
  const format = formatOf(args);
  const named = (input: string, folder?: string) => {
    if (!hasOutput) return "";
    if (input === PIPE) return folder ? path.join(folder, "stdin") : PIPE;
    const own = defaultOutput(input, hasMotion);
    const output = format ? own.replace(/\.\w+$/, `.${format}`) : own;
    const plain = path.basename(output).replace(".skinned.", ".");
    return folder === undefined ? output : path.join(folder, plain);
  };
  const given = args.positionals;
  const last = given.at(-1)!;
  const hasFolder = hasOutput && given.length > 1 && (await isFolder(last));
  const inputs = await expanded(hasFolder ? given.slice(0, -1) : given);
  const isPattern = given.some((each) => each !== PIPE && hasWildcard(each));
  if (hasFolder) {
    const jobs = inputs.map((input) => ({ input, output: named(input, last) }));
    refuseTwins(jobs);
    return { jobs, isList: true };
  }
  if (isPattern || !hasOutput) {
    const jobs = inputs.map((input) => ({ input, output: named(input) }));
    return { jobs, isList: jobs.length > 1 };
  }
  if (given.length > 2) {
    throw new InputError(
      `${last}: with several inputs, the last argument must be a folder; add a slash to its name to create it.`,
    );
  }
  return { jobs: [{ input: given[0], output: given[1] ?? named(given[0]) }], isList: false };
}

/** Replaces patterns by the files that match; a file whose name has a wildcard in it stays. */
export async function expanded(given: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const each of given) {
    if (!hasWildcard(each) || (await stat(each).catch(() => undefined))) files.push(each);
    else {
      const found = await filesMatching(each);
      if (found.length === 0) throw new InputError(`${each}: no file matches this pattern.`);
      files.push(...found);
    }
  }
  return files;
}

/** The chosen format; a command that writes no character has none. */
function formatOf(args: CommandArguments): string | undefined {
  return args.has("format") ? args.text("format") : undefined;
}

async function isFolder(file: string): Promise<boolean> {
  if (/[\\/]$/.test(file)) return true;
  // A folder named like a character was not meant as one; the name of the output is refused.
  if (ENDINGS.includes(endingOf(file))) return false;
  return (await stat(file).catch(() => undefined))?.isDirectory() ?? false;
}

function refuseTwins(jobs: readonly FileJob[]): void {
  const outputs = jobs.map(({ output }) => output.toLowerCase());
  const twin = outputs.findIndex((output, i) => outputs.indexOf(output) < i);
  if (twin < 0) return;
  throw new InputError(
    `${jobs[twin].output}: two inputs would be written here; bind them into separate folders.`,
  );
}

async function makeFolders(jobs: readonly FileJob[]): Promise<void> {
  for (const folder of new Set(jobs.map(({ output }) => path.dirname(output)))) {
    await mkdir(folder, { recursive: true }).catch(() => {
      throw new InputError(`${folder}: this folder cannot be created.`);
    });
  }
}

async function dryRun(
  jobs: readonly FileJob[],
  { reads = [], writes = [], levels, hasOutput = true }: FileRun<object>,
  args: CommandArguments,
  context: CommandContext,
): Promise<void> {
  const isGiven = (file: string | undefined) => file !== undefined;
  const others = [...writes.filter(isGiven), ...(levels?.(jobs[0].output) ?? [])];
  const extra = others.filter((file) => file !== PIPE);
  for (const { input, output } of jobs) {
    if (input !== PIPE) await checkPlainFile(input);
    const folder = await stat(path.dirname(output)).catch(() => undefined);
    if (hasOutput && output !== PIPE && folder) {
      await checkOutput(output, args.flag("force"), extra, [input]);
    }
  }
  const outputs = hasOutput ? jobs.map(({ output }) => output) : [];
  printPlan(
    context,
    [...jobs.map(({ input }) => input), ...reads.filter(isGiven)],
    [...outputs, ...others],
  );
}

/** Prints which files a command would read and write. */
export function printPlan(
  context: CommandContext,
  reads: readonly string[],
  writes: readonly string[],
): void {
  for (const file of reads) context.print(`read        ${file}`);
  for (const file of writes) context.print(`write       ${file}`);
  context.result({ dryRun: true, reads, writes });
}
