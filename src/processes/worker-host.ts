import { readFileSync } from "node:fs";
import { InputError } from "../input-error.ts";
import type { OnProgress } from "../stage-clock.ts";
import { type StartedWorker, startProcess, startThread, workerFile } from "./start-worker.ts";
import type { WorkerAnswer, WorkerProgress, WorkerRequest, WorkerTask } from "./worker-main.ts";

/** A worker that runs one job at a time; a terminated worker is replaced at the next job. */
export interface WorkerHost<Job, Answer> {
  /** Rejects with the job's error, or with {@link LostWorker} if the worker terminated. */
  run(job: Job, onProgress?: OnProgress): Promise<Answer>;
  stop(): Promise<unknown>;
}

/** Options of {@link createWorkerHost}. */
export interface WorkerOptions<Answer> {
  /** A process can be killed at any time; a thread shares memory and starts faster. */
  kind: "thread" | "process";
  /** The module with the work, relative to `from` and without its extension. */
  module: string;
  /** `import.meta.url` of the caller. */
  from: string;
  /** The module's function that creates the job handler from the settings. */
  name: string;
  settings: unknown;
  /** Maximum milliseconds per job; the worker is killed after that. */
  timeout?: number | undefined;
  /** Maximum bytes of a process during a job (monitored if there is a /proc). */
  memory?: number | undefined;
  /** Whether the next job needs a new worker, given the answer of the last. */
  isSpent?: ((answer: Answer) => boolean) | undefined;
}

/** The worker terminated before it answered. */
export class LostWorker extends Error {
  /** Whether it was killed because a job exceeded its limits. */
  isLimit = false;
}

/** Creates a host; the worker starts with the first job. */
export function createWorkerHost<Job, Answer>(
  options: WorkerOptions<Answer>,
): WorkerHost<Job, Answer> {
  let current: StartedWorker | undefined;
  const leave = (worker: StartedWorker) => {
    if (current === worker) current = undefined;
  };
  // Left first: the next job must not go to a terminating worker.
  const end = (worker: StartedWorker) => {
    leave(worker);
    return worker.stop();
  };
  const start = () => {
    const worker = startWorker(options);
    worker.events.once("exit", () => leave(worker));
    // A late error of an abandoned worker must not end this program.
    worker.events.on("error", () => leave(worker));
    return worker;
  };
  const run = async (job: Job, onProgress?: OnProgress) => {
    const isRunning = current !== undefined;
    current ??= start();
    const worker = current;
    worker.keepAlive(true);
    try {
      // The start of the worker does not count towards the job's limits.
      if (!isRunning) await nextAnswer(worker);
      const unwatch = watch(worker, end, options);
      const said = nextAnswer(worker, onProgress).finally(unwatch.stop);
      worker.post({ job, isWatched: onProgress !== undefined } satisfies WorkerRequest);
      const answer = resultOf<Answer>(await said.catch((error) => unwatch.blame(error)));
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

function resultOf<Answer>(said: WorkerAnswer): Answer {
  if (said === "ready") throw new Error("createWorkerHost: ready twice.");
  if ("answer" in said) return said.answer as Answer;
  throw said.isUserError ? new InputError(said.error) : new Error(said.error);
}

/** The next message of a worker, except progress; rejects with {@link LostWorker} if it terminates. */
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

/** Milliseconds between two checks of a process's memory. */
const MEMORY_PAUSE = 200;

/** Kills a worker whose job exceeds its limits, and reports the reason. */
function watch<Answer>(
  worker: StartedWorker,
  stop: (worker: StartedWorker) => void,
  { timeout, memory }: WorkerOptions<Answer>,
): { stop(): void; blame(error: Error): never } {
  let reason: string | undefined;
  const end = (why: string) => {
    reason = why;
    stop(worker);
  };
  const late = timeout
    ? setTimeout(() => end(`it took more than ${timeout / 1000} s`), timeout)
    : undefined;
  const look = memory
    ? setInterval(() => {
        if (residentBytes(worker.pid) <= memory) return;
        end(`it took more than ${Math.round(memory / 2 ** 20)} MB of memory`);
      }, MEMORY_PAUSE)
    : undefined;
  return {
    stop() {
      clearTimeout(late);
      clearInterval(look);
    },
    blame(error) {
      if (!reason) throw error;
      throw Object.assign(new LostWorker(reason), { isLimit: true });
    },
  };
}

/** Resident memory of a process; 0 if unknown. */
function residentBytes(pid: number | undefined): number {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"));
    return kilobytes ? Number(kilobytes[1]) * 1024 : 0;
  } catch {
    return 0;
  }
}
