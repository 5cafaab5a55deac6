import type { Character } from "../character/character.ts";
import { EXEMPLARS_ENTRY, encodeExemplars, TRUST_ENTRY } from "../examples/exemplars.ts";
import { InputError } from "../input-error.ts";
import { readStep } from "../learn/step.ts";
import { openSkinModel } from "../methods/network.ts";
import type { SessionOptions } from "../onnx/session.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";
import {
  ADAPT_DEFAULTS,
  type AdaptNotes,
  MOST_EXAMPLES,
  notesEntry,
  notesOf,
} from "./adapt-notes.ts";
import { chooseShare, chooseTrust } from "./choose-share.ts";
import { type Example, prepareExample } from "./example.ts";
import { exampleL1, type LearnOptions, learnExamples, weighAt } from "./learn.ts";
import { blend, configOf, fits, parametersOf, withParameters } from "./model-parameters.ts";

/**
 * Options for {@link adapt}.
 *
 * @example
 * const options: AdaptOptions = { step, onProgress: (stage, share) => console.log(stage, share) };
 */
export interface AdaptOptions
  extends Partial<Omit<LearnOptions, "onStep">>,
    Pick<SessionOptions, "provider" | "threads" | "wasmFolder"> {
  /** Bytes of the training step that belongs to the model, such as `heterskin-adapt.onnx`. */
  step: Uint8Array;
  /** Changed copies of each example, besides the example as drawn. */
  variants?: number;
  onProgress?: ((stage: string, fraction: number) => void) | undefined;
}

/** A model that has learned from examples. */
export interface AdaptedModel {
  /** Bytes of an `.onnx` model like the one it was made from. */
  model: Uint8Array;
  /** What it has learned from, and what that has changed; the model carries the same. */
  notes: AdaptNotes;
}

/**
 * Teaches a model the style of rigged characters: a short training on them, as far as it helps.
 *
 * Two or more examples are learned together, and again in folds that leave some out and are scored on those:
 * the model goes as far as that brings the examples left out closer to their artists; a single one is taken
 * at its word. The same input gives the same bytes. Throws `InputError`, by name, for
 * an example that cannot be learned from, and the signal's reason when aborted.
 *
 * @param model bytes of a model that HeterSkin has written; it stays as it is
 * @param characters rigged, with painted weights, 1 to {@link MOST_EXAMPLES}
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
  checkCount(characters.length);
  const stored = readStep(options.step);
  const config = configOf(model);
  if (!fits(stored, config)) {
    throw new InputError("The training step belongs to another network; make one for this model.");
  }
  const settings = { ...ADAPT_DEFAULTS, ...options };
  const examples: Example[] = [];
  for (const character of characters) {
    options.signal?.throwIfAborted();
    options.onProgress?.("examples", examples.length / characters.length);
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
  const entries = {
    ...notesEntry(notes),
    [EXEMPLARS_ENTRY]: exemplars,
    [TRUST_ENTRY]: JSON.stringify(trust),
  };
  return { model: bytesOf(adapted, entries), notes };
}

function checkCount(count: number): void {
  if (count < 1 || count > MOST_EXAMPLES) {
    throw new InputError(
      `A style is learned from 1 to ${MOST_EXAMPLES} characters, not from ${count}; give others.`,
    );
  }
}

/** Training keeps to the processor: a GPU takes longer to start than the few steps take. */
function sessionOptions({ provider, threads, wasmFolder }: AdaptOptions): SessionOptions {
  return {
    provider: provider === "webgpu" ? "auto" : (provider ?? "auto"),
    manyRuns: false,
    ...(threads && { threads }),
    ...(wasmFolder && { wasmFolder }),
  };
}
