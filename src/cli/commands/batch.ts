import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, rm } from "node:fs/promises";
import { availableParallelism } from "node:os";
import path from "node:path";
import { InputError } from "../../input-error.ts";
import { writeAtomically } from "../../io/node.ts";
import { fingerprint, hashFile } from "../batch-fingerprint.ts";
import { type BatchSettings, failedRow } from "../batch-job.ts";
import {
  appendJournal,
  type BatchHistory,
  type BatchRow,
  JOURNAL,
  readJournal,
} from "../batch-journal.ts";
import { type BatchFile, listBatch } from "../batch-list.ts";
import { bindAll } from "../batch-pool.ts";
import { batchCsv, summarizeBatch } from "../batch-summary.ts";
import type { Command, CommandArguments, CommandContext } from "../command.ts";
import { modelPath } from "../default-model.ts";
import { packageVersion } from "../package-root.ts";
import { parseArguments } from "../parse-arguments.ts";
import { bind } from "./bind.ts";

const { force, report, picture, ...BIND_OPTIONS } = bind.options;

/** `heterskin batch`: binds every character of a folder. */
export const batch: Command = {
  name: "batch",
  summary: "Bind every character of a folder, and go on where an earlier run stopped.",
  usage: "batch <in-dir> <out-dir> [--jobs n] [options of bind]",
  positionals: [2, 2],
  options: {
    jobs: {
      type: "number",
      value: "n",
      least: 1,
      most: 256,
      whole: true,
      default: availableParallelism(),
      help: "Files bound side by side, where memory allows.",
    },
    timeout: { type: "number", value: "s", least: 1, help: "Give a file up after these seconds." },
    again: { type: "flag", help: "Bind files that are done already as well." },
    force: { type: "flag", short: "f", help: "Overwrite files that no earlier run has made." },
    reports: { type: "flag", help: "Write a report beside each output, named like it with .json." },
    pictures: { type: "flag", help: "Draw each result beside it, named like it with .png." },
    ...BIND_OPTIONS,
  },
  examples: [
    ["heterskin batch rigs out", "Folders mirrored, results in out/summary.json and .csv."],
    ["heterskin batch rigs out --jobs 8 --max-influences 8", "The same, with options of bind."],
  ],
  run,
};

async function run(args: CommandArguments, context: CommandContext): Promise<void> {
  const [inFolder, outFolder] = args.positionals;
  const files = await listBatch(inFolder, outFolder);
  const settings = batchSettings(args);
  const key = await settingsKey(args, settings);
  await mkdir(outFolder, { recursive: true }).catch((error) => {
    throw new InputError(`${outFolder}: this folder cannot be made (${error.code}).`);
  });
  const journal = path.join(outFolder, JOURNAL);
  const history = readJournal(journal);
  const { rows, open, prints } = await sortOut(files, history, key, args);
  await removeDrafts(open);
  if (rows.length > 0) context.print(`${rows.length} of ${files.length} files need nothing more.`);
  const timeout = args.number("timeout");
  await bindAll(open, settings, {
    jobs: args.number("jobs")!,
    signal: context.signal,
    ...(timeout ? { timeout } : {}),
    onBegin: ({ output }) => appendJournal(journal, { begun: output }),
    onDone: (file, { row, bytes }) => {
      rows.push(row);
      appendJournal(journal, { ...row, settings: key, input: prints.get(file.file)!, bytes });
      if (row.error) context.warn(failureLine(row));
      context.progress(`${rows.length} of ${files.length} files`, rows.length / files.length);
    },
  });
  await writeSummary(rows, settings, outFolder, context);
}

