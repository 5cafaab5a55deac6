import { existsSync, readdirSync, realpathSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { removeStaleFiles, writeWhole } from "../disk/write-whole.ts";
import type { BindSettings } from "../files/bind-file.ts";
import { readObject } from "../files/parse-object.ts";
import { InputError } from "../input-error.ts";
import type { OnProgress } from "../stage-clock.ts";
import {
  appendJournal,
  type BatchHistory,
  type BatchRow,
  journalPath,
  readJournals,
} from "./journal.ts";
import {
  type BatchFile,
  type BatchNames,
  isInShard,
  listBatch,
  parseShard,
  type Shard,
  shardMark,
} from "./list.ts";
import { lockFolder, lockPath } from "./lock.ts";
import { bindAll } from "./pool.ts";
import { type BatchSettings, failedRow, learnOnce, settingsKey } from "./row.ts";
import { type BatchSummary, summarizeBatch, summaryTexts } from "./summary.ts";

/** Options for {@link bindFolder}. */
export interface BindFolderOptions extends BatchNames {
  /** How each file is bound; by default on one thread. */
  bind?: BindSettings | undefined;
  /** Files bound in parallel, as far as memory allows. */
  jobs: number;
  /** Time limit of a file in seconds; default 600. */
  timeout?: number | undefined;
  /** Also bind files that are already done. */
  again?: boolean | undefined;
  /** Overwrite files that were not written by an earlier run. */
  force?: boolean | undefined;
  /** Bind only the files of this shard, such as `2/8`; other machines bind the others. */
  shard?: string | undefined;
  /** Expected L1 from which `summary.html` shows a character; by default there is no page. */
  attention?: number | undefined;
  /** Write a report, or a picture, next to each output. */
  reports?: boolean | undefined;
  pictures?: boolean | undefined;
  signal?: AbortSignal | undefined;
  /** Receives the progress of learning from examples. */
  onProgress?: OnProgress | undefined;
  /** Called once with the number of files that are up to date, and of all files. */
  onStart?: ((kept: number, total: number) => void) | undefined;
  onRow?: ((row: BatchRow, done: number, total: number) => void) | undefined;
}

/** The summary of a batch, and the paths of its files. */
export interface BoundFolder {
  summary: BatchSummary;
  json: string;
  csv: string;
  /** A page with pictures of the characters to review, if `attention` is set. */
  html?: string;
}

/**
 * Binds every character of a folder; continues where an earlier run stopped. A file that cannot be bound is
 * a row of the summary, not an error.
 */
export async function bindFolder(
  inFolder: string,
  outFolder: string,
  options: BindFolderOptions,
): Promise<BoundFolder> {
  const shard = options.shard === undefined ? undefined : parseShard(options.shard);
  const listed = await listBatch(inFolder, outFolder, options);
  const files = listed.filter(({ file }) => !shard || isInShard(file, shard));
  const { reports = false, pictures = false, attention } = options;
  // One thread each: files run in parallel, and results must not depend on the number of threads.
  const bind = { ...options.bind, threads: options.bind?.threads ?? 1 };
  const makeFolder = () => mkdtemp(path.join(tmpdir(), "heterskin-"));
  const learned = await learnOnce(bind, makeFolder, options);
  try {
    const settings = { bind: { ...bind, ...learned }, reports, pictures, attention };
    return await bindListed(files, outFolder, settings, options, shard);
  } finally {
    if (learned) await rm(path.dirname(learned.adapted), { recursive: true, force: true });
  }
}

async function bindListed(
  files: BatchFile[],
  outFolder: string,
  settings: BatchSettings,
  options: BindFolderOptions,
  shard: Shard | undefined,
): Promise<BoundFolder> {
  const key = await settingsKey(settings);
  const unlock = lockFolder(outFolder, shard);
  try {
    const journal = journalPath(outFolder, shard);
    const history = readJournals(outFolder);
    const same = await findSame(files, history, key, settings, options);
    const rows: BatchRow[] = [];
    const open: BatchFile[] = [];
    const check = outputCheck(files, (to) => options.force || history.begun.has(to));
    for (const file of files) {
      const known = same.has(file) ? history.records.get(file.output) : undefined;
      const problem = known ? undefined : check(file);
      if (known) {
        const { settings: _, input: __, bytes: ___, ...row } = known;
        rows.push(row);
      } else if (problem) rows.push(failedRow(file, problem));
      else open.push(file);
    }
    removeStaleFiles(open.flatMap(({ outputPath: to }) => [to, `${to}.json`, `${to}.png`]));
    options.onStart?.(rows.length, files.length);
    await bindAll(open, settings, {
      ...options,
      onBegin: ({ output }) => appendJournal(journal, { begun: output }),
      onDone: (_, { row, input, bytes }) => {
        if (!row) return;
        rows.push(row);
        appendJournal(journal, { ...row, settings: key, input, bytes });
        options.onRow?.(row, rows.length, files.length);
      },
    });
    const { adapted: _, ...bind } = settings.bind;
    return writeSummary(summarizeBatch(rows, bind, settings.attention), outFolder, shard);
  } finally {
    unlock();
  }
}

/** Returns the files whose input and output have not changed since an earlier run with these settings. */
async function findSame(
  files: BatchFile[],
  { records }: BatchHistory,
  key: string,
  settings: BatchSettings,
  { again, jobs, timeout, signal }: BindFolderOptions,
): Promise<Set<BatchFile>> {
  const isCandidate = ({ output }: BatchFile) => {
    const record = records.get(output);
    return record?.status === "done" && record.settings === key;
  };
  const same = new Set<BatchFile>();
  await bindAll(again ? [] : files.filter(isCandidate), settings, {
    jobs,
    timeout,
    signal,
    knownOf: ({ output }) => records.get(output),
    onDone: (file, { isSame }) => isSame && same.add(file),
  });
  return same;
}

/**
 * Returns a check that finds outputs that would overwrite an input or an existing file.
 *
 * @param isOurs whether an existing output may be overwritten
 */
export function outputCheck(
  files: BatchFile[],
  isOurs: (output: string) => boolean | undefined,
): (file: BatchFile) => InputError | undefined {
  const inputs = new Set(files.map(({ inputPath }) => resolveLinks(inputPath)));
  return ({ output, outputPath }) => {
    if (inputs.has(resolveLinks(outputPath))) {
      return new InputError(`${outputPath}: this is an input; choose another output folder.`);
    }
    if (isOurs(output) || !existsSync(outputPath)) return undefined;
    return new InputError({
      where: outputPath,
      what: "the file exists",
      remedy: { option: "force", advice: "allow overwriting" },
    });
  };
}

function resolveLinks(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return path.resolve(file);
  }
}

