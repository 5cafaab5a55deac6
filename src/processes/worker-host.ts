import { readFileSync } from "node:fs";
import { InputError } from "../input-error.ts";
import type { OnProgress } from "../stage-clock.ts";
import { type StartedWorker, startProcess, startThread, workerFile } from "./start-worker.ts";
import type { WorkerAnswer, WorkerProgress, WorkerRequest, WorkerTask } from "./worker-main.ts";

/** A worker that runs one job at a time; a dead worker is replaced for the next job. */
export interface WorkerHost<Job, Answer> {
  /** Rejects with the job's error, or with {@link LostWorker} if the worker ended. */
  run(job: Job, onProgress?: OnProgress): Promise<Answer>;
  stop(): Promise<unknown>;
}

export interface WorkerOptions<Answer> {
  /** A process can be killed at any time; a thread shares memory and starts faster. */
  kind: "thread" | "process";
  /** Module of the job, relative to `from`, without extension. */
  module: string;
  /** `import.meta.url` of the caller. */
  from: string;
  /** Exported function that creates the job handler from the settings. */
  name: string;
  settings: unknown;
  /** Maximum milliseconds per job, after which the worker is killed. */
  timeout?: number | undefined;
  /** Maximum resident bytes of a process during a job (only with /proc). */
  memory?: number | undefined;
  /** Returns whether the worker must be replaced after this answer. */
  isSpent?: ((answer: Answer) => boolean) | undefined;
}

/** The worker ended without an answer. */
export class LostWorker extends Error {
  /** Whether it was killed for exceeding a limit. */
  isLimit = false;
}

/** Creates a host; the worker starts with the first job. */
export function createWorkerHost<Job, Answer>(
  options: WorkerOptions<Answer>,
): WorkerHost<Job, Answer> {
  let current: StartedWorker | undefined;
  const release = (worker: StartedWorker) => {
    if (current === worker) current = undefined;
  };
  // Cleared first, so that the next job does not go to a dying worker.
  const end = (worker: StartedWorker) => {
    release(worker);
    return worker.stop();
  };
  const start = () => {
    const worker = startWorker(options);
    worker.events.once("exit", () => release(worker));
    // A late error of an abandoned worker must not crash this program.
    worker.events.on("error", () => release(worker));
    return worker;
  };
  const run = async (job: Job, onProgress?: OnProgress) => {
    const isRunning = current !== undefined;
    current ??= start();
    const worker = current;
    worker.keepAlive(true);
    try {
      // The start does not count toward the job's limits.
      if (!isRunning) await nextAnswer(worker);
      const limits = enforceLimits(worker, end, options);
      const reply = nextAnswer(worker, onProgress).finally(limits.stop);
      worker.post({ job, isWatched: onProgress !== undefined } satisfies WorkerRequest);
      const answer = resultOf<Answer>(await reply.catch((error) => limits.explain(error)));
      if (options.isSpent?.(answer)) end(worker);
      return answer;
    } finally {
      worker.keepAlive(false);
    }
  };
  return { run, stop: async () => current && end(current) };
}

function startWorker<Answer>(options: WorkerOptions<Answer>): StartedWorker {
  const { kind, module, from, name, settings } = options;
  const begin = kind === "thread" ? startThread : startProcess;
  const worker = begin("./worker-main", import.meta.url);
  if (!worker) throw new LostWorker("a worker cannot be started from TypeScript without tsx");
  const file = workerFile(module, from).href;
  worker.post({ module: file, name, settings } satisfies WorkerTask);
  return worker;
}

function resultOf<Answer>(reply: WorkerAnswer): Answer {
  if (reply === "ready") throw new Error("createWorkerHost: the worker reported ready twice.");
  if ("answer" in reply) return reply.answer as Answer;
  throw reply.isUserError ? new InputError(reply.error) : new Error(reply.error);
}

