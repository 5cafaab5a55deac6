import { type ChildProcess, fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type ProcessRequest, READY } from "./serve-process.ts";

/** A worker process that does one job at a time; a process that died is replaced at the next job. */
export interface ProcessWorker<Job, Answer> {
  run(job: Job): Promise<Answer>;
  stop(): void;
}

/** How to start a {@link ProcessWorker}. */
export interface ProcessWorkerOptions<Job, Answer> {
  /** The worker's file, relative to `from` and without its extension; it calls `serveProcess`. */
  module: string;
  /** `import.meta.url` of the caller. */
  from: string;
  /** Sent to the process before its first job. */
  settings: unknown;
  /** What stands for the answer of a job whose process ended. */
  lost(job: Job, why: string): Answer;
  /** Milliseconds a job may take; the process is ended after that. */
  timeout?: number;
  /** Bytes the process may hold while a job runs (watched where there is a /proc). */
  memory?: number;
  /** Whether a new process is wanted for the next job, by the answer of the last. */
  isSpent?(answer: Answer): boolean;
}

/** Starts nothing yet: the process begins with the first job. */
export function createProcessWorker<Job, Answer>(
  options: ProcessWorkerOptions<Job, Answer>,
): ProcessWorker<Job, Answer> {
  let child: ChildProcess | undefined;
  const run = (job: Job) =>
    new Promise<Answer>((resolve) => {
      const isRunning = child?.connected === true;
      const process = isRunning ? child! : start(options);
      child = process;
      let reason: string | undefined;
      let unwatch = () => {};
      const begin = () => {
        unwatch = watch(process, options, (why) => {
          reason = why;
          process.kill("SIGKILL");
        });
        process.send({ job } satisfies ProcessRequest);
      };
      const finish = (answer: Answer, isOver: boolean) => {
        unwatch();
        process.removeAllListeners();
        // A late error of a process we are done with must not end ours.
        process.on("error", () => undefined);
        if (isOver) child = undefined;
        resolve(answer);
      };
      const lose = (why: string) => finish(options.lost(job, reason ?? why), true);
      process.on("message", (message) => {
        if (message === READY) {
          begin();
          return;
        }
        const answer = message as Answer;
        const isSpent = options.isSpent?.(answer) ?? false;
        if (isSpent) process.kill();
        finish(answer, isSpent);
      });
      process.once("error", (error) => lose(error.message));
      process.once("exit", (code, signal) =>
        lose(`the worker process ended (${signal ?? `code ${code}`})`),
      );
      // The start of a process is not the job's to answer for.
      if (isRunning) begin();
    });
  return { run, stop: () => child?.kill("SIGKILL") };
}

function start<Job, Answer>(options: ProcessWorkerOptions<Job, Answer>): ChildProcess {
  const isSource = options.from.endsWith(".ts");
  const file = new URL(`${options.module}.${isSource ? "ts" : "js"}`, options.from);
  // Warnings of libraries belong to stderr; stdout is for the caller's tables.
  const child = fork(fileURLToPath(file), {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    // JSON, the default, would turn NaN into null.
    serialization: "advanced",
    ...(isSource ? { execArgv: ["--import", sourceLoader()] } : {}),
  });
  child.send({ settings: options.settings } satisfies ProcessRequest);
  return child;
}

/** Node 20 runs no TypeScript of its own: from the sources, workers are loaded through tsx. */
function sourceLoader(): string {
  return pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
}

/** Milliseconds between two looks at the memory of a process. */
const MEMORY_PAUSE = 200;

/** Calls `end` once when a job takes too long or too much; returns what stops the watch. */
function watch<Job, Answer>(
  { pid }: ChildProcess,
  { timeout, memory }: ProcessWorkerOptions<Job, Answer>,
  end: (why: string) => void,
): () => void {
  const late = timeout
    ? setTimeout(() => end(`it took more than ${timeout / 1000} s`), timeout)
    : undefined;
  const look = memory
    ? setInterval(() => {
        if (residentBytes(pid) > memory) {
          end(`it took more than ${Math.round(memory / 2 ** 20)} MB of memory`);
        }
      }, MEMORY_PAUSE)
    : undefined;
  return () => {
    clearTimeout(late);
    clearInterval(look);
  };
}

/** Memory a process holds; 0 where it cannot be known. */
function residentBytes(pid: number | undefined): number {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"));
    return kilobytes ? Number(kilobytes[1]) * 1024 : 0;
  } catch {
    return 0;
  }
}