function writeSummary(summary: BatchSummary, outFolder: string, shard?: Shard): BoundFolder {
  const at = (ending: string) => path.join(outFolder, `summary${shardMark(shard)}.${ending}`);
  const texts = Object.entries(summaryTexts(summary));
  writeWhole(texts.map(([ending, text]) => [at(ending), Buffer.from(text)]));
  return boundFolder(summary, at);
}

/** Adds the paths of its files to a summary. */
export function boundFolder(summary: BatchSummary, at: (ending: string) => string): BoundFolder {
  const [json, csv, html] = ["json", "csv", "html"].map(at);
  return { summary, json, csv, ...(summary.attention !== undefined && { html }) };
}

/**
 * Merges the summaries of all shards in an output folder.
 *
 * @throws InputError if a shard is not done, or if shards were bound with different options
 */
export function mergeSummaries(outFolder: string): BoundFolder {
  const found = shardSummaries(outFolder);
  const counts = new Set(found.map(({ count }) => count));
  if (counts.size !== 1) {
    const what =
      counts.size === 0 ? "no summaries of shards" : "summaries of different shard counts";
    throw new InputError(`${outFolder}: ${what}; run all shards of one count into this folder.`);
  }
  const [count] = counts;
  const missing = Array.from({ length: count }, (_, i) => i + 1).filter(
    // If its lock exists, a shard runs again or was interrupted, and its summary is of an earlier run.
    (index) =>
      !found.some((each) => each.index === index) ||
      existsSync(lockPath(outFolder, { index, count })),
  );
  if (missing.length > 0) {
    throw new InputError(`${outFolder}: shard ${missing.join(", ")} of ${count} is not done yet.`);
  }
  const summaries = found.map(({ summary }) => summary);
  const [{ options, attention, heterskin }] = summaries;
  const settings = JSON.stringify([options, heterskin]);
  if (summaries.some((each) => JSON.stringify([each.options, each.heterskin]) !== settings)) {
    throw new InputError(`${outFolder}: the shards were bound with different options.`);
  }
  const rows = summaries.flatMap(({ rows }) => rows);
  return writeSummary(summarizeBatch(rows, options, attention), outFolder);
}

function shardSummaries(
  outFolder: string,
): { index: number; count: number; summary: BatchSummary }[] {
  let names: string[];
  try {
    names = readdirSync(outFolder);
  } catch {
    throw new InputError(`${outFolder}: no such folder.`);
  }
  return names.flatMap((name) => {
    const [, index, count] = /^summary\.(\d+)-of-(\d+)\.json$/.exec(name) ?? [];
    if (index === undefined) return [];
    const file = path.join(outFolder, name);
    const summary = readObject<BatchSummary>(file) as BatchSummary | undefined;
    if (!Array.isArray(summary?.rows)) {
      throw new InputError(`${file}: this is not the summary of a batch; run its shard again.`);
    }
    return [{ index: Number(index), count: Number(count), summary }];
  });
}
