import { Worker } from "node:worker_threads";
import { InputError } from "../input-error.ts";

/** Runs jobs, several at a time. */
export interface JobPool<Job, Result> {
  run(job: Job): Promise<Result>;
  close(): Promise<void>;
}

/** What a worker answers; see `serveJobs`. */
export interface JobAnswer {
  id: number;
  result?: unknown;
  error?: { message: string; input: boolean };
}

interface Task {
  id: number;
  job: unknown;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/**
 * A pool of worker threads, each serving one job at a time, in the order asked.
 *
 * @param module the worker's file, without its extension: `.ts` in the sources, `.js` once built
 * @param from `import.meta.url` of the caller
 * @param data handed to each worker when it starts
 */
export function createJobPool<Job, Result>(
  module: string,
  from: string,
  threads: number,
  data: unknown,
): JobPool<Job, Result> {
  const typescript = from.endsWith(".ts");
  const url = new URL(`${module}${typescript ? ".ts" : ".js"}`, from);
  const waiting: Task[] = [];
  let nextId = 0;
  const workers = Array.from({ length: threads }, () => {
    const worker = typescript
      ? new Worker(sourceLoader(url), { workerData: data, eval: true })
      : new Worker(url, { workerData: data });
    return { worker, task: undefined as Task | undefined };
  });
  const assign = (): void => {
    for (const slot of workers) {
      if (slot.task || waiting.length === 0) continue;
      slot.task = waiting.shift()!;
      slot.worker.postMessage({ id: slot.task.id, job: slot.task.job });
    }
  };
  for (const slot of workers) {
    slot.worker.on("message", (answer: JobAnswer) => {
      const task = slot.task!;
      slot.task = undefined;
      if (answer.error) task.reject(errorOf(answer.error));
      else task.resolve(answer.result);
      assign();
    });
    slot.worker.on("error", (error: Error) => {
      slot.task?.reject(error);
      for (const task of waiting.splice(0)) task.reject(error);
    });
  }
  return {
    run: (job) =>
      new Promise<Result>((resolve, reject) => {
        const accept = resolve as (result: unknown) => void;
        waiting.push({ id: nextId++, job, resolve: accept, reject });
        assign();
      }),
    close: async () => {
      await Promise.all(workers.map(({ worker }) => worker.terminate()));
    },
  };
}

/** A pool without threads, for small work and for tests; jobs run one after the other. */
export function createLocalPool<Job, Result>(
  serve: (job: Job) => Promise<Result>,
): JobPool<Job, Result> {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(job) {
      const result = last.then(() => serve(job));
      last = result.catch(() => undefined);
      return result;
    },
    close: async () => {},
  };
}

/** Node 20 runs no TypeScript of its own: from the sources, tests load workers through tsx. */
function sourceLoader(url: URL): string {
  return `import("tsx/esm/api").then(({ register }) => {
    register();
    return import(${JSON.stringify(url.href)});
  });`;
}

function errorOf({ message, input }: { message: string; input: boolean }): Error {
  return input ? new InputError(message) : new Error(message);
}
