import { cancelledAnswer } from "../batch/pool.ts";
import type { BatchAnswer } from "../batch/row.ts";
import type { JobRunner, JobWatch } from "../serve/api/job-runner.ts";
import {
  connectionOf,
  type FarmAddress,
  type FarmJob,
  type FarmQueue,
  loadBullmq,
  openQueue,
} from "./queue.ts";
import { rowOf } from "./work-farm.ts";

/** Milliseconds between two looks at jobs whose end may have been missed while Redis was away. */
const LOOK = 5000;

interface Waiting {
  job: FarmJob;
  watch: JobWatch;
  /** Settled once Redis was told of it, or could not be. */
  added: Promise<unknown>;
  settle: (answer: BatchAnswer) => void;
}

type AllWaiting = Map<string, Waiting>;

/**
 * Does the service's jobs on the workers of a farm, which see the service's folder. A job that the queue
 * has already, from before the service was started anew, is not added again.
 */
export async function createFarmRunner(place: FarmAddress): Promise<JobRunner> {
  const queue = await openQueue(place);
  const waiting: AllWaiting = new Map();
  const lookAt = (id: string) => look(queue, waiting, id).catch(() => undefined);
  const events = await listen(place, waiting, lookAt);
  const timer = setInterval(() => {
    for (const id of waiting.keys()) lookAt(id);
  }, LOOK).unref();
  return {
    run: (id, slot, watch) =>
      new Promise((settle) => {
        const job = { ...slot, isWatched: true };
        const added = add(queue, id, job).catch(() => undefined);
        waiting.set(id, { job, watch, added, settle });
        watch.signal.addEventListener("abort", () => lookAt(id));
      }),
    async stop() {
      clearInterval(timer);
      await Promise.all([events.close(), queue.close()]);
    },
  };
}

const add = (queue: FarmQueue, id: string, job: FarmJob) => queue.add("bind", job, { jobId: id });

/**
 * Settles a job that has ended; a Redis that has forgotten one is told of it again.
 *
 * One that is dropped is taken out of the queue. Where a worker is at it, that finishes it first, and until
 * then it may write files.
 */
async function look(queue: FarmQueue, waiting: AllWaiting, id: string): Promise<void> {
  await waiting.get(id)?.added;
  const found = await queue.getJob(id);
  const waits = waiting.get(id);
  if (!waits) return;
  if (waits.watch.signal.aborted) {
    if ((await queue.remove(id)) !== 1) return;
    waiting.delete(id);
    waits.settle(cancelledAnswer(waits.job));
    return;
  }
  if (!found) waits.added = add(queue, id, waits.job).catch(() => undefined);
  if (!found?.finishedOn) return;
  waiting.delete(id);
  const { input = "", bytes = "" } = found.returnvalue ?? {};
  waits.settle({ row: rowOf(found), input, bytes, isSame: false, peak: 0 });
  await found.remove();
}

/** Hears from the queue when jobs begin, how far they are, and when they end. */
async function listen(
  place: FarmAddress,
  waiting: AllWaiting,
  lookAt: (id: string) => void,
): Promise<{ close(): Promise<void> }> {
  const { QueueEvents } = await loadBullmq();
  const events = new QueueEvents(place.name, connectionOf(place));
  events.on("error", () => undefined);
  events.on("active", ({ jobId }) => waiting.get(jobId)?.watch.onBegin());
  events.on("progress", ({ jobId, data }) => {
    const { stage, fraction } = (data ?? {}) as { stage?: string; fraction?: number };
    if (stage !== undefined) waiting.get(jobId)?.watch.onProgress(stage, fraction ?? 0);
  });
  const onEnd = ({ jobId }: { jobId: string }) => waiting.has(jobId) && lookAt(jobId);
  events.on("completed", onEnd).on("failed", onEnd);
  await events.waitUntilReady();
  return events;
}
