import { hostname } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import type { Job, Worker } from "bullmq";
import type { BatchRow } from "../batch/journal.ts";
import { type BindPool, createBindPool } from "../batch/pool.ts";
import { failedRow } from "../batch/row.ts";
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
    const worker = await startWorker(address, options, pool);
    try {
      await untilStopped(queue, options);
    } finally {
      // Waits for running jobs.
      await worker.close();
      pool.stop();
    }
  });
}

async function startWorker(
  address: FarmAddress,
  { jobs, onRow, store }: WorkOptions,
  pool: BindPool,
): Promise<Worker<FarmJob, FarmResult>> {
  const { Worker, UnrecoverableError } = await loadBullmq();
  const worker = new Worker<FarmJob, FarmResult>(
    address.name,
    async (job) => {
      const onProgress = progressOf(job);
      const run = (data: FarmJob) => pool.run(data, { onProgress });
      const answer = await (store ? runStored(store, job.data, run) : run(job.data));
      const { row, input, bytes } = answer;
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

/** Returns a callback that sends the progress of a watched job to the queue. */
function progressOf(job: Job<FarmJob, FarmResult>): OnProgress | undefined {
  if (!job.data.isWatched) return undefined;
  return paceProgress((stage, fraction) => {
    job.updateProgress({ stage, fraction }).catch(() => undefined);
  }, PROGRESS_INTERVAL);
}

/** Returns the row of a job that has ended. */
export function rowOf(job: {
  data: FarmJob;
  returnvalue?: FarmResult;
  failedReason?: string;
}): BatchRow {
  const { file, row } = job.data;
  if (job.returnvalue) return job.returnvalue.row;
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
  while (!signal?.aborted && (await open()) > 0) {
    await Promise.race([aborted, pause(POLL_INTERVAL)]);
  }
}
