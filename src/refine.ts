import type { BoneDistances } from "./distance/bone-distances.ts";
import { farDistance } from "./review/bleed.ts";
import { mapRows, type SkinWeights } from "./weights/skin-weights.ts";

/** Where, on the way to being far, weights begin to fade: without a ramp the surface would tear. */
const FADE_FROM = 0.75;

/**
 * Cleans weights of any tool with a HollowDist mask: weight on joints that are far from a vertex,
 * through the inside of the body, fades out, and the rest is divided by its sum.
 *
 * A joint is far beyond 3 times the nearest joint's distance plus 0.05 (where bleed is counted from),
 * or if it is not among the stored nearest. Rows without weight near that stay as they are, and so do
 * rows all of whose joints are far.
 *
 * @param weights V rows
 * @param distances HollowDist in the normalized space (longest side 1)
 * @returns the weights, with the number of vertices that changed
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
      const place = bones.indexOf(row.joints[i]);
      return place < 0 ? 0 : value * fade(distances.distances[vertex * k + place] / far);
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

/** 1 well inside, 0 from `far` on. */
function fade(ratio: number): number {
  // Where nothing is reachable all distances are infinite, and none is farther than another.
  if (Number.isNaN(ratio)) return 1;
  return Math.min(1, Math.max(0, (1 - ratio) / (1 - FADE_FROM)));
}
