import path from "node:path";
import {
  type BindFolderOptions,
  type BoundFolder,
  bindFolder,
  mergeSummaries,
} from "../../batch/bind-folder.ts";
import type { BatchRow } from "../../batch/journal.ts";
import { DEFAULT_TIMEOUT } from "../../batch/pool.ts";
import { ATTENTION } from "../../batch/summary.ts";
import { InputError } from "../../input-error.ts";
import {
  type Command,
  type CommandContext,
  type CommandOption,
  flag,
  number,
  text,
} from "../command.ts";
import { bindSettings, JOBS_OPTION, verbOptions } from "../verb-options.ts";

/** Longest time that a timer supports (s). */
const MAX_SECONDS = 2_000_000;

/** Options in addition to those of `bind`. */
export const FOLDER_OPTIONS: Record<string, CommandOption> = {
  jobs: JOBS_OPTION,
  timeout: number("s", [1, MAX_SECONDS], "Time limit of a file in seconds.", DEFAULT_TIMEOUT),
  again: flag("Also bind files that are already done."),
  force: flag("Overwrite files that were not written by an earlier run.", "f"),
  list: text(
    "file",
    "Bind only the files of this list: one path per line, relative to the folder.",
  ),
  "same-format": flag("Write FBX as FBX and DAE as DAE instead of GLB; only the weights change."),
  shard: text("i/n", "Bind only part i of n; other machines bind the others."),
  attention: number(
    "x",
    [0, 2],
    `Write summary.html with pictures of every character whose doubt (expected L1) is at least this; ${ATTENTION} selects about one in five.`,
  ),
  reports: flag("Write a report next to each output (.json)."),
  pictures: flag("Write a picture next to each output (.png)."),
};

/** `heterskin batch`: binds every character of a folder. */
export const batch: Command = {
  name: "batch",
  summary: "Bind every character of a folder; continues where an earlier run stopped.",
  usage: "batch <in-dir> <out-dir> [--jobs n] [options of bind]",
  positionals: [2, 2],
  options: {
    ...FOLDER_OPTIONS,
    merge: flag("Bind nothing; merge the summaries of all shards."),
    ...verbOptions("bind"),
  },
  examples: [
    ["heterskin batch rigs out", "Mirrors the folders; writes out/summary.json and .csv."],
    [
      "heterskin batch rigs out --jobs 8 --max-influences 8",
      "Eight files at once, with options of bind.",
    ],
    [
      "heterskin batch rigs out --shard 3/8",
      "The third of eight machines; run --merge when all are done.",
    ],
  ],
  async run(args, context) {
    const [inFolder, outFolder] = args.positionals;
    if (args.flag("merge")) return printSummary(mergeSummaries(outFolder), context);
    const bound = await bindFolder(inFolder, outFolder, {
      ...args.settings<Omit<BindFolderOptions, "bind">>(FOLDER_OPTIONS),
      bind: bindSettings(args),
      signal: context.signal,
      onProgress: context.progress,
      onStart: (kept, total) => {
        if (kept > 0) context.print(`${kept} of ${total} files are up to date.`);
      },
      onRow: (row, done, total) => {
        if (row.error) context.warn(failureLine(row));
        context.progress(`${done} of ${total} files`, done / total);
      },
    });
    printSummary(bound, context);
  },
};

/** Formats the error of a file; drops the file name from the message, because the path comes first. */
export function failureLine({ file, error = "" }: BatchRow): string {
  const name = `${path.basename(file)}: `;
  return `${file}: ${error.startsWith(name) ? error.slice(name.length) : error}`;
}

/** Prints the summary of a batch; throws if files could not be bound. */
export function printSummary(bound: BoundFolder, context: CommandContext): void {
  const { summary, json, csv, html } = bound;
  context.print(
    `${summary.done} of ${summary.files} files bound, ${summary.attentive} to review; see ${html ?? json} and ${csv}.`,
  );
  if (summary.failed === 0) return;
  const isInternal = summary.rows.some((row) => row.error && !row.isUserError);
  const text = `${summary.failed} of ${summary.files} files could not be bound; see ${csv}.`;
  throw isInternal ? new Error(text) : new InputError(text);
}
