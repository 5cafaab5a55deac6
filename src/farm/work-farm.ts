import { hostname } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import type { Job, Worker } from "bullmq";
import type { BatchRow } from "../batch/journal.ts";
import { type BindPool, createBindPool } from "../batch/pool.ts";
import { failedRow } from "../batch/row.ts";
import { InputError } from "../input-error.ts";
import { type OnProgress, paceProgress } from "../stage-clock.ts";
import {
  connectionOf,
  type FarmAddress,
  type FarmJob,
  type FarmQueue,
  type FarmResult,
  loadBullmq,
  withQueue,
} from "./queue.ts";
import { type FarmStore, runStored } from "./store.ts";

/** Options for {@link workFarm}. */
export interface WorkOptions {
  /** Files bound in parallel, as far as memory allows. */
  jobs: number;
  /** Bytes that all of them may take together; by default most of the free memory. */
  memory?: number | undefined;
  /** Store of inputs and outputs, if they are not on a disk. */
  store?: FarmStore | undefined;
  /** Stop when no job waits or runs, on any machine. */
  untilEmpty?: boolean | undefined;
  /** An abort lets running jobs complete and starts no others. */
  signal?: AbortSignal | undefined;
  /** Called for each file that is bound or has failed. */
  onRow?: ((row: BatchRow) => void) | undefined;
}

/** Time until the job of a lost worker is released (ms); renewed twice in that time by a loop that never blocks. */
const LOCK = 30_000;
/** Interval of the search for jobs of lost workers (ms). */
const STALLED = 10_000;
/** A job that loses more workers than this fails, because it may be the cause. */
const MAX_LOST = 5;
/** Interval of checks whether the queue is empty (ms). */
const POLL_INTERVAL = 250;
/** Minimum interval between progress events of a watched job (ms). */
const PROGRESS_INTERVAL = 500;

/** Runs jobs of a farm until it is stopped. */
export async function workFarm(address: FarmAddress, options: WorkOptions): Promise<void> {
  await withQueue(address, async (queue) => {
    const pool = createBindPool({ memory: options.memory });
    const running = new Set<Promise<unknown>>();
    const worker = await startWorker(address, options, pool, running);
    try {
      await untilStopped(queue, options);
    } finally {
      await closeWorker(worker, running);
      pool.stop();
    }
  });
}

/** Time for Redis to answer when a worker stops (ms). */
const CLOSE_GRACE = 5000;

/**
 * Waits for running jobs and closes the connection. A Redis that does not answer any more keeps neither: the
 * locks of the jobs expire, and other workers run them.
 */
async function closeWorker(worker: Worker, running: Set<Promise<unknown>>): Promise<void> {
  const closed = worker.close().catch(() => undefined);
  while (running.size > 0) await Promise.race([closed, Promise.allSettled(running)]);
  const isClosed = await Promise.race([closed.then(() => true), pause(CLOSE_GRACE, false)]);
  // Not awaited: it may wait for an answer as well.
  if (!isClosed) worker.disconnect().catch(() => undefined);
}

async function startWorker(
  address: FarmAddress,
  { jobs, onRow, store }: WorkOptions,
  pool: BindPool,
  running: Set<Promise<unknown>>,
): Promise<Worker<FarmJob, FarmResult>> {
  const { Worker, UnrecoverableError } = await loadBullmq();
  const worker = new Worker<FarmJob, FarmResult>(
    address.name,
    async (job) => {
      const onProgress = progressOf(job);
      const run = (data: FarmJob) => pool.run(data, { onProgress });
      const problem = problemOf(job.data);
      if (problem) throw new UnrecoverableError(problem);
      const answering = store ? runStored(store, job.data, run) : run(job.data);
      running.add(answering);
      const { row, input, bytes } = await answering.finally(() => running.delete(answering));
      if (!row) throw new Error("workFarm: a job was only compared.");
      if (row.status === "done") return { row, input, bytes };
      await job.updateData({ ...job.data, row });
      // Invalid input fails again in the same way; an internal error may not.
      throw row.isUserError ? new UnrecoverableError(row.error) : new Error(row.error);
    },
    {
      ...connectionOf(address),
      name: `${hostname()}:${process.pid}`,
      concurrency: jobs,
      lockDuration: LOCK,
      stalledInterval: STALLED,
      maxStalledCount: MAX_LOST,
    },
  );
  // Connections recover; without a listener, a lost one would end the process.
  worker.on("error", () => undefined);
  worker.on("completed", (_, { row }) => onRow?.(row));
  worker.on("failed", (job) => job?.finishedOn && onRow?.(rowOf(job)));
  return worker;
}

