import { setTimeout as pause } from "node:timers/promises";
import { farmOutputs, jobsOf, needManifest } from "./farm-manifest.ts";
import type { FarmQueue } from "./farm-queue.ts";
import type { FarmStore } from "./farm-store.ts";

/** Puts all failed jobs back into the queue; returns how many. */
export async function retryFarm(queue: FarmQueue): Promise<number> {
  const failed = await queue.getJobCountByTypes("failed");
  await queue.retryJobs({ state: "failed" });
  return failed;
}

/**
 * Takes what waits out of the queue, of some outputs or of all; what runs is finished.
 *
 * @param out a folder; with a store, what the keys of the outputs begin with
 * @returns how many jobs are gone
 */
export async function cancelFarm(
  queue: FarmQueue,
  out?: string,
  store?: FarmStore,
): Promise<number> {
  const waiting = () => queue.getJobCountByTypes("waiting", "prioritized", "delayed");
  if (out === undefined) {
    const before = await waiting();
    await queue.drain(true);
    return before - (await waiting());
  }
  const manifest = await needManifest(farmOutputs(out, store));
  const ids = Object.values(manifest.jobs).map(({ id }) => id);
  const jobs = [...(await jobsOf(queue, ids)).values()].filter((job) => !job.finishedOn);
  // A job that a worker holds is not removed.
  const gone = await Promise.all(
    jobs.map((job) =>
      job
        .remove()
        .then(() => 1)
        .catch(() => 0),
    ),
  );
  return gone.reduce<number>((sum, one) => sum + one, 0);
}

/**
 * Lets no worker begin another job until the queue is resumed, and waits until those under way have ended;
 * what waits stays.
 */
export async function drainFarm(queue: FarmQueue, signal: AbortSignal): Promise<void> {
  await queue.pause();
  while (!signal.aborted && (await queue.getActiveCount()) > 0) await pause(250);
  signal.throwIfAborted();
}
