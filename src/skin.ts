import type { Character, PreparedCharacter } from "./character/character.ts";
import { prepareCharacter, restoreWeights } from "./character/prepare-character.ts";
import {
  checkExcluded,
  FINISH_DEFAULTS,
  type FinishOptions,
  finishSteps,
} from "./finish/finish-weights.ts";
import { InputError } from "./input-error.ts";
import {
  DEFAULT_METHOD,
  loadMethod,
  METHOD_WITHOUT_MODEL,
  type MethodName,
} from "./methods/methods.ts";
import type { SolvedWeights, SolveOptions } from "./methods/solver.ts";
import { isNetwork, methodName } from "./models.ts";
import { checkOptions } from "./options.ts";
import { type Doubts, findDoubts, type SolvedCharacter } from "./review/doubts.ts";
import { startStageClock, type Timings } from "./stage-clock.ts";
import type { SkinWeights } from "./weights/skin-weights.ts";
import { keepRows } from "./weights/weight-locks.ts";

/**
 * Options for {@link skin}; `SolveOptions` are passed to the method.
 *
 * @example
 * const options: SkinOptions = { method: "heat", maxInfluences: 8, smooth: 2 };
 * await skin(character, options);
 */
export interface SkinOptions extends SolveOptions, FinishOptions {
  /** A name of `METHOD_NAMES`; by default the network if a model is given, otherwise heat diffusion. */
  method?: MethodName | undefined;
  /**
   * Bytes of a model that `adapt` made from `model` and a few examples. It binds characters that resemble
   * an example; unrelated characters are bound by a blend that stays close to `model`.
   */
  adapted?: Uint8Array | undefined;
}

/** Names that {@link skin} accepts in addition to the option table. */
const OTHER_OPTIONS = [
  "model",
  "adapted",
  "cache",
  "proxyVertices",
  "wasmFolder",
  "onProgress",
  "signal",
  "solved",
];

/**
 * The defaults of `skin`.
 *
 * @example
 * await skin(character, { method: "heat", prune: SKIN_DEFAULTS.prune / 2 });
 */
export const SKIN_DEFAULTS: { method: MethodName } & typeof FINISH_DEFAULTS = {
  method: DEFAULT_METHOD,
  ...FINISH_DEFAULTS,
};

/**
 * Skin weights, and how they were computed.
 *
 * @example
 * const { weights: found, timings, warnings }: SkinResult = await skin(character);
 * console.log(found.influences, timings, warnings);
 */
export interface SkinResult {
  /** One row per vertex of the character's mesh; vertices at the same position have equal rows. */
  weights: SkinWeights;
  method: string;
  /** Milliseconds by stage, in order. */
  timings: Timings;
  /** Repairs, one sentence each. */
  warnings: string[];
  /** Vertices and bones to check before using the weights. */
  doubts: Doubts;
}

/**
 * Computes the skin weights of a character: prepare, solve, finish, restore.
 *
 * Does not modify the character; reads its weights only to keep them where asked to, and to find the joints
 * in use. Runs in Node and in browsers. Throws `InputError` for an unusable character or option, and the
 * signal's reason when aborted.
 *
 * @example
 * const { weights: found } = await skin(character, { maxInfluences: 4 });
 * console.log(found.joints, found.weights); // V×4 each
 */
export async function skin(character: Character, options: SkinOptions = {}): Promise<SkinResult> {
  checkSkinOptions(options);
  const { report, stop } = startStageClock(options.onProgress);
  options.signal?.throwIfAborted();
  report("prepare", 0);
  const prepared = prepareCharacter(character);
  report("solve", 0);
  const bound = await solveAndFinish(prepared, { ...options, onProgress: report });
  const restored = restoreWeights(prepared, bound.finished);
  const existing = options.keepExisting ? character.weights : undefined;
  const weights = existing ? keepRows(restored, existing) : restored;
  report("finish", 1);
  report("doubts", 0);
  await yieldToEventLoop(options.signal);
  const doubts = findDoubts(bound);
  const { method, warnings } = bound;
  return { weights, method, timings: stop(), warnings, doubts };
}

