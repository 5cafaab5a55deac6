import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type BoundFolder, boundFolder } from "../batch/bind-folder.ts";
import type { BatchRow } from "../batch/journal.ts";
import { failedRow } from "../batch/row.ts";
import { summarizeBatch, summaryTexts } from "../batch/summary.ts";
import { InputError } from "../input-error.ts";
import {
  type FarmManifest,
  farmOutputs,
  jobsOf,
  needManifest,
  type QueuedJob,
} from "./manifest.ts";
import type { FarmQueue } from "./queue.ts";
import type { FarmStore } from "./store.ts";
import { rowOf } from "./work-farm.ts";

/** How a farm stands. */
export interface FarmStatus {
  name: string;
  /** Whether nothing is begun; see `drainFarm`. */
  isDrained: boolean;
  workers: number;
  /** `delayed` jobs failed and wait for their next attempt. */
  jobs: { waiting: number; active: number; delayed: number; done: number; failed: number };
  /** Jobs a second of late; 0 where none was done. */
  rate: number;
  /** Seconds until all is done at this rate; absent where there is none, or nothing to do. */
  secondsLeft?: number | undefined;
  /** The last failures, each with its sentence. */
  failures: { file: string; error: string }[];
  /** Of the last jobs done, those that took longest. */
  slowest: { file: string; seconds: number }[];
}

/** The last jobs that rate and slowest are taken from ... */
const RECENT = 200;
/** ... if they ended within so many milliseconds. */
const WINDOW = 300_000;
const SHOWN_FAILURES = 100;
const SHOWN_SLOWEST = 5;

/** Looks at a farm; the effort does not grow with the number of its jobs. */
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
  const rate = rateOf(recent, Date.now());
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
      .map(({ returnvalue: { row } }) => ({ file: row.file, seconds: row.seconds }))
      .sort((a, b) => b.seconds - a.seconds)
      .slice(0, SHOWN_SLOWEST),
  };
}

function rateOf(jobs: QueuedJob[], now: number): number {
  const ends = jobs.map(({ finishedOn = 0 }) => finishedOn).filter((end) => end > now - WINDOW);
  const first = ends.reduce((least, end) => Math.min(least, end), now);
  return ends.length > 1 ? (1000 * ends.length) / Math.max(now - first, 1) : 0;
}

/** Puts all failed jobs back into the queue; returns how many. */
export async function retryFarm(queue: FarmQueue): Promise<number> {
  const failed = await queue.getJobCountByTypes("failed");
  await queue.retryJobs({ state: "failed" });
  return failed;
}

/**
 * Takes what waits out of the queue, of some outputs or of all; what runs is finished.
 *
 * @param out a folder; with a store, what the keys of the outputs begin with
 * @returns how many jobs are gone
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
  const manifest = await needManifest(farmOutputs(out, store));
  const ids = Object.values(manifest.jobs).map(({ id }) => id);
  const jobs = [...(await jobsOf(queue, ids)).values()].filter((job) => !job.finishedOn);
  // A job that a worker holds is not removed.
  const gone = await Promise.all(
    jobs.map((job) =>
      job
        .remove()
        .then(() => 1)
        .catch(() => 0),
    ),
  );
  return gone.reduce<number>((sum, one) => sum + one, 0);
}

/**
 * Lets no worker begin another job until the queue is resumed, and waits until those under way have ended;
 * what waits stays.
 */
export async function drainFarm(queue: FarmQueue, signal: AbortSignal): Promise<void> {
  await queue.pause();
  while (!signal.aborted && (await queue.getActiveCount()) > 0) await pause(250);
  signal.throwIfAborted();
}

/**
 * Writes the summary of all outputs of a folder or of a store, the same as a batch's: each file once.
 *
 * `InputError` where jobs have not ended yet. What was cancelled, or lost with its Redis, is not bound.
 *
 * @param out a folder; with a store, what the keys of the outputs begin with
 */
export async function summarizeFarm(
  queue: FarmQueue,
  out: string,
  store?: FarmStore,
): Promise<BoundFolder> {
  const outputs = farmOutputs(out, store);
  const manifest = await needManifest(outputs);
  const rows = await rowsOf(queue, manifest, outputs.name);
  const { options, attention } = manifest;
  const summary = summarizeBatch(rows, options, attention);
  for (const [ending, text] of Object.entries(summaryTexts(summary))) {
    await outputs.store.write(`${outputs.under}summary.${ending}`, Buffer.from(text));
  }
  return boundFolder(summary, (ending) => path.join(outputs.name, `summary.${ending}`));
}

/** What became of each output. */
async function rowsOf(queue: FarmQueue, { jobs }: FarmManifest, name: string): Promise<BatchRow[]> {
  const all = Object.values(jobs);
  const found = await jobsOf(
    queue,
    all.map(({ id }) => id),
  );
  const open = all.filter(({ id }) => found.has(id) && !found.get(id)?.finishedOn);
  if (open.length > 0) {
    throw new InputError(
      `${name}: ${open.length} of ${all.length} files are not done yet; farm status says how long it takes.`,
    );
  }
  return all.map(({ id, file }) => {
    const job = found.get(id);
    const gone = new InputError(`${file.inputPath}: its job was cancelled; submit it again.`);
    return job ? rowOf(job) : failedRow(file, gone);
  });
}
