import { cancelledAnswer } from "../batch/pool.ts";
import type { BatchAnswer } from "../batch/row.ts";
import type { JobRunner, JobWatch } from "../serve/api/jobs.ts";
import type { Stage } from "../stage-clock.ts";
import {
  connectionOf,
  type FarmAddress,
  type FarmJob,
  type FarmQueue,
  loadBullmq,
  openQueue,
} from "./queue.ts";
import { rowOf } from "./work-farm.ts";

/** Interval of polling, for events that are missed while Redis is unreachable (ms). */
const POLL_INTERVAL = 5000;

interface PendingJob {
  job: FarmJob;
  watch: JobWatch;
  /** Settled when the job was added to the queue, or could not be. */
  added: Promise<unknown>;
  settle: (answer: BatchAnswer) => void;
}

type PendingJobs = Map<string, PendingJob>;

/**
 * Runs the jobs of the service on the workers of a farm, which must have access to its folder. Jobs that are
 * still in the queue after a restart of the service are not added again.
 */
export async function createFarmRunner(address: FarmAddress): Promise<JobRunner> {
  const queue = await openQueue(address);
  const pending: PendingJobs = new Map();
  const poll = (id: string) => pollJob(queue, pending, id).catch(() => undefined);
  const events = await listen(address, pending, poll);
  const timer = setInterval(() => {
    for (const id of pending.keys()) poll(id);
  }, POLL_INTERVAL).unref();
  return {
    run: (id, bindJob, watch) =>
      new Promise((settle) => {
        const job = { ...bindJob, isWatched: true };
        const added = add(queue, id, job).catch(() => undefined);
        pending.set(id, { job, watch, added, settle });
        watch.signal.addEventListener("abort", () => poll(id));
      }),
    async stop() {
      clearInterval(timer);
      await Promise.all([events.close(), queue.close()]);
    },
  };
}

const add = (queue: FarmQueue, id: string, job: FarmJob) => queue.add("bind", job, { jobId: id });

/**
 * Settles a job that has ended; queues a job again if Redis has lost it.
 *
 * A cancelled job is removed from the queue. If a worker is already running it, it completes and may still
 * write files.
 */
async function pollJob(queue: FarmQueue, pending: PendingJobs, id: string): Promise<void> {
  await pending.get(id)?.added;
  const found = await queue.getJob(id);
  const entry = pending.get(id);
  if (!entry) return;
  if (entry.watch.signal.aborted) {
    if ((await queue.remove(id)) !== 1) return;
    pending.delete(id);
    entry.settle(cancelledAnswer(entry.job));
    return;
  }
  if (!found) entry.added = add(queue, id, entry.job).catch(() => undefined);
  if (!found?.finishedOn) return;
  pending.delete(id);
  const { input = "", bytes = "" } = found.returnvalue ?? {};
  entry.settle({ row: rowOf(found), input, bytes, isSame: false, peak: 0 });
  await found.remove();
}

/** Forwards the start, the progress and the end of jobs. */
async function listen(
  address: FarmAddress,
  pending: PendingJobs,
  poll: (id: string) => void,
): Promise<{ close(): Promise<void> }> {
  const { QueueEvents } = await loadBullmq();
  const events = new QueueEvents(address.name, connectionOf(address));
  events.on("error", () => undefined);
  events.on("active", ({ jobId }) => pending.get(jobId)?.watch.onBegin());
  events.on("progress", ({ jobId, data }) => {
    const { stage, fraction } = (data ?? {}) as { stage?: Stage; fraction?: number };
    if (stage !== undefined) pending.get(jobId)?.watch.onProgress(stage, fraction ?? 0);
  });
  const onEnd = ({ jobId }: { jobId: string }) => pending.has(jobId) && poll(jobId);
  events.on("completed", onEnd).on("failed", onEnd);
  await events.waitUntilReady();
  return events;
}
