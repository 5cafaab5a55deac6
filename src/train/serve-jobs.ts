import { parentPort, type TransferListItem } from "node:worker_threads";
import { InputError } from "../input-error.ts";
import type { JobAnswer } from "./job-pool.ts";

/**
 * Answers the jobs of a pool, inside a worker thread.
 *
 * @param buffersOf what of a result moves to the other thread instead of being copied
 */
export function serveJobs<Job, Result>(
  serve: (job: Job) => Promise<Result>,
  buffersOf: (result: Result) => TransferListItem[] = () => [],
): void {
  const port = parentPort;
  if (!port) throw new Error("serveJobs: must run inside a worker thread.");
  port.on("message", async ({ id, job }: { id: number; job: Job }) => {
    try {
      const result = await serve(job);
      port.postMessage({ id, result } satisfies JobAnswer, buffersOf(result));
    } catch (error) {
      const { message, stack } = error as Error;
      const input = error instanceof InputError;
      port.postMessage({ id, error: { message: input ? message : (stack ?? message), input } });
    }
  });
}
