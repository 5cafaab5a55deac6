import type { Character } from "../character/character.ts";
import { EXEMPLARS_ENTRY, encodeExemplars, TRUST_ENTRY } from "../examples/exemplars.ts";
import { InputError } from "../input-error.ts";
import { readStep } from "../learn/step.ts";
import { openSkinModel } from "../methods/network.ts";
import type { SessionOptions } from "../onnx/session.ts";
import type { OnProgress } from "../stage-clock.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";
import {
  ADAPT_DEFAULTS,
  type AdaptNotes,
  MAX_EXAMPLES,
  notesEntry,
  notesOf,
} from "./adapt-notes.ts";
import { chooseShare, chooseTrust } from "./choose-share.ts";
import {
  type Example,
  exampleL1,
  type LearnOptions,
  learnExamples,
  prepareExample,
  weighAt,
} from "./learn.ts";
import { blend, configOf, fits, parametersOf, withParameters } from "./model-parameters.ts";

/**
 * Options for {@link adapt}.
 *
 * @example
 * const options: AdaptOptions = { step, onProgress: (stage, part) => console.log(stage, part) };
 */
export interface AdaptOptions
  extends Partial<Omit<LearnOptions, "onStep">>,
    Pick<SessionOptions, "provider" | "threads" | "wasmFolder"> {
  /** Bytes of the model's training step, such as `heterskin-adapt.onnx`. */
  step: Uint8Array;
  /** Augmented variants of each example in addition to the original. */
  variants?: number;
  onProgress?: OnProgress | undefined;
}

/** An adapted model. */
export interface AdaptedModel {
  /** Bytes of an `.onnx` model with the same architecture. */
  model: Uint8Array;
  /** Examples and scores, also stored in the model. */
  notes: AdaptNotes;
}

/**
 * Adapts a model to the style of rigged characters by a short training.
 *
 * Two or more examples are also learned in folds, and the model moves toward the learned parameters as far
 * as that improves the held-out examples. Deterministic. Throws `InputError` with the name of an unusable
 * example, and the signal's reason when aborted.
 *
 * @param model bytes of a model written by HeterSkin
 * @param characters rigged, with painted weights, 1 to {@link MAX_EXAMPLES}
 *
 * @example
 * const { model: mine, notes } = await adapt(model, [hero], { step });
 * const { weights } = await skin(character, { model: mine });
 */
export async function adapt(
  model: Uint8Array,
  characters: Character[],
  options: AdaptOptions,
): Promise<AdaptedModel> {
  const count = characters.length;
  if (count < 1 || count > MAX_EXAMPLES) {
    throw new InputError(`A style is learned from 1 to ${MAX_EXAMPLES} characters, got ${count}.`);
  }
  const stored = readStep(options.step);
  const config = configOf(model);
  if (!fits(stored, config)) {
    throw new InputError("The training step belongs to another network than the model.");
  }
  const settings = { ...ADAPT_DEFAULTS, ...options };
  const examples: Example[] = [];
  for (const character of characters) {
    options.signal?.throwIfAborted();
    options.onProgress?.("examples", examples.length / count);
    const { batchVertices, variants } = settings;
    examples.push(await prepareExample(character, config, batchVertices, variants));
  }
  options.onProgress?.("learn", 0);
  const start = parametersOf(model, stored.parameters);
  const bytesOf = (flat: Float32Array, entries?: Record<string, string>) =>
    withParameters(model, stored.parameters, flat, entries);
  const session = sessionOptions(options);
  const { parameters, folds } = await learnExamples(stored, start, examples, settings, session);
  options.onProgress?.("score", 0);
  const open = (tried: Float32Array) => openSkinModel(bytesOf(tried), session);
  const known = new Map<number, SkinWeights[]>();
  const weigh = async (share: number) => {
    const weighed = known.get(share) ?? (await weighAt(share, start, examples, folds, open));
    known.set(share, weighed);
    return weighed;
  };
  const chosen = await chooseShare(examples.length, async (share) => {
    const weighed = await weigh(share);
    return examples.map((example, i) => exampleL1(example, weighed[i]));
  });
  const trust = chooseTrust(examples, await weigh(chosen.share));
  const notes = notesOf(examples, chosen);
  const adapted = blend(start, parameters, chosen.share);
  const exemplars = encodeExemplars(examples.map(({ exemplar }) => exemplar));
  const examplesEntry = { [EXEMPLARS_ENTRY]: exemplars, [TRUST_ENTRY]: JSON.stringify(trust) };
  return { model: bytesOf(adapted, { ...notesEntry(notes), ...examplesEntry }), notes };
}

/** Training stays on the CPU: a GPU takes longer to start than the few steps. */
function sessionOptions({ provider, threads, wasmFolder }: AdaptOptions): SessionOptions {
  return {
    provider: provider === "webgpu" ? "auto" : (provider ?? "auto"),
    manyRuns: false,
    ...(threads && { threads }),
    ...(wasmFolder && { wasmFolder }),
  };
}
