import {
  type BindFolderOptions,
  type BoundFolder,
  bindFolder,
  mergeSummaries,
} from "../../batch/bind-folder.ts";
import {
  BATCH_FORMATS,
  type BatchNames,
  isInShard,
  listBatch,
  parseShard,
} from "../../batch/list.ts";
import { DEFAULT_TIMEOUT } from "../../batch/pool.ts";
import { ATTENTION } from "../../batch/summary.ts";
import { InputError } from "../../input-error.ts";
import {
  type Command,
  type CommandContext,
  type CommandOption,
  choice,
  flag,
  number,
  text,
} from "../command.ts";
import { FILE_OPTIONS, printPlan } from "../file-jobs.ts";
import { failureText } from "../report-text.ts";
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
  "same-format": flag("Write FBX, DAE and glTF in their own format."),
  format: choice("name", BATCH_FORMATS, "Format of the other outputs; a VRM stays a VRM.", "glb"),
  shard: text("i/n", "Bind only part i of n; other machines bind the others."),
  attention: number(
    "x",
    [0, 2],
    `Write summary.html with pictures of every character whose doubt (expected L1) is at least this or whose poses show a fault; ${ATTENTION} selects about one in five.`,
  ),
  "dry-run": FILE_OPTIONS["dry-run"],
  reports: flag("Write a report next to each output (.json)."),
  pictures: flag("Write a picture next to each output (.png)."),
};

/** `heterskin batch`: binds every character of a folder. */
export const batch: Command = {
  name: "batch",
  summary: "Bind every character of a folder; continues where an earlier run stopped.",
  usage: "batch <in-dir or pattern> <out-dir> [--jobs n] [options of bind]",
  positionals: [2, 2],
  options: {
    ...FOLDER_OPTIONS,
    merge: flag("Bind nothing; merge the summaries of all shards."),
    ...verbOptions("bind"),
  },
  examples: [
    ["heterskin batch rigs out", "Mirrors the folders; writes out/summary.json and .csv."],
    ['heterskin batch "rigs/**/hero*.fbx" out', "Only the files that match a pattern."],
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
    if (args.flag("dry-run")) {
      const names = args.settings<BatchNames>(FOLDER_OPTIONS);
      return planFolder(inFolder, outFolder, names, args.text("shard"), context);
    }
    const bound = await bindFolder(inFolder, outFolder, {
      ...args.settings<Omit<BindFolderOptions, "bind">>(FOLDER_OPTIONS),
      bind: bindSettings(args),
      signal: context.signal,
      onProgress: context.progress,
      onStart: (kept, total) => {
        if (kept > 0) context.print(`${kept} of ${total} files are up to date.`);
      },
      onRow: (row, done, total) => {
        if (row.error) context.warn(failureText(row));
        context.progress(`${done} of ${total} files`, done / total);
      },
    });
    printSummary(bound, context);
  },
};

/** Prints which files of a folder would be bound; those that are up to date are among them. */
export async function planFolder(
  inFolder: string,
  outFolder: string,
  names: BatchNames,
  shard: string | undefined,
  context: CommandContext,
): Promise<void> {
  const part = shard === undefined ? undefined : parseShard(shard);
  const listed = await listBatch(inFolder, outFolder, names);
  const files = listed.filter(({ file }) => !part || isInShard(file, part));
  const [reads, writes] = [
    files.map((each) => each.inputPath),
    files.map((each) => each.outputPath),
  ];
  printPlan(context, reads, writes);
}

/** Prints the summary of a batch; throws if files could not be bound. */
export function printSummary(bound: BoundFolder, context: CommandContext): void {
  const { summary, json, csv, html } = bound;
  context.result({ ...summary, json, csv, html });
  context.print(
    `${summary.done} of ${summary.files} files bound, ${summary.attentive} to review; see ${html ?? json} and ${csv}.`,
  );
  if (summary.failed === 0) return;
  const isInternal = summary.rows.some((row) => row.error && !row.isUserError);
  const text = `${summary.failed} of ${summary.files} files could not be bound; see ${csv}.`;
  throw isInternal ? new Error(text) : new InputError(text);
}
