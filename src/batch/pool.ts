import { freemem } from "node:os";
import { DEFAULT_MAX_MEMORY } from "../formats/budget.ts";
import { InputError } from "../input-error.ts";
import { createWorkerHost, LostWorker, type WorkerHost } from "../processes/worker-host.ts";
import type { OnProgress } from "../stage-clock.ts";
import type { BatchFile } from "./list.ts";
import { type BatchAnswer, type BatchJob, type BatchSettings, failedAnswer } from "./row.ts";

/** Options for {@link bindAll}. */
export interface BatchPoolOptions {
  /** Worker processes at most. */
  jobs: number;
  /** Bytes all of them may take together; most of what is free unless told. */
  memory?: number | undefined;
  /** Seconds a file may take, {@link DEFAULT_TIMEOUT} unless told. */
  timeout?: number | undefined;
  /** What an earlier run has left of a file, to be compared and not bound; see `BatchJob`. */
  knownOf?: (file: BatchFile) => BatchJob["known"];
  signal?: AbortSignal | undefined;
  /** Called before a file is begun. */
  onBegin?: (file: BatchFile) => void;
  onDone?: (file: BatchFile, answer: BatchAnswer) => void;
}

/** Seconds after which a file is given up, whatever is done for it. */
export const DEFAULT_TIMEOUT = 600;
/** A process may hold this many times what a file may unpack to: copies, distances, the network. */
const PROCESS_GROWTH = 4;

/** What a process takes for the smallest file: the program, the model, a voxel grid. */
const BASE_MEMORY = 200 * 2 ** 20;
/** A file of nothing but a mesh takes up to 500 times its size (measured: 90 to 490 times) ... */
const MESH_GROWTH = 500;
/** ... until it is so large that it is bound on a simplified mesh; from there on, a few copies. */
const MOST_GROWTH = 1.8 * 2 ** 30;
const COPIES = 10;
/** Share of the free memory that a batch takes for itself. */
const SHARE = 0.75;
/** A process that has grown beyond this is replaced: memory once taken is seldom given back. */
const LARGE_PROCESS = 1.5 * 2 ** 30;

/** What binding a file may take, in bytes. */
export function memoryNeed({ bytes }: Pick<BatchFile, "bytes">): number {
  return BASE_MEMORY + Math.min(MESH_GROWTH * bytes, MOST_GROWTH) + COPIES * bytes;
}

/**
 * Binds files side by side in worker processes, the largest first, as many at once as memory allows;
 * one file is always under way, whatever its size.
 *
 * A process that dies costs the file it was at, and is replaced. What is written does not depend on
 * the number of jobs.
 */
export async function bindAll(
  files: BatchFile[],
  settings: BatchSettings,
  options: BatchPoolOptions,
): Promise<void> {
  const { signal } = options;
  const queue = createQueue(files, options.memory ?? batchMemory());
  // Of the signal, or of what goes wrong beside the files: all end together.
  const ending = new AbortController();
  const work = async () => {
    const worker = createBatchHost(settings, options.timeout);
    const stop = () => {
      queue.close();
      worker.stop();
    };
    ending.signal.addEventListener("abort", stop);
    try {
      for (let file = await queue.take(); file; file = await queue.take()) {
        options.onBegin?.(file);
        const answer = await worker
          .run({ file, known: options.knownOf?.(file) })
          .catch((error) => lostFile(file, error));
        ending.signal.throwIfAborted();
        options.onDone?.(file, answer);
        queue.give(file);
      }
    } catch (error) {
      ending.abort(error);
    } finally {
      stop();
    }
  };
  signal?.throwIfAborted();
  const end = () => ending.abort(signal?.reason);
  signal?.addEventListener("abort", end);
  const jobs = Math.min(options.jobs, files.length);
  await Promise.all(Array.from({ length: jobs }, work));
  signal?.removeEventListener("abort", end);
  ending.signal.throwIfAborted();
}

