import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type BoundFolder, boundFolder } from "../batch/bind-folder.ts";
import { failedRow } from "../batch/row.ts";
import { summarizeBatch, summaryTexts } from "../batch/summary.ts";
import { InputError } from "../input-error.ts";
import type { FarmQueue } from "./queue.ts";
import { type FarmStore, farmOutputs, jobsOf, requireManifest } from "./store.ts";
import { rowOf } from "./work-farm.ts";

/** The status of a farm. */
export interface FarmStatus {
  name: string;
  /** Whether no jobs are started; see `drainFarm`. */
  isDrained: boolean;
  workers: number;
  /** `delayed` jobs failed and wait for their next attempt. */
  jobs: { waiting: number; active: number; delayed: number; done: number; failed: number };
  /** Recent jobs per second. */
  rate: number;
  /** Seconds until all jobs are done at this rate; absent without a rate or without open jobs. */
  secondsLeft?: number | undefined;
  /** The last failures. */
  failures: { file: string; error: string }[];
  /** The slowest of the recent jobs. */
  slowest: { file: string; seconds: number }[];
}

/** Maximum number and age (ms) of recent jobs. */
const RECENT = 200;
const WINDOW = 300_000;
const SHOWN_FAILURES = 100;
const SHOWN_SLOWEST = 5;

/** Returns the status of a farm, in a time that does not depend on the number of its jobs. */
export async function farmStatus(queue: FarmQueue): Promise<FarmStatus> {
  const [counts, isDrained, workers, recent, failed] = await Promise.all([
    queue.getJobCounts("waiting", "prioritized", "active", "delayed", "completed", "failed"),
    queue.isPaused(),
    queue.getWorkersCount(),
    queue.getCompleted(0, RECENT - 1),
    queue.getFailed(0, SHOWN_FAILURES - 1),
  ]);
  const { waiting = 0, prioritized = 0, active = 0, delayed = 0 } = counts;
  const jobs = {
    waiting: waiting + prioritized,
    active,
    delayed,
    done: counts.completed ?? 0,
    failed: counts.failed ?? 0,
  };
  const now = Date.now();
  const ends = recent.map(({ finishedOn = 0 }) => finishedOn).filter((end) => end > now - WINDOW);
  // The clock of a worker may be ahead.
  const elapsed = Math.max(Math.max(now, ...ends) - Math.min(...ends), 1);
  const rate = ends.length > 1 ? (1000 * ends.length) / elapsed : 0;
  const open = jobs.waiting + active + delayed;
  return {
    name: queue.name,
    isDrained,
    workers,
    jobs,
    rate,
    ...(open > 0 && rate > 0 && { secondsLeft: open / rate }),
    failures: failed.map(rowOf).map(({ file, error = "" }) => ({ file, error })),
    slowest: recent
      .map(rowOf)
      .map((row) => ({ file: row.file, seconds: row.seconds }))
      .sort((a, b) => b.seconds - a.seconds)
      .slice(0, SHOWN_SLOWEST),
  };
}

/** Queues all failed jobs again; returns their number. */
export async function retryFarm(queue: FarmQueue): Promise<number> {
  const failed = await queue.getJobCountByTypes("failed");
  await queue.retryJobs({ state: "failed" });
  return failed;
}

/**
 * Removes waiting jobs; running jobs complete.
 *
 * @param out a folder or, with a store, the prefix of the outputs; by default all jobs are removed
 * @returns the number of removed jobs
 */
export async function cancelFarm(
  queue: FarmQueue,
  out?: string,
  store?: FarmStore,
): Promise<number> {
  const waiting = () => queue.getJobCountByTypes("waiting", "prioritized", "delayed");
  if (out === undefined) {
    const before = await waiting();
    await queue.drain(true);
    return before - (await waiting());
  }
  const manifest = await requireManifest(farmOutputs(out, store));
  const ids = Object.values(manifest.jobs).map(({ id }) => id);
  const jobs = [...(await jobsOf(queue, ids)).values()].filter((job) => !job.finishedOn);
  // Running jobs cannot be removed.
  const results = await Promise.allSettled(jobs.map((job) => job.remove()));
  return results.filter(({ status }) => status === "fulfilled").length;
}

/** Pauses the queue until it is resumed, and waits until the running jobs have ended. */
export async function drainFarm(queue: FarmQueue, signal: AbortSignal): Promise<void> {
  await queue.pause();
  while (!signal.aborted && (await queue.getActiveCount()) > 0) await pause(250);
  signal.throwIfAborted();
}

/**
 * Writes the summary of all outputs, like that of a batch. Cancelled jobs, and jobs that Redis lost, count
 * as failed.
 *
 * @param out a folder or, with a store, the prefix of the outputs
 * @throws InputError if jobs have not ended
 */
export async function summarizeFarm(
  queue: FarmQueue,
  out: string,
  store?: FarmStore,
): Promise<BoundFolder> {
  const outputs = farmOutputs(out, store);
  const manifest = await requireManifest(outputs);
  const jobs = Object.values(manifest.jobs);
  const ids = jobs.map(({ id }) => id);
  const found = await jobsOf(queue, ids);
  const open = ids.filter((id) => found.has(id) && !found.get(id)?.finishedOn);
  if (open.length > 0) {
    throw new InputError(
      `${outputs.name}: ${open.length} of ${jobs.length} files are not done yet.`,
    );
  }
  const rows = jobs.map(({ id, file }) => {
    const job = found.get(id);
    const error = new InputError(`${file.inputPath}: its job was cancelled; submit it again.`);
    return job ? rowOf(job) : failedRow(file, error);
  });
  const { options, attention } = manifest;
  const summary = summarizeBatch(rows, options, attention);
  for (const [ending, text] of Object.entries(summaryTexts(summary))) {
    await outputs.store.write(`${outputs.prefix}summary.${ending}`, Buffer.from(text));
  }
  return boundFolder(summary, (ending) => path.join(outputs.name, `summary.${ending}`));
}
