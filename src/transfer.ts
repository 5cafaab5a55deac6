import type { Character } from "./character/character.ts";
import { FINISH_DEFAULTS, type FinishOptions } from "./finish/finish-weights.ts";
import {
  type TransferOptions as MatchOptions,
  type TransferResult,
  transferWeights,
} from "./finish/transfer-weights.ts";
import type { Mesh } from "./mesh/mesh.ts";
import { checkOptions } from "./options.ts";
import { trimWeights } from "./weights/trim-weights.ts";

/**
 * Options for {@link transfer}.
 *
 * @example
 * const options: TransferOptions = { distance: 0.1, angle: 45, maxInfluences: 8 };
 * transfer(character, shirt.mesh, options);
 */
export interface TransferOptions
  extends MatchOptions,
    Pick<FinishOptions, "maxInfluences" | "prune"> {}

/**
 * Transfers the weights of a skinned character to a mesh in the same space: from a body to clothes, or
 * between levels of detail. Prunes and limits the rows like `skin`.
 *
 * @example
 * const { weights: worn, matched } = transfer(character, shirt.mesh);
 * console.log(worn.joints, matched); // on the joints of the character
 */
export function transfer(
  source: Character,
  target: Mesh,
  options: TransferOptions = {},
): TransferResult {
  checkOptions("transfer", "library", options);
  const { maxInfluences = FINISH_DEFAULTS.maxInfluences, prune = FINISH_DEFAULTS.prune } = options;
  const { distance, angle } = options;
  const matching = {
    ...(distance !== undefined && { distance }),
    ...(angle !== undefined && { angle }),
  };
  const result = transferWeights(source, target, matching);
  return { ...result, weights: trimWeights(result.weights, { maxInfluences, prune }) };
}
