import type { Character, PreparedCharacter } from "./character/character.ts";
import { prepareCharacter, restoreWeights } from "./character/prepare-character.ts";
import { checkFinishOptions } from "./finish/check-finish-options.ts";
import { FINISH_DEFAULTS, type FinishOptions, finishSteps } from "./finish/finish-weights.ts";
import { checkSolveOptions } from "./methods/check-solve-options.ts";
import { DEFAULT_METHOD, loadMethod, METHOD_WITHOUT_MODEL } from "./methods/methods.ts";
import type { SolvedWeights, SolveOptions } from "./methods/solver.ts";
import { type Doubts, findDoubts, type SolvedCharacter } from "./review/doubts.ts";
import { startStageClock } from "./stage-clock.ts";
import type { SkinWeights } from "./weights/skin-weights.ts";
import { keepRows } from "./weights/weight-locks.ts";

/**
 * Options for {@link skin}; those of `SolveOptions` go to the method.
 *
 * @example
 * const options: SkinOptions = { method: "heat", maxInfluences: 8, smooth: 2 };
 * await skin(character, options);
 */
export interface SkinOptions extends SolveOptions, FinishOptions {
  /** A name of `METHOD_NAMES`; unless told, the network where a model is given, else heat diffusion. */
  method?: string | undefined;
}

/**
 * What `skin` does when not told otherwise.
 *
 * @example
 * await skin(character, { method: "heat", prune: SKIN_DEFAULTS.prune / 2 });
 */
export const SKIN_DEFAULTS: { method: string } & typeof FINISH_DEFAULTS = {
  method: DEFAULT_METHOD,
  ...FINISH_DEFAULTS,
};

/**
 * Weights, and how they came about.
 *
 * @example
 * const { weights: found, timings, warnings }: SkinResult = await skin(character);
 * console.log(found.influences, timings, warnings);
 */
export interface SkinResult {
  /** One row per vertex of the character's mesh; vertices at one place have the same row. */
  weights: SkinWeights;
  method: string;
  /** Milliseconds by stage, in order. */
  timings: Record<string, number>;
  /** What had to be repaired, a sentence each. */
  warnings: string[];
  /** Vertices and bones to look at before trusting the weights. */
  doubts: Doubts;
}

/**
 * Gives a character its skin weights: prepare, solve, finish, restore.
 *
 * The character stays as it is; its own weights, if any, only count where they are to be kept, and to
 * tell which joints are in use. Runs in Node and in browsers. Throws `InputError` for a character or
 * an option that cannot be worked with, and the signal's reason when aborted.
 *
 * @example
 * const { weights: found } = await skin(character, { maxInfluences: 4 });
 * console.log(found.joints, found.weights); // V×4 each
 */
export async function skin(character: Character, options: SkinOptions = {}): Promise<SkinResult> {
  checkSolveOptions(options);
  checkFinishOptions(options);
  const { report, stop } = startStageClock(options.onProgress);
  options.signal?.throwIfAborted();
  report("prepare", 0);
  const prepared = prepareCharacter(character);
  report("solve", 0);
  const bound = await bindPrepared(prepared, { ...options, onProgress: report });
  const restored = restoreWeights(prepared, bound.finished);
  const own = options.keepExisting ? character.weights : undefined;
  const weights = own ? keepRows(restored, own) : restored;
  report("finish", 1);
  report("doubts", 0);
  await breathe(options.signal);
  const doubts = findDoubts(bound);
  const { method, warnings } = bound;
  return { weights, method, timings: stop(), warnings, doubts };
}

/** A character with its finished weights, and all that `findDoubts` asks for. */
export interface BoundCharacter extends SolvedCharacter {
  method: string;
  /** What had to be repaired, a sentence each. */
  warnings: string[];
}

/**
 * The middle of {@link skin}: solve and finish, for programs that prepare a character once and bind
 * it several times.
 *
 * @param options with `solved`, what the method gave in an earlier run, only the finish is done
 */
export async function bindPrepared(
  prepared: PreparedCharacter,
  options: SkinOptions & { solved?: SolvedWeights | undefined } = {},
): Promise<BoundCharacter> {
  const { method = options.model ? DEFAULT_METHOD : METHOD_WITHOUT_MODEL } = options;
  checkFinishOptions(options);
  const {
    weights: solved,
    unsettled,
    measured,
    notes = [],
  } = options.solved ?? (await (await loadMethod(method))(prepared, options));
  await breathe(options.signal);
  options.onProgress?.("finish", 0);
  const origin = prepared.offset.map((value) => -value * prepared.scale);
  const source = { origin, knowsHelpers: unsettled !== undefined };
  const steps = finishSteps(solved, prepared.character, options, source);
  let step = steps.next();
  for (; !step.done; step = steps.next()) await breathe(options.signal);
  const { weights: finished, warnings, ...rest } = step.value;
  return {
    prepared,
    method,
    solved,
    unsettled,
    measured,
    finished,
    ...rest,
    warnings: [...notes, ...warnings],
  };
}

/** Lets others have their turn, the one who wants to abort among them. */
async function breathe(signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  if (!signal) return;
  await new Promise((resolve) => setTimeout(resolve));
  signal.throwIfAborted();
}
