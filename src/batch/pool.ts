import { setMaxListeners } from "node:events";
import { freemem } from "node:os";
import { DEFAULT_MAX_MEMORY } from "../formats/budget.ts";
import { InputError } from "../input-error.ts";
import { createWorkerHost, LostWorker, type WorkerHost } from "../processes/worker-host.ts";
import type { OnProgress } from "../stage-clock.ts";
import type { BatchFile } from "./list.ts";
import { type BatchAnswer, type BatchSettings, type FileJob, failedAnswer } from "./row.ts";

/** A file to bind, for the batch, the service and the farm. */
export interface BindJob extends FileJob {
  settings: BatchSettings;
  /** Time limit in seconds. */
  timeout: number;
}

/** Observes and cancels a job. */
export interface BindWatch {
  /** Cancels the job, whether it waits or runs. */
  signal?: AbortSignal | undefined;
  onBegin?: (() => void) | undefined;
  onProgress?: OnProgress | undefined;
}

/** Worker processes that bind files, one file at a time each. */
export interface BindPool {
  /** Runs a job when there is room for it. Never throws: errors are in the row of the answer. */
  run(job: BindJob, watch?: BindWatch): Promise<BatchAnswer>;
  /** Ends all processes and cancels all jobs. */
  stop(): void;
}

/** Time limit of a file in seconds. */
export const DEFAULT_TIMEOUT = 600;
/** Memory limit of a process as a multiple of `maxMemory`: copies, distances, the network. */
const PROCESS_GROWTH = 4;
/** Memory of a process for the smallest file: the program, the model, a voxel grid. */
const BASE_MEMORY = 200 * 2 ** 20;
/**
 * A file that contains only a mesh takes up to 500 times its size (measured: 90 to 490 times), until it is
 * large enough to be bound on a simplified mesh; beyond that, a few copies.
 */
const MESH_GROWTH = 500;
const MAX_GROWTH = 1.8 * 2 ** 30;
const COPIES = 10;
/** Fraction of the free memory that a pool uses. */
const MEMORY_FRACTION = 0.75;
/** A process that has grown beyond this is replaced, because processes rarely return memory. */
const LARGE_PROCESS = 1.5 * 2 ** 30;
/** How often smaller jobs may overtake a job that waits for memory. */
const MAX_OVERTAKEN = 16;

/** Estimates the memory that binding a file takes, in bytes. */
export function memoryNeed({ bytes }: Pick<BatchFile, "bytes">): number {
  return BASE_MEMORY + Math.min(MESH_GROWTH * bytes, MAX_GROWTH) + COPIES * bytes;
}

interface Waiting {
  need: number;
  overtaken: number;
  start: () => void;
}

/**
 * Creates the scheduler of all binds: at most `jobs` at once, within `memory` bytes together (one job
 * always runs, whatever its size). Jobs start in the order they came, except that a job may overtake
 * others that do not fit into memory yet. Processes are reused by jobs with the same settings and
 * replaced when they die.
 */
export function createBindPool({
  jobs = Infinity,
  memory = availableBytes() * MEMORY_FRACTION,
}: {
  jobs?: number | undefined;
  memory?: number | undefined;
} = {}): BindPool {
  const waiting: Waiting[] = [];
  const idle: { key: string; host: WorkerHost<FileJob, BatchAnswer> }[] = [];
  const busy = new Set<() => void>();
  let [used, running, isStopped] = [0, 0, false];

  const startNext = () => {
    while (running < jobs) {
      const at = waiting.findIndex((job) => running === 0 || used + job.need <= memory);
      if (at < 0 || waiting.slice(0, at).some((job) => job.overtaken >= MAX_OVERTAKEN)) return;
      for (const job of waiting.slice(0, at)) job.overtaken++;
      const [next] = waiting.splice(at, 1);
      running++;
      used += next.need;
      next.start();
    }
  };

  /** Waits for room; false if the job is cancelled before. */
  const enter = (need: number, signal: AbortSignal | undefined) =>
    new Promise<boolean>((resolve) => {
      const cancel = () => {
        const at = waiting.indexOf(job);
        if (at >= 0) waiting.splice(at, 1);
        resolve(false);
        startNext();
      };
      const start = () => {
        signal?.removeEventListener("abort", cancel);
        resolve(true);
      };
      const job: Waiting = { need, overtaken: 0, start };
      if (signal?.aborted || isStopped) return resolve(false);
      signal?.addEventListener("abort", cancel, { once: true });
      waiting.push(job);
      startNext();
    });

  const leave = (need: number) => {
    used -= need;
    running--;
    startNext();
  };

  const takeHost = ({ settings, timeout }: BindJob) => {
    const key = JSON.stringify([settings, timeout]);
    const at = idle.findIndex((slot) => slot.key === key);
    if (at >= 0) return idle.splice(at, 1)[0];
    idle.shift()?.host.stop();
    return { key, host: createBindHost(settings, timeout) };
  };

  return {
    async run(job, { signal, onBegin, onProgress } = {}) {
      const need = memoryNeed(job.file);
      if (!(await enter(need, signal))) return cancelledAnswer(job);
      try {
        if (signal?.aborted || isStopped) return cancelledAnswer(job);
        onBegin?.();
        const slot = takeHost(job);
        const end = () => slot.host.stop();
        busy.add(end);
        signal?.addEventListener("abort", end);
        try {
          const { file, known } = job;
          return await slot.host.run({ file, known }, onProgress);
        } catch (error) {
          return lostFile(job.file, error as Error);
        } finally {
          signal?.removeEventListener("abort", end);
          busy.delete(end);
          if (!isStopped) idle.push(slot);
        }
      } finally {
        leave(need);
      }
    },
    stop() {
      isStopped = true;
      for (const { start } of waiting.splice(0)) start();
      for (const end of busy) end();
      for (const { host } of idle.splice(0)) host.stop();
    },
  };
}

