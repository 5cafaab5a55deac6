import { availableParallelism } from "node:os";
import type { ModelConfig } from "../../graph/model-config.ts";
import { AUGMENT_DEFAULTS, type AugmentOptions } from "../../learn/augment/augment.ts";
import { SCHEDULE_DEFAULTS } from "../../learn/schedule.ts";
import type { Provider } from "../../onnx/session.ts";
import type { Teachers } from "../step/train-step.ts";
import type { LoopOptions } from "./loop.ts";

/** Options of a training run; see {@link TRAIN_DEFAULTS}. */
export interface TrainOptions extends Omit<LoopOptions, "run"> {
  config: ModelConfig;
  cache: string;
  /** A table with the columns `id` and `split` that selects samples and defines their splits. */
  list?: string | undefined;
  device: Provider;
  /** CPU threads of the network; 0 for the runtime's choice. */
  threads: number;
  /** Threads that make batches; 0 makes them between the steps. */
  batchThreads: number;
  seed: number;
  /** Approximate vertices per step. */
  batchVertices: number;
  /** Probability of the original character, rather than a variant. */
  original: number;
  /** How much skeletons are balanced, rather than characters: 0 to 1. */
  balance: number;
  augment: AugmentOptions;
  /** Initial parameters, as returned by `readParameters`. */
  from?: Float32Array;
  /** Networks of the same kind to distill from. */
  teachers?: Teachers | undefined;
  /** Called once the step is ready, before the first one. */
  onStart?: (facts: { provider: string; parameters: number; train: number; val: number }) => void;
}

export const TRAIN_DEFAULTS: Omit<TrainOptions, "config" | "cache" | "folder" | "budget"> = {
  device: "auto",
  threads: 0,
  batchThreads: Math.max(1, Math.min(12, availableParallelism() - 2)),
  seed: 1,
  // Fits a GPU of 12 GB; a CPU makes about a step per second.
  batchVertices: 4096,
  original: 0.25,
  balance: 0,
  augment: AUGMENT_DEFAULTS,
  schedule: SCHEDULE_DEFAULTS,
  weightDecay: 0.03,
  averageSteps: 500,
  validateEvery: 4,
  logEvery: 20,
  checkpointEvery: 60,
};