/** Sets apart what is done already, and what may not be touched, from what there is to do. */
async function sortOut(
  files: BatchFile[],
  { records, begun }: BatchHistory,
  key: string,
  args: CommandArguments,
): Promise<{ rows: BatchRow[]; open: BatchFile[]; prints: Map<string, string> }> {
  const rows: BatchRow[] = [];
  const open: BatchFile[] = [];
  const prints = new Map<string, string>();
  for (const file of files) {
    const print = await fingerprint(file);
    prints.set(file.file, print);
    const record = records.get(file.output);
    const isDone =
      record?.status === "done" &&
      record.settings === key &&
      record.input === print &&
      record.bytes === (await hashFile(file.outputPath));
    if (isDone && !args.flag("again")) {
      const { settings: _, input: __, bytes: ___, ...row } = record;
      rows.push(row);
    } else if (existsSync(file.outputPath) && !begun.has(file.output) && !args.flag("force")) {
      const message = `${file.outputPath}: it exists already; use --force to overwrite it.`;
      rows.push(failedRow(file, new InputError(message)));
    } else open.push(file);
  }
  return { rows, open, prints };
}

/** The options that were given, for `bind` in a worker process. */
function batchSettings(args: CommandArguments): BatchSettings {
  const argv: string[] = [];
  for (const [name, { type }] of Object.entries(BIND_OPTIONS)) {
    if (type === "flag") {
      if (args.flag(name)) argv.push(`--${name}`);
      continue;
    }
    const value = type === "text" ? args.text(name) : args.number(name);
    if (value !== undefined) argv.push(`--${name}=${value}`);
  }
  // One thread each: files run side by side, and results must not depend on how many.
  if (args.number("threads") === undefined) argv.push("--threads=1");
  parseArguments(bind, ["a.glb", ...argv]);
  return { argv, reports: args.flag("reports"), pictures: args.flag("pictures") };
}

/** One value for all that outputs depend on besides their inputs. */
async function settingsKey(args: CommandArguments, settings: BatchSettings): Promise<string> {
  const skeleton = args.text("skeleton");
  if (skeleton && !existsSync(skeleton)) throw new InputError(`${skeleton}: no such file.`);
  const model = args.text("model") ?? modelPath(args.text("method")!);
  const parts = [
    packageVersion(),
    JSON.stringify(settings),
    await hashFile(model),
    skeleton ? await hashFile(skeleton) : "",
  ];
  return createHash("sha256").update(parts.join("\n")).digest("hex");
}

/** The message names the file without its folder; the line names it once, with its folder. */
function failureLine({ file, error = "" }: BatchRow): string {
  const name = `${path.basename(file)}: `;
  return `${file}: ${error.startsWith(name) ? error.slice(name.length) : error}`;
}

/** Takes away what a run that was ended by force has left of the files it was at. */
async function removeDrafts(files: BatchFile[]): Promise<void> {
  const folders = new Set(files.map(({ outputPath }) => path.dirname(outputPath)));
  const names = new Set(files.map(({ outputPath }) => path.resolve(outputPath)));
  for (const folder of folders) {
    for (const name of await readdir(folder).catch(() => [])) {
      const draft = /^\.(.+?)(?:\.json|\.png)?\.[0-9a-f-]{36}\.tmp$/.exec(name);
      if (draft && names.has(path.resolve(folder, draft[1]))) {
        await rm(path.join(folder, name), { force: true });
      }
    }
  }
}

async function writeSummary(
  rows: BatchRow[],
  settings: BatchSettings,
  outFolder: string,
  context: CommandContext,
): Promise<void> {
  const summary = summarizeBatch(rows, settings.argv);
  const json = path.join(outFolder, "summary.json");
  const csv = path.join(outFolder, "summary.csv");
  await writeAtomically([
    [json, Buffer.from(`${JSON.stringify(summary, null, 1)}\n`)],
    [csv, Buffer.from(batchCsv(summary))],
  ]);
  const doubtful = summary.rows.filter((row) => row.doubtful).length;
  context.print(
    `${summary.done} of ${summary.files} files bound, ${doubtful} with doubtful vertices; see ${json} and ${csv}.`,
  );
  if (summary.failed === 0) return;
  const blame = summary.rows.find((row) => row.error && !row.isInputAtFault);
  const text = `${summary.failed} of ${summary.files} files could not be bound; ${csv} says why.`;
  throw blame ? new Error(text) : new InputError(text);
}