/** A character with its finished weights, and the inputs of `findDoubts`. */
export interface BoundCharacter extends SolvedCharacter {
  method: string;
  /** Repairs, one sentence each. */
  warnings: string[];
}

/**
 * The solve and finish steps of {@link skin}, for programs that prepare a character once and bind it
 * several times.
 *
 * @param options with `solved`, the result of the method in an earlier run, only the finish step runs
 */
export async function bindPrepared(
  prepared: PreparedCharacter,
  options: SkinOptions & { solved?: SolvedWeights | undefined } = {},
): Promise<BoundCharacter> {
  checkSkinOptions(options);
  return solveAndFinish(prepared, options);
}

async function solveAndFinish(
  prepared: PreparedCharacter,
  options: SkinOptions & { solved?: SolvedWeights | undefined },
): Promise<BoundCharacter> {
  const { method: given = options.model ? DEFAULT_METHOD : METHOD_WITHOUT_MODEL } = options;
  const method = methodName(given);
  // A network takes seconds.
  checkExcluded(prepared.character, options);
  const {
    weights: solved,
    unsmoothed,
    measured,
    notes = [],
  } = options.solved ?? (await solve(prepared, method, options));
  await yieldToEventLoop(options.signal);
  options.onProgress?.("finish", 0);
  const origin = prepared.offset.map((value) => -value * prepared.scale);
  const source = { origin, knowsHelpers: unsmoothed !== undefined };
  const steps = finishSteps(solved, prepared.character, options, source);
  let step = steps.next();
  for (; !step.done; step = steps.next()) await yieldToEventLoop(options.signal);
  const { weights: finished, warnings, ...rest } = step.value;
  return {
    prepared,
    method,
    solved,
    unsmoothed,
    measured,
    finished,
    ...rest,
    warnings: [
      ...(given === method ? [] : [`The method "${given}" is now called "${method}".`]),
      ...notes,
      ...warnings,
    ],
  };
}

/** Runs a method, with a blend of `model` and `adapted` if there is an adapted model. */
async function solve(
  prepared: PreparedCharacter,
  method: string,
  options: SkinOptions,
): Promise<SolvedWeights> {
  const run = await loadMethod(method);
  const { model, adapted } = options;
  if (!adapted || !isNetwork(method)) return run(prepared, options);
  if (!model) throw new InputError("adapted needs model, the network that it was adapted from.");
  // Loaded on demand: the import takes longer than reading a small file.
  const { modelFor } = await import("./adapt/model-parameters.ts");
  const { closeSkinModel } = await import("./methods/network.ts");
  const fitting = modelFor(prepared.character.skeleton, model, adapted);
  try {
    return await run(prepared, { ...options, model: fitting });
  } finally {
    // A blend is specific to this skeleton; a batch reuses the two models themselves.
    if (fitting !== model && fitting !== adapted) await closeSkinModel(fitting);
  }
}

function checkSkinOptions(options: SkinOptions): void {
  checkOptions("bind", "library", options, OTHER_OPTIONS);
  for (const name of ["model", "adapted"] as const) {
    if (options[name] === undefined || options[name] instanceof Uint8Array) continue;
    throw new InputError(`${name} must be the bytes of an .onnx file, a Uint8Array.`);
  }
  const { proxyVertices, onProgress } = options;
  if (proxyVertices !== undefined && !(proxyVertices >= 1)) {
    throw new InputError(`proxyVertices must be a number from 1, got ${proxyVertices}.`);
  }
  if (onProgress !== undefined && typeof onProgress !== "function") {
    throw new InputError("onProgress must be a function.");
  }
}

/** Yields to the event loop, so that an abort can arrive. */
async function yieldToEventLoop(signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  if (!signal) return;
  await new Promise((resolve) => setTimeout(resolve));
  signal.throwIfAborted();
}
