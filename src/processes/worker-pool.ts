import {
  createWorkerHost,
  LostWorker,
  type WorkerHost,
  type WorkerOptions,
} from "./worker-host.ts";

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
