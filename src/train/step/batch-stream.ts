import { balancedChances, batchRoom, type EpochOptions, epochBatches } from "../../learn/epoch.ts";
import { createLocalPool, createWorkerPool, type WorkerPool } from "../../processes/worker-pool.ts";
import { type Batch, type BatchJob, type BatchSetup, createBatchMaker } from "./make-batch.ts";

/** A batch and its position in the run. */
export interface StreamedBatch {
  batch: Batch;
  epoch: number;
  index: number;
  /** Whether it is the last of the epoch. */
  last: boolean;
}

export interface StreamOptions extends Omit<EpochOptions, "epoch" | "room" | "chances"> {
  /** Approximate maximum vertices of a batch. */
  batchVertices: number;
  /** How much skeletons are balanced, see {@link balancedChances}. */
  balance: number;
  /** First batch; a resumed run starts after its last batch. */
  from: { epoch: number; index: number };
  /** Threads that make batches; 0 makes them in this thread. */
  threads: number;
  /** Whether all batches of a run have one size, for a device that keeps its buffers. */
  sameSize?: boolean | undefined;
}

/** Batches prefetched per thread: one waiting, one in progress. */
const AHEAD_PER_THREAD = 2;

/**
 * Yields all batches from a point of the run on, epoch after epoch, prefetched by worker threads. Order and
 * content depend only on the seed, not on the threads.
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
        // A failure is reported when the batch is used; until then it must not count as unhandled.
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