/** Options for {@link bindAll}. */
export interface BindAllOptions {
  /** Maximum number of worker processes. */
  jobs: number;
  /** Bytes that all of them may take together; by default most of the free memory. */
  memory?: number | undefined;
  /** Time limit of a file in seconds; default {@link DEFAULT_TIMEOUT}. */
  timeout?: number | undefined;
  /** Returns the hashes of an earlier run; a file that has them is compared instead of bound. */
  knownOf?: (file: BatchFile) => FileJob["known"];
  signal?: AbortSignal | undefined;
  onBegin?: (file: BatchFile) => void;
  onDone?: (file: BatchFile, answer: BatchAnswer) => void;
}

/**
 * Binds files in parallel, the largest first. Stops all processes before it throws the signal's reason or an
 * error of a callback.
 */
export async function bindAll(
  files: BatchFile[],
  settings: BatchSettings,
  { jobs, memory, timeout = DEFAULT_TIMEOUT, knownOf, signal, onBegin, onDone }: BindAllOptions,
): Promise<void> {
  signal?.throwIfAborted();
  const pool = createBindPool({ jobs, memory });
  const ending = new AbortController();
  // Every waiting file listens; Node warns about a leak from the eleventh listener on.
  setMaxListeners(0, ending.signal);
  const end = () => ending.abort(signal?.reason);
  signal?.addEventListener("abort", end);
  const bind = async (file: BatchFile) => {
    try {
      const job = { file, settings, timeout, known: knownOf?.(file) };
      const answer = await pool.run(job, { signal: ending.signal, onBegin: () => onBegin?.(file) });
      if (!ending.signal.aborted) onDone?.(file, answer);
    } catch (error) {
      ending.abort(error);
    }
  };
  try {
    await Promise.all(files.toSorted((a, b) => b.bytes - a.bytes).map(bind));
  } finally {
    pool.stop();
    signal?.removeEventListener("abort", end);
  }
  ending.signal.throwIfAborted();
}

function createBindHost(
  settings: BatchSettings,
  timeout: number,
): WorkerHost<FileJob, BatchAnswer> {
  return createWorkerHost({
    kind: "process",
    module: "./row",
    name: "createBatchJob",
    settings,
    from: import.meta.url,
    isSpent: ({ peak }) => peak > LARGE_PROCESS,
    timeout: timeout * 1000,
    memory: PROCESS_GROWTH * (settings.bind.maxMemory ?? DEFAULT_MAX_MEMORY),
  });
}

/** Returns the answer for a cancelled job. */
export function cancelledAnswer({ file }: Pick<BindJob, "file">): BatchAnswer {
  return failedAnswer(file, new Error("Cancelled."));
}

function lostFile(file: BatchFile, error: Error): BatchAnswer {
  const text = `Not bound: ${error.message}.`;
  // A file that exceeds a limit counts as invalid input.
  const isLimit = error instanceof LostWorker && error.isLimit;
  return failedAnswer(file, isLimit ? new InputError(text) : new Error(text));
}

/** Returns the free memory in bytes; respects the limits of a container from Node 20.13 on. */
function availableBytes(): number {
  const { availableMemory } = process as { availableMemory?: () => number };
  return availableMemory?.() || freemem();
}
