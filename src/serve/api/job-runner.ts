import { createBindSlots, type SlotJob } from "../../batch/pool.ts";
import { type BatchAnswer, failedAnswer } from "../../batch/row.ts";
import type { OnProgress } from "../../stage-clock.ts";

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
  /** Whether the turn has come; not for one that is dropped while it waits. */
  const turn = async (signal: AbortSignal) => {
    if (running < jobs) {
      running++;
      return true;
    }
    return new Promise<boolean>((resolve) => {
      const drop = () => {
        waiting.splice(waiting.indexOf(resume), 1);
        resolve(false);
      };
      const resume = () => {
        signal.removeEventListener("abort", drop);
        resolve(true);
      };
      waiting.push(resume);
      signal.addEventListener("abort", drop, { once: true });
    });
  };
  // Whoever waits takes the place over.
  const leave = () => {
    const next = waiting.shift();
    if (next) next();
    else running--;
  };
  return {
    async run(_, job, { onBegin, onProgress, signal }) {
      if (!(await turn(signal))) return droppedAnswer(job);
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