function problemOf(job: FarmJob): string | undefined {
  try {
    checkJob(job);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Returns a callback that sends the progress of a watched job to the queue. */
function progressOf(job: Job<FarmJob, FarmResult>): OnProgress | undefined {
  if (!job.data?.isWatched) return undefined;
  return paceProgress((stage, fraction) => {
    job.updateProgress({ stage, fraction }).catch(() => undefined);
  }, PROGRESS_INTERVAL);
}

const NO_FILE = { file: "unknown", output: "", inputPath: "", outputPath: "", bytes: 0 };

/** Returns the row of a job that has ended. */
export function rowOf(job: {
  data: FarmJob;
  returnvalue?: FarmResult;
  failedReason?: string;
}): BatchRow {
  const { file, row } = job.data ?? {};
  if (job.returnvalue?.row) return job.returnvalue.row;
  const problem = problemOf(job.data);
  if (problem) {
    return failedRow(
      { ...NO_FILE, ...(typeof file === "object" && file) },
      new InputError(problem),
    );
  }
  if (row && row.error === job.failedReason) return row;
  // The queue itself fails a job whose workers were lost.
  const isLost = /stalled/.test(job.failedReason ?? "");
  const text = isLost ? `its worker was lost more than ${MAX_LOST} times` : job.failedReason;
  return failedRow(file, new Error(`Not bound: ${text}.`));
}

async function untilStopped(
  queue: FarmQueue,
  { untilEmpty, signal }: Pick<WorkOptions, "untilEmpty" | "signal">,
): Promise<void> {
  const aborted = new Promise<void>((resolve) => {
    if (signal?.aborted) resolve();
    signal?.addEventListener("abort", () => resolve(), { once: true });
  });
  if (!untilEmpty) return aborted;
  const open = () => queue.getJobCountByTypes("waiting", "active", "delayed", "prioritized");
  // A Redis that hangs must not hold up the end.
  while ((await Promise.race([open(), aborted.then(() => 0)])) > 0) {
    await Promise.race([aborted, pause(POLL_INTERVAL)]);
  }
}

/** Longest time limit of a job in seconds: a week. */
const MAX_TIMEOUT = 7 * 24 * 3600;
const MAX_BYTES = 2 ** 40;

/**
 * Throws `InputError` for a job that was not queued by this program: the scheduler computes with its numbers,
 * and a wrong one would harm the jobs after it.
 */
export function checkJob(job: FarmJob): void {
  const refuse = (what: string) => new InputError(`The job is not valid: ${what}.`);
  if (!isObject(job)) throw refuse("it has no data");
  const { file, settings, timeout, beside = [] } = job;
  if (!isObject(file)) throw refuse("it names no file");
  for (const key of ["file", "output", "inputPath", "outputPath"] as const) {
    if (typeof file[key] !== "string" || file[key] === "") throw refuse(`file.${key} is missing`);
  }
  if (file.skeletonPath !== undefined && typeof file.skeletonPath !== "string") {
    throw refuse("file.skeletonPath must be a path");
  }
  if (!(file.bytes >= 0 && file.bytes <= MAX_BYTES)) throw refuse("file.bytes must be a size");
  if (!Array.isArray(beside) || beside.some((key) => typeof key !== "string")) {
    throw refuse("beside must be a list of keys");
  }
  if (!isObject(settings) || !isObject(settings.bind)) throw refuse("it has no settings");
  if (!(timeout > 0 && timeout <= MAX_TIMEOUT)) {
    throw refuse(`timeout must be a number of seconds up to ${MAX_TIMEOUT}, got ${timeout}`);
  }
  const { maxMemory } = settings.bind;
  if (maxMemory !== undefined && !(Number(maxMemory) > 0)) throw refuse("maxMemory must be a size");
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
