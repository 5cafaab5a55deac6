import { AUGMENT_DEFAULTS, type AugmentOptions, augment } from "../train/augment/augment.ts";
import { batchFeeds } from "../train/batch-feeds.ts";
import { type BatchItem, batchRoom, epochBatches } from "../train/epoch.ts";
import { freshState, type TrainStep } from "../train/open-step.ts";
import { learningRateAt } from "../train/schedule.ts";
import { stepFeeds } from "../train/step-feeds.ts";
import type { StoredStep } from "../train/stored-step.ts";
import type { Example } from "./example.ts";

/** How a network learns from examples. */
export interface LearnOptions {
  steps: number;
  /** The highest rate. */
  learningRate: number;
  /** About how many vertices a step sees. */
  batchVertices: number;
  seed: number;
  /** Called after each step. */
  onStep?: (() => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** Names are shown: what they stand for is part of a style. */
const CHANGES: AugmentOptions = { ...AUGMENT_DEFAULTS, hideAllNames: 0, hideNames: 0 };
/** How often an example is seen as drawn. */
const ORIGINAL = 0.25;
/** Share of the steps that the averaged parameters look back over. */
const AVERAGED = 0.25;

/** Trains for a few steps from `start`, and gives the averaged parameters; the seed decides all that is random. */
export async function learn(
  step: TrainStep,
  { config }: Pick<StoredStep, "config">,
  start: Float32Array,
  examples: Example[],
  options: LearnOptions,
): Promise<Float32Array> {
  const { steps, learningRate, seed } = options;
  step.setState(freshState(start));
  const picks = allBatches(examples, options);
  for (let at = 0; at < steps; at++) {
    options.signal?.throwIfAborted();
    const items = picks.next().value;
    const samples = items.map((item) =>
      augment(examples[item.character].samples[item.variant], CHANGES, `${item.seed}/look`),
    );
    const batch = batchFeeds(samples, config, step.dropoutWidths, `${seed}/batch/${at}`);
    await step.step(stepFeeds(batch, step), {
      learningRate: learningRateAt(at / steps, { learningRate, warmUp: 0.1, floor: 0.01 }),
      weightDecay: 0,
      step: at + 1,
      averageSteps: Math.max(1, AVERAGED * steps),
    });
    options.onStep?.();
  }
  return (await step.getState()).average;
}

/** Every example once in each epoch, epoch after epoch. */
function* allBatches(
  examples: Example[],
  { seed, batchVertices }: LearnOptions,
): Generator<BatchItem[], never> {
  const sizes = examples.map(({ samples }) =>
    samples.map(({ counts, input }) => ({
      ...{ vertices: counts.length, joints: input.skeleton.names.length, parts: 1 },
    })),
  );
  const room = batchRoom(sizes, batchVertices);
  for (let epoch = 0; ; epoch++) {
    yield* epochBatches(sizes, { seed, epoch, room, original: ORIGINAL });
  }
}
