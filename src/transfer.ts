import type { Character } from "./character/character.ts";
import { createPacer } from "./event-loop.ts";
import { FINISH_DEFAULTS, type FinishOptions } from "./finish/finish-weights.ts";
import {
  type TransferOptions as MatchOptions,
  type TransferResult,
  transferSteps,
} from "./finish/transfer-weights.ts";
import { InputError } from "./input-error.ts";
import type { Mesh } from "./mesh/mesh.ts";
import { checkOptions } from "./options.ts";
import type { OnProgress } from "./stage-clock.ts";
import { trimWeights } from "./weights/trim-weights.ts";

/**
 * Options for {@link transfer}.
 *
 * @example
 * const options: TransferOptions = { distance: 0.1, angle: 45, maxInfluences: 8 };
 * await transfer(character, shirt.mesh, options);
 */
export interface TransferOptions
  extends MatchOptions,
    Pick<FinishOptions, "maxInfluences" | "prune"> {
  /** Receives the fraction that is done of the stage `transfer`. */
  onProgress?: OnProgress | undefined;
  /** Cancels the transfer: the promise is rejected with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** Names that {@link transfer} accepts in addition to the option table. */
const OTHER_OPTIONS = ["onProgress", "signal"];

/**
 * Transfers the weights of a skinned character to a mesh in the same space: from a body to clothes, or
 * between levels of detail. Prunes and limits the rows like `skin`, and lets the event loop run now and then;
 * `transferWeights` is the synchronous form without either.
 *
 * @example
 * const { weights: worn, matched } = await transfer(character, shirt.mesh);
 * console.log(worn.joints, matched); // on the joints of the character
 */
export async function transfer(
  source: Character,
  target: Mesh,
  options: TransferOptions = {},
): Promise<TransferResult> {
  checkOptions("transfer", "library", options, OTHER_OPTIONS);
  const { onProgress, signal } = options;
  if (onProgress !== undefined && typeof onProgress !== "function") {
    throw new InputError("onProgress must be a function.");
  }
  signal?.throwIfAborted();
  const { maxInfluences = FINISH_DEFAULTS.maxInfluences, prune = FINISH_DEFAULTS.prune } = options;
  const { distance, angle } = options;
  const matching = {
    ...(distance !== undefined && { distance }),
    ...(angle !== undefined && { angle }),
  };
  const report = (fraction: number) => onProgress?.("transfer", fraction);
  report(0);
  const pacer = createPacer(signal);
  const result = await pacer.run(transferSteps(source, target, matching, report));
  await pacer.pause();
  return { ...result, weights: trimWeights(result.weights, { maxInfluences, prune }) };
}
