import type { Character, PreparedCharacter } from "./character/character.ts";
import { prepareCharacter, restoreWeights } from "./character/prepare-character.ts";
import type { BoneDistances } from "./distance/bone-distances.ts";
import { InputError } from "./input-error.ts";
import { measureFor, type SolveOptions } from "./methods/solver.ts";
import { checkOptions, MAX_INFLUENCES } from "./options.ts";
import { BLEED_BONES, farDistance, meanBleed } from "./review/bleed.ts";
import { jointCount } from "./skeleton/skeleton.ts";
import { mapRows, rowCount, type SkinWeights } from "./weights/skin-weights.ts";
import { limitInfluences } from "./weights/weight-locks.ts";

/**
 * Options for {@link refine}.
 *
 * @example
 * const options: RefineOptions = { maxInfluences: 4 };
 * await refine(character, options);
 */
export interface RefineOptions
  extends Pick<SolveOptions, "resolution" | "threads" | "cache" | "onProgress" | "signal"> {
  /** Maximum influences per vertex; by default as many as the character has, up to 8. */
  maxInfluences?: number | undefined;
}

/**
 * Refined weights, and what changed. Counts are of welded vertices.
 *
 * @example
 * const { changed, vertices, bleed }: RefineResult = await refine(character);
 * console.log(`${changed} of ${vertices}`, bleed.before, bleed.after);
 */
export interface RefineResult {
  weights: SkinWeights;
  vertices: number;
  /** Vertices whose weights differ from before. */
  changed: number;
  /** Mean weight on far joints, 0 to 1. */
  bleed: { before: number; after: number };
}

/**
 * Cleans the weights of a character, made by any tool: removes weight from joints that are far from a
 * vertex inside the body.
 *
 * @example
 * const { weights: clean, bleed } = await refine(character);
 * console.log(clean.influences, bleed);
 */
export async function refine(
  character: Character,
  options: RefineOptions = {},
): Promise<RefineResult> {
  const prepared = prepareCharacter(character);
  // Welding may have added influences to a row.
  const refined = await refinePrepared(prepared, {
    ...options,
    maxInfluences: options.maxInfluences ?? (character.weights && influencesOf(character.weights)),
  });
  return { ...refined, weights: restoreWeights(prepared, refined.weights) };
}

/** {@link refine} for a prepared character; returns one row per welded vertex. */
export async function refinePrepared(
  prepared: PreparedCharacter,
  options: RefineOptions = {},
): Promise<RefineResult> {
  checkOptions("refine", "library", options, ["cache", "onProgress", "signal"]);
  const { name, weights: before } = prepared.character;
  if (!before) throw new InputError(`${name}: there are no weights to clean; bind it first.`);
  const { distances } = await measureFor(prepared, options, {
    k: Math.min(jointCount(prepared.character.skeleton), BLEED_BONES),
  });
  const { maxInfluences = influencesOf(before) } = options;
  const { weights, changed } = refineWeights(before, distances);
  const limited = limitInfluences(weights, maxInfluences);
  return {
    weights: limited,
    vertices: rowCount(before),
    changed,
    bleed: { before: meanBleed(before, distances), after: meanBleed(limited, distances) },
  };
}

function influencesOf({ influences }: SkinWeights): number {
  return Math.min(influences, MAX_INFLUENCES);
}

/** Fraction of the far distance at which weights begin to fade: without a ramp the surface would tear. */
const FADE_FROM = 0.75;

/**
 * Cleans weights with a HollowDist mask: fades out the weight on joints that are far from a vertex through
 * the inside of the body, and normalizes the rest.
 *
 * A joint is far if its distance exceeds 3 times the nearest joint's distance plus 0.05 (the threshold of
 * bleed), or if it is not among the stored nearest. Rows without weight near that threshold do not change,
 * nor do rows whose joints are all far.
 *
 * @param weights V rows
 * @param distances HollowDist in the normalized space (longest side 1)
 * @returns the weights, and the number of vertices that changed
 *
 * @example
 * const prepared = prepareCharacter(character); // welded, longest side 1
 * const { distances } = await measureDistances(prepared.character, { k: 16 });
 * const { weights: clean, changed } = refineWeights(prepared.character.weights!, distances);
 * console.log(changed, restoreWeights(prepared, clean));
 */
export function refineWeights(
  weights: SkinWeights,
  distances: BoneDistances,
): { weights: SkinWeights; changed: number } {
  const { k } = distances;
  let changed = 0;
  const refined = mapRows(weights, weights.influences, (row, vertex) => {
    const bones = distances.bones.subarray(vertex * k, (vertex + 1) * k);
    const far = farDistance(distances.distances[vertex * k]);
    const faded = row.values.map((value, i) => {
      const rank = bones.indexOf(row.joints[i]);
      return rank < 0 ? 0 : value * fade(distances.distances[vertex * k + rank] / far);
    });
    const kept = faded.every((value) => value === 0) ? row.values : faded;
    if (kept.some((value, i) => value !== row.values[i])) changed++;
    return {
      joints: row.joints.filter((_, i) => kept[i] > 0),
      values: kept.filter((value) => value > 0),
    };
  });
  return { weights: refined, changed };
}

/** Returns 1 up to `FADE_FROM`, then falls to 0 at a ratio of 1. */
function fade(ratio: number): number {
  // If no bone is reachable, all distances are infinite and none is farther than another.
  if (Number.isNaN(ratio)) return 1;
  return Math.min(1, Math.max(0, (1 - ratio) / (1 - FADE_FROM)));
}
