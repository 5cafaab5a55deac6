import { type Doubts, findDoubts, type SolvedCharacter } from "./solve/find-doubts.ts";
import { DEFAULT_METHOD, loadMethod, METHOD_WITHOUT_MODEL } from "./solve/methods.ts";
import type { SolveOptions } from "./solve/solver.ts";
import { startStageClock } from "./stage-clock.ts";
import { ADAPT_SHARE } from "./weights/adapt-influences.ts";
import type { Character } from "./weights/character.ts";
import { type FinishOptions, finishWeights } from "./weights/finish-weights.ts";
import { prepareCharacter, restoreWeights } from "./weights/prepare-character.ts";
import type { PreparedCharacter } from "./weights/prepared-character.ts";
import type { SkinWeights } from "./weights/skin-weights.ts";

/**
 * Options for {@link skin}; those of `SolveOptions` go to the method.
 *
 * @example
 * const options: SkinOptions = { method: "heat", maxInfluences: 8, smooth: 2 };
 * await skin(character, options);
 */
export interface SkinOptions extends SolveOptions, Partial<FinishOptions> {
  /** A name of `METHOD_NAMES`; unless told, the network where a model is given, else heat diffusion. */
  method?: string;
}

/**
 * What `skin` does when not told otherwise.
 *
 * @example
 * await skin(character, { method: "heat", prune: SKIN_DEFAULTS.prune / 2 });
 */
export const SKIN_DEFAULTS: { method: string } & FinishOptions = {
  method: DEFAULT_METHOD,
  maxInfluences: 4,
  // What moves a vertex by a hundredth of the rest is not seen, but costs a slot.
  prune: 0.01,
  adapt: ADAPT_SHARE,
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
  const { report, stop } = startStageClock(options.onProgress);
  options.signal?.throwIfAborted();
  await loadMethod(methodOf(options));
  report("prepare", 0);
  const prepared = prepareCharacter(character);
  report("solve", 0);
  const bound = await bindPrepared(prepared, { ...options, onProgress: report });
  const weights = restoreWeights(prepared, bound.finished);
  report("finish", 1);
  report("doubts", 0);
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
 * @param options with `solved`, the method's weights of an earlier run, only the finish is done
 */
export async function bindPrepared(
  prepared: PreparedCharacter,
  options: SkinOptions & { solved?: SkinWeights } = {},
): Promise<BoundCharacter> {
  const {
    maxInfluences = SKIN_DEFAULTS.maxInfluences,
    prune = SKIN_DEFAULTS.prune,
    adapt = SKIN_DEFAULTS.adapt!,
  } = options;
  const method = methodOf(options);
  const { solved, measured } = options.solved
    ? { solved: options.solved, measured: undefined }
    : await solvePrepared(prepared, method, options);
  options.signal?.throwIfAborted();
  options.onProgress?.("finish", 0);
  const finishing = { ...options, maxInfluences, prune, adapt };
  const origin = prepared.offset.map((value) => -value * prepared.scale);
  const { weights: finished, ...rest } = finishWeights(
    solved,
    prepared.character,
    finishing,
    origin,
  );
  return { prepared, method, solved, measured, finished, ...rest, maxInfluences, prune };
}

function methodOf({ method, model }: SkinOptions): string {
  return method ?? (model ? SKIN_DEFAULTS.method : METHOD_WITHOUT_MODEL);
}

async function solvePrepared(
  prepared: PreparedCharacter,
  method: string,
  options: SolveOptions,
): Promise<Pick<SolvedCharacter, "solved" | "measured">> {
  const solve = await loadMethod(method);
  let measured: SolvedCharacter["measured"];
  const solved = await solve(prepared, {
    ...options,
    onMeasured: (given) => {
      measured = given;
      options.onMeasured?.(given);
    },
  });
  return { solved, measured };
}