/** Returns the next message of a worker that is not progress; rejects with {@link LostWorker}. */
function nextAnswer({ events }: StartedWorker, onProgress?: OnProgress): Promise<WorkerAnswer> {
  return new Promise((resolve, reject) => {
    const settle = (done: () => void) => {
      events.off("message", onMessage).off("error", onError).off("exit", onExit);
      done();
    };
    const onMessage = (message: WorkerAnswer | WorkerProgress) => {
      if (typeof message === "object" && "stage" in message) {
        onProgress?.(message.stage, message.fraction);
      } else settle(() => resolve(message));
    };
    const onError = (error: Error) => settle(() => reject(new LostWorker(error.message)));
    const onExit = (code: number | null, signal?: string) => {
      const how = signal ?? `code ${code}`;
      settle(() => reject(new LostWorker(`the worker process ended (${how})`)));
    };
    events.on("message", onMessage).on("error", onError).on("exit", onExit);
  });
}

/** The longest delay of a timer, in milliseconds; a longer one would end at once. */
const MAX_DELAY = 2 ** 31 - 1;

/** Interval of memory checks, in milliseconds. */
const MEMORY_INTERVAL = 200;

/** Kills a worker whose job exceeds a limit, and then replaces its error by the reason. */
function enforceLimits<Answer>(
  worker: StartedWorker,
  stop: (worker: StartedWorker) => void,
  { timeout, memory }: WorkerOptions<Answer>,
): { stop(): void; explain(error: Error): never } {
  let reason: string | undefined;
  const end = (why: string) => {
    reason = why;
    stop(worker);
  };
  const tooLong = () => end(`it took more than ${timeout! / 1000} s`);
  const late = timeout && setTimeout(tooLong, Math.min(timeout, MAX_DELAY));
  const check = (limit: number) => {
    if (residentBytes(worker.pid) <= limit) return;
    end(`it took more than ${Math.round(limit / 2 ** 20)} MB of memory`);
  };
  const look = memory && setInterval(check, MEMORY_INTERVAL, memory);
  return {
    stop() {
      clearTimeout(late);
      clearInterval(look);
    },
    explain(error) {
      if (!reason) throw error;
      throw Object.assign(new LostWorker(reason), { isLimit: true });
    },
  };
}

/** Returns the resident memory of a process; 0 if unknown. */
function residentBytes(pid: number | undefined): number {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"));
    return kilobytes ? Number(kilobytes[1]) * 1024 : 0;
  } catch {
    return 0;
  }
}

/** Runs several jobs at a time, started in the order requested. */
export interface WorkerPool<Job, Answer> {
  run(job: Job): Promise<Answer>;
  /** Ends all workers; running jobs fail. */
  close(): Promise<void>;
}

/** Creates a pool of workers that start on demand. */
export function createWorkerPool<Job, Answer>(
  count: number,
  options: WorkerOptions<Answer>,
): WorkerPool<Job, Answer> {
  const all = Array.from({ length: count }, () => createWorkerHost<Job, Answer>(options));
  const idle = [...all];
  let isClosed = false;
  const waiting: ((worker: WorkerHost<Job, Answer>) => void)[] = [];
  return {
    async run(job) {
      const worker =
        idle.shift() ??
        (await new Promise<WorkerHost<Job, Answer>>((resolve) => waiting.push(resolve)));
      try {
        if (isClosed) throw new LostWorker("the pool is closed");
        return await worker.run(job);
      } finally {
        const next = waiting.shift();
        if (next) next(worker);
        else idle.push(worker);
      }
    },
    async close() {
      isClosed = true;
      await Promise.all(all.map((worker) => worker.stop()));
    },
  };
}

/** Creates a pool that runs jobs one after the other in this thread. */
export function createLocalPool<Job, Answer>(
  serve: (job: Job) => Promise<Answer>,
): WorkerPool<Job, Answer> {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(job) {
      const answer = last.then(() => serve(job));
      last = answer.catch(() => undefined);
      return answer;
    },
    close: async () => {},
  };
}

/** Calls `work` for each item in order, at most `limit` at a time. */
export async function inFlight<T>(
  items: readonly T[],
  limit: number,
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < items.length) {
      const index = next++;
      await work(items[index], index);
    }
  };
  await Promise.all(Array.from({ length: limit }, lane));
}
