import type { ModelConfig } from "../../graph/model-config.ts";
import { type AugmentOptions, augment } from "../../learn/augment/augment.ts";
import { batchFeeds } from "../../learn/batch-feeds.ts";
import type { BatchItem, GraphSize } from "../../learn/epoch.ts";
import { type StepFacts, stepFeeds } from "../../learn/step.ts";
import type { FedTensor } from "../../onnx/runtime.ts";
import type { Serve } from "../../processes/worker-main.ts";
import { readSample, type SampleFile } from "../data/sample-file.ts";

/** Data shared by all batches of a run. */
export interface BatchSetup {
  files: SampleFile[];
  config: ModelConfig;
  step: StepFacts;
  augment: AugmentOptions;
}

/** One batch to make. */
export interface BatchJob {
  picks: BatchItem[];
  /** Seed of dropped edges and features. */
  seed: string;
  /** Size to pad the batch to; default the next round one. */
  size: GraphSize | undefined;
}

/** A batch ready for a training step. */
export interface Batch {
  /** All arrays of the step, including reverse lists. */
  feeds: Record<string, FedTensor>;
  vertices: number;
  characters: number;
}

/** Creates the job handler that makes batches: reads samples, augments them, and joins their graphs. */
export function createBatchMaker(setup: BatchSetup): Serve<BatchJob, Batch> {
  const { files, config, step } = setup;
  const make = async ({ picks, seed, size }: BatchJob) => {
    const samples = picks.map((pick) =>
      augment(readSample(files[pick.character], pick.variant), setup.augment, pick.seed),
    );
    const vertices = samples.reduce((sum, sample) => sum + sample.counts.length, 0);
    const batch = batchFeeds(samples, config, step.dropoutWidths, seed, size);
    return { feeds: stepFeeds(batch, step), vertices, characters: samples.length };
  };
  // Batches are large and are transferred between threads.
  const buffersOf = ({ feeds }: Batch) => [
    ...new Set(Object.values(feeds).map(({ data }) => data.buffer as ArrayBuffer)),
  ];
  return Object.assign(make, { buffersOf });
}
