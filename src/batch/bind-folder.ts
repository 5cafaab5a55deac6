import { existsSync, readdirSync, realpathSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { sweepTemporaryFiles, writeWhole } from "../disk/write-whole.ts";
import type { BindSettings } from "../files/bind-file.ts";
import { readObject } from "../files/parse-object.ts";
import { InputError } from "../input-error.ts";
import {
  appendJournal,
  type BatchHistory,
  type BatchRow,
  journalPath,
  readJournals,
} from "./journal.ts";
import { type BatchFile, isInShard, listBatch, parseShard, type Shard, shardMark } from "./list.ts";
import { lockFolder, lockPath } from "./lock.ts";
import { bindAll } from "./pool.ts";
import { type BatchSettings, failedRow, learnOnce, settingsKey } from "./row.ts";
import { type BatchSummary, summarizeBatch, summaryTexts } from "./summary.ts";

/** Options for {@link bindFolder}. */
export interface BindFolderOptions {
  /** How each file is bound; on one thread unless told. */
  bind?: BindSettings | undefined;
  /** Files bound side by side, where memory allows. */
  jobs: number;
  /** Seconds after which a file is given up; 600 unless told. */
  timeout?: number | undefined;
  /** Bind files that are done already as well. */
  again?: boolean | undefined;
  /** Overwrite files that no earlier run has made. */
  force?: boolean | undefined;
  /** Bind only these: a text with paths below the input folder, a line each. */
  list?: string | undefined;
  /** Write an FBX as FBX and a DAE as DAE, rather than as GLB; default false. */
  sameFormat?: boolean | undefined;
  /** Bind only the files of this shard, such as `2/8`; other machines bind the others. */
  shard?: string | undefined;
  /** Expected L1 from which on a character is shown on a page with pictures; no page unless told. */
  attention?: number | undefined;
  /** Write a report, or a picture, beside each output. */
  reports?: boolean | undefined;
  pictures?: boolean | undefined;
  signal?: AbortSignal | undefined;
  /** Told how far learning from examples is, where there are some. */
  onProgress?: ((stage: string, fraction: number) => void) | undefined;
  /** Told once how many files there are, and how many need nothing more. */
  onStart?: ((kept: number, total: number) => void) | undefined;
  onRow?: ((row: BatchRow, done: number, total: number) => void) | undefined;
}

/** A batch that has ended, and where its tables are. */
export interface BoundFolder {
  summary: BatchSummary;
  json: string;
  csv: string;
  /** A page with pictures of the characters that want attention, where it was asked for. */
  html?: string;
}

/**
 * Binds every character of a folder, and goes on where an earlier run stopped.
 *
 * A file that cannot be bound is a row of the summary, not an error.
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
  // One thread each: files run side by side, and results must not depend on how many.
  const bind = { ...options.bind, threads: options.bind?.threads ?? 1 };
  const place = async () => mkdtemp(path.join(tmpdir(), "heterskin-"));
  const learned = await learnOnce(bind, place, options);
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
  await mkdir(outFolder, { recursive: true }).catch((error) => {
    throw new InputError(`${outFolder}: this folder cannot be made (${error.code}).`);
  });
  const unlock = lockFolder(outFolder, shard);
  try {
    const journal = journalPath(outFolder, shard);
    const history = readJournals(outFolder);
    const same = await findSame(files, history, key, settings, options);
    const { rows, open } = sortOut(files, history, same, options);
    sweepTemporaryFiles(open.flatMap(({ outputPath: to }) => [to, `${to}.json`, `${to}.png`]));
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
    return writeSummary(rows, bind, { attention: settings.attention, outFolder, shard });
  } finally {
    unlock();
  }
}

/** The files whose input and output are what an earlier run with these settings had and gave. */
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

/** Sets apart what is done already, and what may not be touched, from what there is to do. */
function sortOut(
  files: BatchFile[],
  { records, begun }: BatchHistory,
  same: Set<BatchFile>,
  { force }: BindFolderOptions,
): { rows: BatchRow[]; open: BatchFile[] } {
  const rows: BatchRow[] = [];
  const open: BatchFile[] = [];
  const check = outputCheck(files, (output) => force || begun.has(output));
  for (const file of files) {
    const record = same.has(file) ? records.get(file.output) : undefined;
    const problem = record ? undefined : check(file);
    if (record) {
      const { settings: _, input: __, bytes: ___, ...row } = record;
      rows.push(row);
    } else if (problem) rows.push(failedRow(file, problem));
    else open.push(file);
  }
  return { rows, open };
}

/**
 * What is wrong with the places of outputs: those that are inputs, and those that are taken.
 *
 * @param isOurs whether an output that is there may be overwritten
 */
export function outputCheck(
  files: BatchFile[],
  isOurs: (output: string) => boolean | undefined,
): (file: BatchFile) => InputError | undefined {
  const inputs = new Set(files.map(({ inputPath }) => realPlaceNow(inputPath)));
  return ({ output, outputPath }) => {
    if (inputs.has(realPlaceNow(outputPath))) {
      return new InputError(
        `${outputPath}: this is one of the inputs; choose another folder for the outputs.`,
      );
    }
    if (isOurs(output) || !existsSync(outputPath)) return undefined;
    return new InputError({
      where: outputPath,
      what: "the file exists",
      remedy: { option: "force", advice: "allow overwriting" },
    });
  };
}

/** Where a file is behind its links, or would be. */
function realPlaceNow(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return path.resolve(file);
  }
}

