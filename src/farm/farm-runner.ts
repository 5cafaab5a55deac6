import { droppedAnswer, type JobRunner } from "../work/api/job-runner.ts";
import type { BatchAnswer } from "../work/batch-row.ts";
import type { FarmJob } from "./farm-queue.ts";
import { connectionOf, type FarmPlace, loadBullmq, openQueue } from "./farm-queue.ts";
import { rowOf } from "./work-farm.ts";

/** Milliseconds between two looks at jobs whose end may have been missed while Redis was away. */
const LOOK = 5000;

interface Waiting {
  job: FarmJob;
  onBegin: () => void;
  settle: (answer: BatchAnswer) => void;
}

/** Does the service's jobs on the workers of a farm, which see the service's folder. */
export async function createFarmRunner(place: FarmPlace): Promise<JobRunner> {
  const queue = await openQueue(place);
  const { QueueEvents } = await loadBullmq();
  const events = new QueueEvents(place.name, connectionOf(place));
  const waiting = new Map<string, Waiting>();
  const add = (id: string, job: FarmJob) => queue.add("bind", job, { jobId: id });
  const look = async (id: string) => {
    const found = await queue.getJob(id);
    const waits = waiting.get(id);
    if (!waits) return;
    // A Redis that has forgotten a job is told of it again.
    if (!found) await add(id, waits.job);
    if (!found?.finishedOn) return;
    waiting.delete(id);
    const { input = "", bytes = "" } = found.returnvalue ?? {};
    waits.settle({ row: rowOf(found), input, bytes, isSame: false, peak: 0 });
    await found.remove();
  };
  const lookSafely = (id: string) => look(id).catch(() => undefined);
  events.on("error", () => undefined);
  events.on("active", ({ jobId }) => waiting.get(jobId)?.onBegin());
  const onEnd = ({ jobId }: { jobId: string }) => waiting.has(jobId) && lookSafely(jobId);
  events.on("completed", onEnd).on("failed", onEnd);
  await events.waitUntilReady();
  const timer = setInterval(() => {
    for (const id of waiting.keys()) lookSafely(id);
  }, LOOK).unref();
  return {
    run: (id, job, onBegin, signal) =>
      new Promise((settle) => {
        waiting.set(id, { job, onBegin, settle });
        signal.addEventListener("abort", () => {
          if (!waiting.delete(id)) return;
          // One that runs is finished, and its result dropped.
          queue.remove(id).catch(() => undefined);
          settle(droppedAnswer(job));
        });
        add(id, job).catch(() => undefined);
      }),
    async stop() {
      clearInterval(timer);
      await Promise.all([events.close(), queue.close()]);
    },
  };
}