/** A process that binds one file after another, within limits of time (seconds) and memory. */
export function createBatchHost(
  settings: BatchSettings,
  timeout: number = DEFAULT_TIMEOUT,
): WorkerHost<BatchJob, BatchAnswer> {
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

/** What is said of a file whose process ended before it had an answer. */
function lostFile(file: BatchFile, error: Error): BatchAnswer {
  const text = `Not bound: ${error.message}.`;
  // What hangs or grows without end is the file's fault as far as we can tell.
  const isLimit = error instanceof LostWorker && error.isLimit;
  return failedAnswer(file, isLimit ? new InputError(text) : new Error(text));
}

/** Hands out files while they fit into memory together. */
export interface BatchQueue {
  /** The next file that fits; waits for one to be given back where none does. */
  take(): Promise<BatchFile | undefined>;
  give(file: BatchFile): void;
  /** Nothing more is handed out. */
  close(): void;
}

/**
 * Makes a queue, the largest files first.
 *
 * @param memory bytes the files under way may need together; one is always handed out
 */
export function createQueue(files: BatchFile[], memory: number): BatchQueue {
  const waiting = files.toSorted((a, b) => b.bytes - a.bytes);
  const sleepers: (() => void)[] = [];
  let used = 0;
  let running = 0;
  const wake = () => {
    for (const resume of sleepers.splice(0)) resume();
  };
  return {
    async take() {
      while (waiting.length > 0) {
        const at = waiting.findIndex((file) => running === 0 || used + memoryNeed(file) <= memory);
        if (at >= 0) {
          const [file] = waiting.splice(at, 1);
          running++;
          used += memoryNeed(file);
          return file;
        }
        await new Promise<void>((resume) => sleepers.push(resume));
      }
      return undefined;
    },
    give(file) {
      running--;
      used -= memoryNeed(file);
      wake();
    },
    close() {
      waiting.length = 0;
      wake();
    },
  };
}

/** What the files under way may need together, in bytes, unless told: most of what is free. */
function batchMemory(): number {
  // Within the limits of a container where Node knows them (from 20.13).
  const { availableMemory } = process as { availableMemory?: () => number };
  return (availableMemory?.() || freemem()) * SHARE;
}

/** A file to bind, whoever asked for it. */
export interface SlotJob {
  file: BatchFile;
  settings: BatchSettings;
  /** Seconds it may take. */
  timeout: number;
}

/** Who watches over a file that is being bound. */
export interface SlotWatch {
  /** Once aborted, the process is ended. */
  signal?: AbortSignal | undefined;
  onProgress?: OnProgress | undefined;
}

/** Processes that bind files, a file each at a time. */
export interface BindSlots {
  /** Never throws: what went wrong is in the row. */
  run(job: SlotJob, watch?: SlotWatch): Promise<BatchAnswer>;
  /** Ends all processes, whatever they are at. */
  stop(): void;
}

/** Makes slots as they are needed; a process is used again by jobs of the same settings. */
export function createBindSlots(memory: number = batchMemory()): BindSlots {
  const gate = createMemoryGate(memory);
  const idle: { key: string; host: WorkerHost<BatchJob, BatchAnswer> }[] = [];
  const busy = new Set<() => void>();
  let isStopped = false;
  const take = ({ settings, timeout }: SlotJob) => {
    const key = JSON.stringify([settings, timeout]);
    const at = idle.findIndex((slot) => slot.key === key);
    if (at >= 0) return idle.splice(at, 1)[0];
    idle.shift()?.host.stop();
    return { key, host: createBatchHost(settings, timeout) };
  };
  return {
    async run(job, { signal, onProgress } = {}) {
      const need = memoryNeed(job.file);
      await gate.enter(need);
      // Whoever waited for memory may have been dropped meanwhile.
      if (signal?.aborted || isStopped) {
        gate.leave(need);
        return lostFile(job.file, new Error("nobody waits for it any more"));
      }
      const slot = take(job);
      const end = () => slot.host.stop();
      busy.add(end);
      signal?.addEventListener("abort", end);
      try {
        return await slot.host
          .run({ file: job.file }, onProgress)
          .catch((error) => lostFile(job.file, error));
      } finally {
        signal?.removeEventListener("abort", end);
        busy.delete(end);
        if (!isStopped) idle.push(slot);
        gate.leave(need);
      }
    },
    stop() {
      isStopped = true;
      for (const end of busy) end();
      for (const { host } of idle.splice(0)) host.stop();
    },
  };
}

/** Lets work in while it fits into memory together; one is always let in, whatever its size. */
export interface MemoryGate {
  /** Waits until there is room. */
  enter(bytes: number): Promise<void>;
  leave(bytes: number): void;
}

/** Makes a gate to so many bytes. */
export function createMemoryGate(memory: number): MemoryGate {
  const waiting: { bytes: number; resume: () => void }[] = [];
  let [used, inside] = [0, 0];
  const letIn = () => {
    for (let next = waiting[0]; next; next = waiting[0]) {
      if (inside > 0 && used + next.bytes > memory) return;
      waiting.shift();
      used += next.bytes;
      inside++;
      next.resume();
    }
  };
  return {
    enter: (bytes) =>
      new Promise((resume) => {
        waiting.push({ bytes, resume });
        letIn();
      }),
    leave(bytes) {
      used -= bytes;
      inside--;
      letIn();
    },
  };
}
