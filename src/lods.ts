import type { Character } from "./character/character.ts";
import { createPacer } from "./event-loop.ts";
import { FINISH_DEFAULTS } from "./finish/finish-weights.ts";
import { type TransferResult, transferSteps } from "./finish/transfer-weights.ts";
import { InputError } from "./input-error.ts";
import type { Mesh } from "./mesh/mesh.ts";
import { checkOptions } from "./options.ts";
import { findJoints } from "./skeleton/helper-joints.ts";
import type { Skeleton } from "./skeleton/skeleton.ts";
import type { OnProgress } from "./stage-clock.ts";
import { addWeight, mapRows, type SkinWeights, type WeightRow } from "./weights/skin-weights.ts";
import { trimWeights } from "./weights/trim-weights.ts";

/**
 * Options for {@link lods}; lists have an entry per level, and the last one counts for the levels after it.
 *
 * @example
 * const options: LodOptions = { maxInfluences: [4, 1], dropJoints: [[], ["Head"]] };
 * await lods(character, [shirt.mesh, shirt.mesh], options);
 */
export interface LodOptions {
  /** Maximum influences per vertex of each level; default 4. */
  maxInfluences?: readonly number[] | undefined;
  /** Joints without weight from each level on; `*` matches any characters. */
  dropJoints?: readonly (readonly string[])[] | undefined;
  /** As in `transfer`: fraction of the largest weight below which weights are dropped; default 0.01. */
  prune?: number | undefined;
  /** Receives the fraction that is done of the stage `transfer`. */
  onProgress?: OnProgress | undefined;
  /** Cancels the transfers: the promise is rejected with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** Names that {@link lods} accepts. */
const OPTIONS = ["maxInfluences", "dropJoints", "prune", "onProgress", "signal"];

/**
 * Gives the levels of detail of a character its weights: each level is transferred from the character itself, so
 * that all levels move alike. The weight of a dropped joint goes to its nearest ancestor that is kept.
 *
 * @param character with weights, level 0
 * @param meshes levels 1, 2, ..., in the same space
 *
 * @example
 * const { weights: bound } = await skin(character);
 * const [half] = await lods({ ...character, weights: bound }, [shirt.mesh], { maxInfluences: [2] });
 * console.log(half.matched);
 */
export async function lods(
  character: Character,
  meshes: readonly Mesh[],
  options: LodOptions = {},
): Promise<TransferResult[]> {
  const { maxInfluences = [], dropJoints = [], prune = FINISH_DEFAULTS.prune } = options;
  checkOptions("lods", "library", options, OPTIONS);
  checkInfluences(maxInfluences);
  options.signal?.throwIfAborted();
  const pacer = createPacer(options.signal);
  const levels: TransferResult[] = [];
  for (const [level, mesh] of meshes.entries()) {
    const report = (fraction: number) =>
      options.onProgress?.("transfer", (level + fraction) / meshes.length);
    const result = await pacer.run(transferSteps(character, mesh, {}, report));
    const dropped = dropJoints.slice(0, level + 1).flat();
    const kept =
      dropped.length > 0
        ? withoutJoints(result.weights, character.skeleton, dropped)
        : result.weights;
    const influences = maxInfluences[Math.min(level, maxInfluences.length - 1)];
    const limits = { maxInfluences: influences ?? FINISH_DEFAULTS.maxInfluences, prune };
    levels.push({ ...result, weights: trimWeights(kept, limits) });
    await pacer.pause();
  }
  return levels;
}

function checkInfluences(list: readonly number[]): void {
  const wrong = list.find((value) => !(Number.isInteger(value) && value >= 1 && value <= 8));
  if (wrong !== undefined) {
    throw new InputError(`The influences of a level must be an integer from 1 to 8, got ${wrong}.`);
  }
}

/** Moves the weight of joints to their nearest ancestors that are kept. */
function withoutJoints(
  weights: SkinWeights,
  skeleton: Skeleton,
  patterns: readonly string[],
): SkinWeights {
  const isDropped = findJoints([...patterns], skeleton, "drop");
  const target = Array.from(skeleton.parents.keys(), (joint) => {
    let at = joint;
    while (at >= 0 && isDropped[at] === 1) at = skeleton.parents[at];
    return at;
  });
  const root = target.indexOf(-1);
  if (root >= 0) {
    throw new InputError({
      what: `the joint "${skeleton.names[root]}" has no ancestor that could take its weight`,
      remedy: { option: "dropJoints", advice: "keep the root of the skeleton" },
    });
  }
  return mapRows(weights, weights.influences, ({ joints, values }) => {
    const row: WeightRow = { joints: [], values: [] };
    joints.forEach((joint, i) => {
      addWeight(row, target[joint], values[i]);
    });
    return row;
  });
}
