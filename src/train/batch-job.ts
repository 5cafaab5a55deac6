import type { ModelConfig } from "../graph/model-config.ts";
import { type AugmentOptions, augment } from "./augment/augment.ts";
import { type BatchFeeds, batchFeeds } from "./batch-feeds.ts";
import type { Pick } from "./epoch.ts";
import { readSample, type SampleFile } from "./sample-file.ts";

/** What all batches of a run share. */
export interface BatchSetup {
  files: SampleFile[];
  config: ModelConfig;
  /** Width of each dropout mask by name. */
  dropoutWidths: Record<string, number>;
  augment: AugmentOptions;
}

/** One batch to be made. */
export interface BatchJob {
  picks: Pick[];
  /** Seeds dropped edges and features. */
  seed: string;
}

/** A batch ready for a training step. */
export interface Batch extends BatchFeeds {
  vertices: number;
  characters: number;
}

/** Makes batches: reads the samples, changes them at random, builds their graphs, lays them side by side. */
export function createBatchMaker(setup: BatchSetup): (job: BatchJob) => Promise<Batch> {
  const { files, config, dropoutWidths } = setup;
  return async ({ picks, seed }) => {
    const samples = picks.map((pick) =>
      augment(readSample(files[pick.character], pick.variant), setup.augment, pick.seed),
    );
    const vertices = samples.reduce((sum, sample) => sum + sample.counts.length, 0);
    const batch = batchFeeds(samples, config, dropoutWidths, seed);
    return { ...batch, vertices, characters: samples.length };
  };
}

/** The memory of a batch, to be moved between threads. */
export function batchBuffers({ feeds, valid }: Batch): ArrayBuffer[] {
  const arrays = [...Object.values(feeds).map(({ data }) => data), ...Object.values(valid)];
  return [...new Set(arrays.map((array) => array.buffer as ArrayBuffer))];
}
