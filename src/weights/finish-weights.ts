import type { Character } from "./character.ts";
import { fillEmpty } from "./fill-empty.ts";
import { limitInfluences } from "./limit-influences.ts";
import { pruneWeights } from "./prune-weights.ts";
import type { SkinWeights } from "./skin-weights.ts";
import { sortInfluences } from "./sort-influences.ts";

/** What happens to a method's weights before they leave. */
export interface FinishOptions {
  /** Most joints per vertex. */
  maxInfluences: number;
  /** Weights below this fraction of the vertex's largest are dropped; 0 keeps all. */
  prune: number;
}

/**
 * Makes any method's weights fit to be used: sorted, none empty, pruned, limited, summing to 1.
 *
 * @returns the weights, with a sentence for each thing that had to be repaired
 */
export function finishWeights(
  solved: SkinWeights,
  character: Character,
  { maxInfluences, prune }: FinishOptions,
): { weights: SkinWeights; warnings: string[] } {
  const { weights, filled } = fillEmpty(sortInfluences(solved), character);
  const warnings: string[] = [];
  if (filled > 0) {
    const vertices = character.mesh.positions.length / 3;
    warnings.push(
      `The method gave no weight to ${filled} of ${vertices} vertices; they follow their nearest bone.`,
    );
  }
  return { weights: limitInfluences(pruneWeights(weights, prune), maxInfluences), warnings };
}
