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
  /** Folder of samples. */
  cache: string;
  /** Table with the columns `id` and `split` that selects samples. */
  list?: string | undefined;
  device: Provider;
  /** CPU threads of the network; 0 for the runtime's default. */
  threads: number;
  /** Threads that build batches; 0 builds them between steps. */
  batchThreads: number;
  seed: number;
  /** Approximate vertices per step. */
  batchVertices: number;
  /** Probability of the original character instead of a variant. */
  original: number;
  /** Balance between skeletons: 0 to 1, see `balancedChances`. */
  balance: number;
  augment: AugmentOptions;
  /** Initial parameters from `readParameters`. */
  from?: Float32Array;
  /** Networks of the same architecture to learn from (distillation). */
  teachers?: Teachers | undefined;
  /** Called before the first step. */
  onStart?: (facts: { provider: string; parameters: number; train: number; val: number }) => void;
}

export const TRAIN_DEFAULTS: Omit<TrainOptions, "config" | "cache" | "folder" | "budget"> = {
  device: "auto",
  threads: 0,
  batchThreads: Math.max(1, Math.min(12, availableParallelism() - 2)),
  seed: 1,
  // Fits a GPU of 12 GB; a CPU makes about one step per second.
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
