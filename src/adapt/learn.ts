import type { Character } from "../character/character.ts";
import { meanL1 } from "../evaluate/metrics.ts";
import type { Exemplar } from "../examples/exemplars.ts";
import type { ModelConfig } from "../graph/model-config.ts";
import { InputError } from "../input-error.ts";
import { AUGMENT_DEFAULTS, type AugmentOptions, augment } from "../learn/augment/augment.ts";
import { batchFeeds } from "../learn/batch-feeds.ts";
import { type BatchItem, batchRoom, epochBatches } from "../learn/epoch.ts";
import { prepareSamples } from "../learn/prepare-samples.ts";
import { reduceMesh } from "../learn/reduce.ts";
import type { Sample } from "../learn/sample.ts";
import { SAMPLE_DEFAULTS } from "../learn/sample-settings.ts";
import { learningRateAt } from "../learn/schedule.ts";
import { freshState, openStep, type StoredStep, stepFeeds, type TrainStep } from "../learn/step.ts";
import { takeRows } from "../math/arrays.ts";
import { runSkinModel, type SkinModel } from "../methods/network.ts";
import type { SessionOptions } from "../onnx/session.ts";
import type { OnProgress } from "../stage-clock.ts";
import { type SkinWeights, takeWeights, weightsFromSlots } from "../weights/skin-weights.ts";
import { blend } from "./model-parameters.ts";

/** Training options of an adaptation. */
export interface LearnOptions {
  steps: number;
  /** Maximum rate. */
  learningRate: number;
  /** Approximate vertices per step. */
  batchVertices: number;
  seed: number;
  onStep?: (() => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** Names are kept, because their meaning is part of a style. */
const CHANGES: AugmentOptions = { ...AUGMENT_DEFAULTS, hideAllNames: 0, hideNames: 0 };
/** Probability of the original example. */
const ORIGINAL = 0.25;
/** Window of the averaged parameters as a fraction of the steps. */
const AVERAGED = 0.25;

/** Trains a few steps from `start` and returns the averaged parameters; deterministic by seed. */
async function learn(
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

/** Yields every example once per epoch. */
function* allBatches(
  examples: Example[],
  { seed, batchVertices }: LearnOptions,
): Generator<BatchItem[], never> {
  const sizes = examples.map(({ samples }) =>
    samples.map(({ counts, input }) => ({
      vertices: counts.length,
      joints: input.skeleton.names.length,
      parts: 1,
    })),
  );
  const room = batchRoom(sizes, batchVertices);
  for (let epoch = 0; ; epoch++) {
    yield* epochBatches(sizes, { seed, epoch, room, original: ORIGINAL });
  }
}

/** Parameters learned without the examples `held`; a single example is both learned and held. */
type Fold = { learned: Float32Array; held: Example[] };

/** Maximum folds; with more examples, several are held out at once. */
const MAX_FOLDS = 3;

/** Steps of a fold as a fraction of all: folds only decide the interpolation factor. */
const FOLD_STEPS = 0.5;

/** Learns from all examples, and from each fold. */
export async function learnExamples(
  stored: StoredStep,
  start: Float32Array,
  examples: Example[],
  options: LearnOptions & { onProgress?: OnProgress | undefined },
  session: SessionOptions,
): Promise<{ parameters: Float32Array; folds: Fold[] }> {
  const count = examples.length > 1 ? Math.min(examples.length, MAX_FOLDS) : 0;
  const foldSteps = Math.ceil(options.steps * FOLD_STEPS);
  let done = 0;
  const onStep = () => options.onProgress?.("learn", ++done / (options.steps + count * foldSteps));
  const step = await openStep(stored, { decay: new Float32Array(start.length) }, session);
  const learnFrom = (shown: Example[], steps: number) =>
    learn(step, stored, start, shown, { ...options, steps, onStep });
  try {
    const parameters = await learnFrom(examples, options.steps);
    if (count === 0) return { parameters, folds: [{ learned: parameters, held: examples }] };
    const folds: Fold[] = [];
    for (let fold = 0; fold < count; fold++) {
      const held = examples.filter((_, i) => i % count === fold);
      const shown = examples.filter((example) => !held.includes(example));
      folds.push({ learned: await learnFrom(shown, foldSteps), held });
    }
    return { parameters, folds };
  } finally {
    await step.dispose();
  }
}

/** L1 error of each example, from the fold trained without it. */
export type Scores = number[];

/**
 * Returns the weights of each original example, interpolated between the base model and its fold.
 *
 * @param open opens a model with these parameters
 */
export async function weighAt(
  share: number,
  start: Float32Array,
  examples: Example[],
  folds: Fold[],
  open: (parameters: Float32Array) => Promise<SkinModel>,
): Promise<SkinWeights[]> {
  const weighed: SkinWeights[] = [];
  const weigh = async (parameters: Float32Array, held: Example[]) => {
    const model = await open(parameters);
    for (const example of held) {
      const { input } = example.samples[0];
      weighed[examples.indexOf(example)] = await runSkinModel(model, input);
    }
    await model.session.dispose();
  };
  if (share === 0) await weigh(start, examples);
  else for (const { learned, held } of folds) await weigh(blend(start, learned, share), held);
  return weighed;
}

/** Returns the L1 error of an original example's weights. */
export function exampleL1({ samples: [{ input, labels }] }: Example, weights: SkinWeights): number {
  const { bones, k } = input.distances;
  return meanL1(weights, weightsFromSlots(bones, labels, k));
}

/** Vertices of an example stored in a model; more hardly improve the neighbors. */
const EXEMPLAR_VERTICES = 3000;

export interface Example {
  name: string;
  /** Vertices for the neighbor lookup. */
  exemplar: Exemplar;
  /** The original, then its variants. */
  samples: Sample[];
}

/**
 * Creates the samples of a rigged character; throws `InputError` with its name if it is unusable.
 *
 * @param vertices maximum vertices of the samples
 */
export async function prepareExample(
  character: Character,
  config: ModelConfig,
  vertices: number,
  variants: number,
): Promise<Example> {
  const { name } = character;
  const { measure } = config;
  const settings = { ...SAMPLE_DEFAULTS, measure, maxVertices: vertices, variants };
  try {
    const { samples, character: prepared } = await prepareSamples(character, settings, true);
    const { vertices: kept } = await reduceMesh(prepared.mesh, EXEMPLAR_VERTICES);
    const exemplar = {
      skeleton: prepared.skeleton,
      positions: takeRows(prepared.mesh.positions, kept, 3),
      weights: takeWeights(prepared.weights, kept),
    };
    return { name, exemplar, samples };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const reason = error.message.replace(/\.$/, "");
    throw new InputError(
      `${name}: it cannot be learned from (${reason}); use characters with painted weights.`,
    );
  }
}
