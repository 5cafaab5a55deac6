import { type Doubts, findDoubts, type SolvedCharacter } from "./solve/find-doubts.ts";
import { DEFAULT_METHOD, loadMethod, METHOD_WITHOUT_MODEL } from "./solve/methods.ts";
import type { SolveOptions } from "./solve/solver.ts";
import { startStageClock } from "./stage-clock.ts";
import { ADAPT_SHARE } from "./weights/adapt-influences.ts";
import type { Character } from "./weights/character.ts";
import { type FinishOptions, finishWeights } from "./weights/finish-weights.ts";
import { prepareCharacter, restoreWeights } from "./weights/prepare-character.ts";
import type { SkinWeights } from "./weights/skin-weights.ts";

/** Options for {@link skin}; those of `SolveOptions` go to the method. */
export interface SkinOptions extends SolveOptions, Partial<FinishOptions> {
  /** A name of `METHOD_NAMES`; unless told, the network where a model is given, else heat diffusion. */
  method?: string;
}

/** What `skin` does when not told otherwise. */
export const SKIN_DEFAULTS: { method: string } & FinishOptions = {
  method: DEFAULT_METHOD,
  maxInfluences: 4,
  // What moves a vertex by a hundredth of the rest is not seen, but costs a slot.
  prune: 0.01,
  adapt: ADAPT_SHARE,
};

/** Weights, and how they came about. */
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
 */
export async function skin(character: Character, options: SkinOptions = {}): Promise<SkinResult> {
  const {
    method = options.model ? SKIN_DEFAULTS.method : METHOD_WITHOUT_MODEL,
    maxInfluences = SKIN_DEFAULTS.maxInfluences,
    prune = SKIN_DEFAULTS.prune,
    adapt = SKIN_DEFAULTS.adapt!,
  } = options;
  const { report, stop } = startStageClock(options.onProgress);
  options.signal?.throwIfAborted();
  const solve = await loadMethod(method);
  report("prepare", 0);
  const prepared = prepareCharacter(character);
  report("solve", 0);
  let measured: SolvedCharacter["measured"];
  const solved = await solve(prepared, {
    ...options,
    onProgress: report,
    onMeasured: (given) => {
      measured = given;
      options.onMeasured?.(given);
    },
  });
  options.signal?.throwIfAborted();
  report("finish", 0);
  const finishing = { ...options, maxInfluences, prune, adapt };
  const origin = prepared.offset.map((value) => -value * prepared.scale);
  const finished = finishWeights(solved, prepared.character, finishing, origin);
  const weights = restoreWeights(prepared, finished.weights);
  report("finish", 1);
  report("doubts", 0);
  const doubts = findDoubts({
    ...{ prepared, solved, finished: finished.weights, measured },
    // What adapting gives up, the limit does not take.
    ...{ maxInfluences, prune: Math.max(prune, adapt) },
  });
  return { weights, method, timings: stop(), warnings: finished.warnings, doubts };
}
