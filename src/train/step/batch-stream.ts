import { balancedChances, batchRoom, type EpochOptions, epochBatches } from "../../learn/epoch.ts";
import { createLocalPool, createWorkerPool, type WorkerPool } from "../../processes/worker-host.ts";
import { type Batch, type BatchJob, type BatchSetup, createBatchMaker } from "./make-batch.ts";

/** A batch and its position in the run. */
export interface StreamedBatch {
  batch: Batch;
  epoch: number;
  /** Index in the epoch. */
  index: number;
  /** Whether it is the last of its epoch. */
  last: boolean;
}

export interface StreamOptions extends Omit<EpochOptions, "epoch" | "room" | "chances"> {
  /** Approximate vertices per batch. */
  batchVertices: number;
  /** Balance between skeletons, see {@link balancedChances}. */
  balance: number;
  /** First batch. */
  from: { epoch: number; index: number };
  /** Worker threads; 0 uses this thread. */
  threads: number;
  /** Pads all batches to one size, for a device that reuses buffers. */
  sameSize?: boolean | undefined;
}

/** Batches prefetched per thread: one waiting, one being built. */
const AHEAD_PER_THREAD = 2;

/**
 * Yields all batches from a position on, epoch after epoch, prefetched by worker threads. Order and
 * content depend on the seed only.
 */
export async function* streamBatches(
  setup: BatchSetup,
  options: StreamOptions,
): AsyncGenerator<StreamedBatch, void> {
  const pool: WorkerPool<BatchJob, Batch> =
    options.threads > 0
      ? createWorkerPool(options.threads, {
          kind: "thread",
          module: "./make-batch",
          name: "createBatchMaker",
          from: import.meta.url,
          settings: setup,
        })
      : createLocalPool(createBatchMaker(setup));
  const jobs = allJobs(setup, options);
  const queue: { position: Omit<StreamedBatch, "batch">; made: Promise<Batch> }[] = [];
  const ahead = Math.max(1, options.threads * AHEAD_PER_THREAD);
  try {
    for (;;) {
      while (queue.length < ahead) {
        const { job, ...position } = jobs.next().value;
        const made = pool.run(job);
        // A failure is handled when the batch is consumed, and must not count as unhandled before.
        made.catch(() => undefined);
        queue.push({ position, made });
      }
      const { position, made } = queue.shift()!;
      yield { ...position, batch: await made };
    }
  } finally {
    await pool.close();
  }
}

function* allJobs(
  { files }: BatchSetup,
  options: StreamOptions,
): Generator<Omit<StreamedBatch, "batch"> & { job: BatchJob }, never> {
  const sizes = files.map((file) => file.variants);
  const { balance } = options;
  const skeletons = files.map(({ skeleton }) => skeleton);
  const chances = balance > 0 ? balancedChances(skeletons, balance) : undefined;
  const room = batchRoom(sizes, options.batchVertices);
  const size = options.sameSize ? room : undefined;
  for (let epoch = options.from.epoch; ; epoch++) {
    const batches = epochBatches(sizes, { ...options, room, epoch, chances });
    const first = epoch === options.from.epoch ? options.from.index : 0;
    for (let index = first; index < batches.length; index++) {
      const seed = `${options.seed}/batch/${epoch}/${index}`;
      const job = { picks: batches[index], seed, size };
      yield { job, epoch, index, last: index === batches.length - 1 };
    }
  }
}
