import { meanL1 } from "../evaluate/l1.ts";
import type { SessionOptions } from "../onnx/session.ts";
import { runSkinModel, type SkinModel } from "../solve/heterskinnet.ts";
import { openStep } from "../train/open-step.ts";
import type { Sample } from "../train/sample.ts";
import type { StoredStep } from "../train/stored-step.ts";
import { weightsFromSlots } from "../weights/weights-from-slots.ts";
import type { Example } from "./example.ts";
import { type LearnOptions, learn } from "./learn.ts";
import { blend } from "./model-parameters.ts";

/** What was learned without the examples `held`; a single example is learned and held. */
export interface Fold {
  learned: Float32Array;
  held: Example[];
}

/** With more examples than this, several are left out at once. */
const MOST_FOLDS = 3;

/** A fold takes this share of the steps that a single training takes: their mean has seen all of them. */
const FOLD_STEPS = 0.8;

/** Learns from all examples but some, in turn. */
export async function learnFolds(
  stored: StoredStep,
  start: Float32Array,
  examples: Example[],
  options: LearnOptions & { onProgress?: ((stage: string, fraction: number) => void) | undefined },
  session: SessionOptions,
): Promise<Fold[]> {
  const count = Math.min(examples.length, MOST_FOLDS);
  const steps = Math.ceil(options.steps * (count > 1 ? FOLD_STEPS : 1));
  let done = 0;
  const onStep = () => options.onProgress?.("learn", ++done / (count * steps));
  const folds: Fold[] = [];
  const step = await openStep(stored, new Float32Array(start.length), session);
  try {
    for (let fold = 0; fold < count; fold++) {
      const held = examples.filter((_, i) => i % count === fold);
      const shown = count > 1 ? examples.filter((example) => !held.includes(example)) : examples;
      const learned = await learn(step, stored, start, shown, { ...options, steps, onStep });
      folds.push({ learned, held });
    }
  } finally {
    await step.dispose();
  }
  return folds;
}

/** The L1 error of an example at each of {@link SHARES}. */
export type ExampleScore = number[];

/** How far to go from the old model towards the new one, the old one first; all the way is too far. */
export const SHARES: number[] = [0, 0.2, 0.4, 0.8];

/**
 * Scores each example, as drawn, by the fold that has not seen it.
 *
 * @param open a model with these parameters
 */
export async function scoreFolds(
  start: Float32Array,
  folds: Fold[],
  open: (parameters: Float32Array) => Promise<SkinModel>,
): Promise<Map<Example, ExampleScore>> {
  const scores = new Map<Example, ExampleScore>();
  const score = async (parameters: Float32Array, held: Example[]) => {
    const model = await open(parameters);
    for (const example of held) {
      const l1 = await sampleL1(model, example.samples[0]);
      scores.set(example, [...(scores.get(example) ?? []), l1]);
    }
    await model.session.dispose();
  };
  await score(
    start,
    folds.flatMap(({ held }) => held),
  );
  for (const share of SHARES.slice(1)) {
    for (const { learned, held } of folds) await score(blend(start, learned, share), held);
  }
  return scores;
}

async function sampleL1(model: SkinModel, { input, labels }: Sample): Promise<number> {
  const { bones, k } = input.distances;
  return meanL1(await runSkinModel(model, input), weightsFromSlots(bones, labels, k));
}

/** A step farther is taken where it leaves this much, or less, of the error. */
const WORTH_IT = 0.9;
/** What is left of the error on a single example when it has been learned: of this much, little was learned ... */
const HARDLY_LEARNED = 0.6;
/** ... and of this much nothing that others could be like. */
const NOT_LEARNED = 0.85;
/** A single example on which the old model errs by more than this is believed twice as far. */
const STRANGE = 0.4;

/**
 * How far to go: as far as each step pays for the examples that were left out. A single one cannot be left
 * out: it is believed the more, the more there was to learn from it, and the better it could be learned.
 */
export function bestShare(scores: Map<Example, ExampleScore>): number {
  const sums = SHARES.map((_, at) => [...scores.values()].reduce((sum, l1) => sum + l1[at], 0));
  const [none, little, some, much] = SHARES;
  if (scores.size === 1) {
    const left = sums[3] / sums[0];
    if (left > NOT_LEARNED) return none;
    if (left > HARDLY_LEARNED) return little;
    return sums[0] > STRANGE ? much : some;
  }
  if (sums[2] > WORTH_IT * sums[0]) return sums[1] < sums[0] ? little : none;
  return sums[3] > WORTH_IT * sums[2] ? some : much;
}

/** The mean of vectors of one length. */
export function meanOf(vectors: Float32Array[]): Float32Array {
  return vectors[0].map((_, i) => {
    let sum = 0;
    for (const vector of vectors) sum += vector[i];
    return sum / vectors.length;
  });
}