/** Writes a summary as JSON, as a table and, where attention was asked for, as a page. */
function writeSummary(
  rows: BatchRow[],
  options: BindSettings,
  to: { outFolder: string; attention?: number | undefined; shard?: Shard | undefined },
): BoundFolder {
  const { outFolder, attention, shard } = to;
  const summary = summarizeBatch(rows, options, attention);
  const at = (ending: string) => path.join(outFolder, `summary${shardMark(shard)}.${ending}`);
  const texts = Object.entries(summaryTexts(summary));
  writeWhole(texts.map(([ending, text]) => [at(ending), Buffer.from(text)]));
  return boundFolder(summary, at);
}

/** A summary with the places of its files, by their endings. */
export function boundFolder(summary: BatchSummary, at: (ending: string) => string): BoundFolder {
  const [json, csv, html] = ["json", "csv", "html"].map(at);
  return { summary, json, csv, ...(summary.attention !== undefined && { html }) };
}

/**
 * Makes one summary of those that the shards of a batch have left in its output folder.
 *
 * `InputError` where a shard has not ended yet, or where they were bound with different options.
 */
export function mergeSummaries(outFolder: string): BoundFolder {
  const found = shardSummaries(outFolder);
  const counts = new Set(found.map(({ count }) => count));
  if (counts.size !== 1) {
    const what = counts.size === 0 ? "no summaries of shards" : "summaries of different divisions";
    throw new InputError(`${outFolder}: ${what}; run all shards of one division into it.`);
  }
  const [count] = counts;
  const missing = Array.from({ length: count }, (_, i) => i + 1).filter(
    // What holds its lock runs again, or was ended while it did: its summary is of an earlier run.
    (index) =>
      !found.some((each) => each.index === index) ||
      existsSync(lockPath(outFolder, { index, count })),
  );
  if (missing.length > 0) {
    throw new InputError(
      `${outFolder}: shard ${missing.join(", ")} of ${count} has not ended yet.`,
    );
  }
  const summaries = found.map(({ summary }) => summary);
  const [{ options, attention, heterskin }] = summaries;
  const settings = JSON.stringify([options, heterskin]);
  if (summaries.some((each) => JSON.stringify([each.options, each.heterskin]) !== settings)) {
    throw new InputError(`${outFolder}: its shards were bound with different options.`);
  }
  const rows = summaries.flatMap(({ rows }) => rows);
  return writeSummary(rows, options, { outFolder, attention });
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
    const summary = readSummary(path.join(outFolder, name));
    return [{ index: Number(index), count: Number(count), summary }];
  });
}

function readSummary(file: string): BatchSummary {
  const summary = readObject<BatchSummary>(file);
  if (Array.isArray(summary?.rows)) return summary as BatchSummary;
  throw new InputError(`${file}: this is no summary of a batch; run its shard again.`);
}
