import type { OnProgress } from "../stage-clock.ts";
import type { WorkerHost } from "../workers/worker-host.ts";
import type { BatchFile } from "./batch-list.ts";
import { batchMemory, createBatchHost, lostFile, memoryNeed } from "./batch-pool.ts";
import type { BatchAnswer, BatchJob, BatchSettings } from "./batch-row.ts";
import { createMemoryGate } from "./memory-gate.ts";

/** A file to bind, whoever asked for it. */
export interface SlotJob {
  file: BatchFile;
  settings: BatchSettings;
  /** Seconds it may take. */
  timeout: number;
}

/** Who watches over a file that is being bound. */
export interface SlotWatch {
  /** Once aborted, the process is ended. */
  signal?: AbortSignal | undefined;
  onProgress?: OnProgress | undefined;
}

/** Processes that bind files, a file each at a time. */
export interface BindSlots {
  /** Never throws: what went wrong is in the row. */
  run(job: SlotJob, watch?: SlotWatch): Promise<BatchAnswer>;
  /** Ends all processes, whatever they are at. */
  stop(): void;
}

/** Makes slots as they are needed; a process is used again by jobs of the same settings. */
export function createBindSlots(memory: number = batchMemory()): BindSlots {
  const gate = createMemoryGate(memory);
  const idle: { key: string; host: WorkerHost<BatchJob, BatchAnswer> }[] = [];
  const busy = new Set<() => void>();
  let isStopped = false;
  const take = ({ settings, timeout }: SlotJob) => {
    const key = JSON.stringify([settings, timeout]);
    const at = idle.findIndex((slot) => slot.key === key);
    if (at >= 0) return idle.splice(at, 1)[0];
    idle.shift()?.host.stop();
    return { key, host: createBatchHost(settings, timeout) };
  };
  return {
    async run(job, { signal, onProgress } = {}) {
      const need = memoryNeed(job.file);
      await gate.enter(need);
      // Whoever waited for memory may have been dropped meanwhile.
      if (signal?.aborted || isStopped) {
        gate.leave(need);
        return lostFile(job.file, new Error("nobody waits for it any more"));
      }
      const slot = take(job);
      const end = () => slot.host.stop();
      busy.add(end);
      signal?.addEventListener("abort", end);
      try {
        return await slot.host
          .run({ file: job.file }, onProgress)
          .catch((error) => lostFile(job.file, error));
      } finally {
        signal?.removeEventListener("abort", end);
        busy.delete(end);
        if (!isStopped) idle.push(slot);
        gate.leave(need);
      }
    },
    stop() {
      isStopped = true;
      for (const end of busy) end();
      for (const { host } of idle.splice(0)) host.stop();
    },
  };
}
