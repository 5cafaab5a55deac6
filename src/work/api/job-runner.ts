import type { OnProgress } from "../../stage-clock.ts";
import { type BatchAnswer, failedAnswer } from "../batch-row.ts";
import { createBindSlots, type SlotJob } from "../bind-slots.ts";

/** Who watches over a job. */
export interface JobWatch {
  /** Called once the job no longer waits. */
  onBegin(): void;
  onProgress: OnProgress;
  /** Drops the job, wherever it is. */
  signal: AbortSignal;
}

/** Does the jobs of the service: here, or on other machines. */
export interface JobRunner {
  /** Never throws: what went wrong is in the row. */
  run(id: string, job: SlotJob, watch: JobWatch): Promise<BatchAnswer>;
  /** Breaks off what runs here; what others do goes on. */
  stop(): Promise<void>;
}

/** Does jobs on this machine, so many side by side, in processes of their own; the others wait. */
export function createLocalRunner(jobs: number): JobRunner {
  const slots = createBindSlots();
  const waiting: (() => void)[] = [];
  let running = 0;
  let isStopped = false;
  const turn = async () => {
    if (running >= jobs) await new Promise<void>((resume) => waiting.push(resume));
    else running++;
  };
  // Whoever waits takes the place over.
  const leave = () => {
    const next = waiting.shift();
    if (next) next();
    else running--;
  };
  return {
    async run(_, job, { onBegin, onProgress, signal }) {
      await turn();
      try {
        if (signal.aborted || isStopped) return droppedAnswer(job);
        onBegin();
        return await slots.run(job, { signal, onProgress });
      } finally {
        leave();
      }
    },
    async stop() {
      isStopped = true;
      slots.stop();
    },
  };
}

/** The answer of a job that nobody waits for any more. */
export function droppedAnswer({ file }: SlotJob): BatchAnswer {
  return failedAnswer(file, new Error("Cancelled."));
}
