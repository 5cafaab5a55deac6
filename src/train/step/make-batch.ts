import type { ModelConfig } from "../../graph/model-config.ts";
import { type AugmentOptions, augment } from "../../learn/augment/augment.ts";
import { batchFeeds } from "../../learn/batch-feeds.ts";
import type { BatchItem, GraphSize } from "../../learn/epoch.ts";
import { type StepFacts, stepFeeds } from "../../learn/step.ts";
import type { FedTensor } from "../../onnx/runtime.ts";
import type { Serve } from "../../processes/worker-main.ts";
import { readSample, type SampleFile } from "../data/sample-file.ts";

/** Settings of all batches of a run. */
export interface BatchSetup {
  files: SampleFile[];
  config: ModelConfig;
  step: StepFacts;
  augment: AugmentOptions;
}

export interface BatchJob {
  picks: BatchItem[];
  /** Seed of edge and feature dropout. */
  seed: string;
  /** Size to pad to; the next round size by default. */
  size: GraphSize | undefined;
}

export interface Batch {
  /** All inputs of the step, reverse lists included. */
  feeds: Record<string, FedTensor>;
  vertices: number;
  characters: number;
}

/** Returns a function that reads, augments and collates the samples of a batch. */
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
  // Batches are large, so they are transferred between threads.
  const buffersOf = ({ feeds }: Batch) => [
    ...new Set(Object.values(feeds).map(({ data }) => data.buffer as ArrayBuffer)),
  ];
  return Object.assign(make, { buffersOf });
}
