import { hostname } from "node:os";
import type { Job, Worker } from "bullmq";
import type { BatchRow } from "../batch/journal.ts";
import { createBindPool } from "../batch/pool.ts";
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
  /** Files bound side by side, where memory allows. */
  jobs: number;
  /** Bytes all of them may take together; most of what is free unless told. */
  memory?: number | undefined;
  /** Where inputs and outputs are, if not on a disk that this machine sees. */
  store?: FarmStore | undefined;
  /** End once nothing waits and nothing runs, here or elsewhere. */
  untilEmpty?: boolean | undefined;
  /** Once aborted, what is under way is finished and nothing more begun. */
  signal?: AbortSignal | undefined;
  /** Told of each file that is bound, or given up. */
  onRow?: ((row: BatchRow) => void) | undefined;
}

/**
 * Milliseconds for which a job stays ours without a word. It is renewed twice in that time, by a loop
 * that nothing blocks: files are bound in processes of their own.
 */
const LOCK = 30_000;
/** Milliseconds between two looks for jobs whose workers are gone. */
const STALLED = 10_000;
/** A job whose worker is lost more often than this is given up: it may be what ends them. */
const MOST_LOST = 5;
/** Milliseconds between two looks whether all is done. */
const PAUSE = 250;
/** Milliseconds between two words about a stage of a job that is watched. */
const PROGRESS_PAUSE = 500;

type Bind = (
  job: FarmJob,
  onProgress: OnProgress | undefined,
) => Promise<{ row?: BatchRow | undefined; input: string; bytes: string }>;

/** Works for a farm until it is told to end. */
export async function workFarm(place: FarmAddress, options: WorkOptions): Promise<void> {
  await withQueue(place, async (queue) => {
    const pool = createBindPool({ memory: options.memory });
    const { store } = options;
    const bind: Bind = (job, onProgress) => {
      const run = (local: FarmJob) => pool.run(local, { onProgress });
      return store ? runStored(store, job, run) : run(job);
    };
    const worker = await startWorker(place, options, bind);
    try {
      await untilTold(queue, options);
    } finally {
      // Waits for what is under way.
      await worker.close();
      pool.stop();
    }
  });
}

async function startWorker(
  place: FarmAddress,
  { jobs, onRow }: WorkOptions,
  bind: Bind,
): Promise<Worker<FarmJob, FarmResult>> {
  const { Worker, UnrecoverableError } = await loadBullmq();
  const worker = new Worker<FarmJob, FarmResult>(
    place.name,
    async (job) => {
      const { row, input, bytes } = await bind(job.data, progressOf(job));
      if (!row) throw new Error("workFarm: a job was only compared.");
      if (row.status === "done") return { row, input, bytes };
      await job.updateData({ ...job.data, row });
      // The same file would fail the same way again; a fault of ours may pass.
      throw row.isUserError ? new UnrecoverableError(row.error) : new Error(row.error);
    },
    {
      ...connectionOf(place),
      name: `${hostname()}:${process.pid}`,
      concurrency: jobs,
      lockDuration: LOCK,
      stalledInterval: STALLED,
      maxStalledCount: MOST_LOST,
    },
  );
  // Connections come back by themselves; without a listener their loss would end the program.
  worker.on("error", () => undefined);
  worker.on("completed", (_, { row }) => onRow?.(row));
  worker.on("failed", (job) => job?.finishedOn && onRow?.(rowOf(job)));
  return worker;
}

/** Tells the queue how far a job is, where somebody wants to know; a word that is lost is no harm. */
function progressOf(job: Job<FarmJob, FarmResult>): OnProgress | undefined {
  if (!job.data.isWatched) return undefined;
  const tell: OnProgress = (stage, fraction) => {
    job.updateProgress({ stage, fraction }).catch(() => undefined);
  };
  return paceProgress(tell, PROGRESS_PAUSE);
}

/** The row of a job that has ended. */
export function rowOf(job: {
  data: FarmJob;
  returnvalue?: FarmResult;
  failedReason?: string;
}): BatchRow {
  const { file, row } = job.data;
  if (job.returnvalue) return job.returnvalue.row;
  if (row && row.error === job.failedReason) return row;
  // What the queue says where no worker came to say it.
  const isLost = /stalled/.test(job.failedReason ?? "");
  const text = isLost ? `its worker was lost more than ${MOST_LOST} times` : job.failedReason;
  return failedRow(file, new Error(`Not bound: ${text}.`));
}

async function untilTold(
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
    const timer = new Promise<void>((resolve) => setTimeout(resolve, PAUSE));
    await Promise.race([aborted, timer]);
  }
}
