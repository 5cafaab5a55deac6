import { balancedChances, batchRoom, type EpochOptions, epochBatches } from "../../learn/epoch.ts";
import { createLocalPool, createWorkerPool, type WorkerPool } from "../../processes/worker-pool.ts";
import { type Batch, type BatchJob, type BatchSetup, createBatchMaker } from "./make-batch.ts";

/** A batch and its place in the run. */
export interface StreamedBatch {
  batch: Batch;
  epoch: number;
  /** Place in the epoch. */
  index: number;
  /** Whether the epoch ends with it. */
  last: boolean;
}

export interface StreamOptions extends Omit<EpochOptions, "epoch" | "room" | "chances"> {
  /** About how many vertices a batch may have. */
  batchVertices: number;
  /** How far skeletons count alike, see {@link balancedChances}. */
  balance: number;
  /** Where to begin; a run that goes on begins after its last batch. */
  from: { epoch: number; index: number };
  /** Threads that make batches; 0 makes them in this thread. */
  threads: number;
  /** Gives all batches of a run one size, for a device that keeps its buffers. */
  sameSize?: boolean | undefined;
}

/** Batches made ahead per thread: one waiting, one in the making. */
const AHEAD_PER_THREAD = 2;

/**
 * All batches from a place of the run on, epoch after epoch without end, made ahead by worker threads.
 *
 * The order and the content depend on the seed alone, not on the threads.
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
  const queue: { place: Omit<StreamedBatch, "batch">; made: Promise<Batch> }[] = [];
  const ahead = Math.max(1, options.threads * AHEAD_PER_THREAD);
  try {
    for (;;) {
      while (queue.length < ahead) {
        const { job, ...place } = jobs.next().value;
        const made = pool.run(job);
        // A failure is met when its turn comes; until then it must not count as unhandled.
        made.catch(() => undefined);
        queue.push({ place, made });
      }
      const { place, made } = queue.shift()!;
      yield { ...place, batch: await made };
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
