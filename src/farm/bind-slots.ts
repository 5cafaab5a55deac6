import { batchMemory, createBatchHost, lostFile, memoryNeed } from "../work/batch-pool.ts";
import type { BatchAnswer, BatchJob } from "../work/batch-row.ts";
import type { WorkerHost } from "../workers/worker-host.ts";
import type { FarmJob } from "./farm-queue.ts";
import { createMemoryGate } from "./memory-gate.ts";

/** Processes that bind files, a file each at a time. */
export interface BindSlots {
  /** Never throws: what went wrong is in the row. */
  run(job: FarmJob): Promise<BatchAnswer>;
  stop(): void;
}

/** Makes slots as they are needed; a process is used again by jobs of the same settings. */
export function createBindSlots(memory: number = batchMemory()): BindSlots {
  const gate = createMemoryGate(memory);
  const idle: { key: string; host: WorkerHost<BatchJob, BatchAnswer> }[] = [];
  const take = ({ settings, timeout }: FarmJob) => {
    const key = JSON.stringify([settings, timeout]);
    const at = idle.findIndex((slot) => slot.key === key);
    if (at >= 0) return idle.splice(at, 1)[0];
    idle.shift()?.host.stop();
    return { key, host: createBatchHost(settings, timeout) };
  };
  return {
    async run(job) {
      const need = memoryNeed(job.file);
      await gate.enter(need);
      const slot = take(job);
      try {
        return await slot.host.run({ file: job.file }).catch((error) => lostFile(job.file, error));
      } finally {
        idle.push(slot);
        gate.leave(need);
      }
    },
    stop() {
      for (const { host } of idle.splice(0)) host.stop();
    },
  };
}
