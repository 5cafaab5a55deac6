import { decodeExemplars, EXEMPLARS_ENTRY } from "../examples/exemplars.ts";
import { kinship } from "../examples/kinship.ts";
import { readOnnx } from "../onnx/onnx-reader.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import { blend, parametersOf, withParameters } from "./model-parameters.ts";

/** How far towards an adapted model to go for a stranger: a studio's habits reach beyond one skeleton, but not far. */
const UNRELATED_SHARE = 0.25;

/**
 * An adapted model as far as it is fit for a skeleton: whole where one of the examples is its kin, a part of
 * the way from the model before where they have little in common.
 *
 * @param base the model that was adapted
 */
export function modelFor(skeleton: Skeleton, base: Uint8Array, adapted: Uint8Array): Uint8Array {
  const exemplars = decodeExemplars(readOnnx(adapted).metadata[EXEMPLARS_ENTRY]);
  const closest = Math.max(0, ...exemplars.map((other) => kinship(skeleton, other.skeleton)));
  if (closest === 1) return adapted;
  const places = placesOf(adapted);
  const share = UNRELATED_SHARE + (1 - UNRELATED_SHARE) * closest;
  const mixed = blend(parametersOf(base, places), parametersOf(adapted, places), share);
  return withParameters(adapted, places, mixed);
}

/** The stored parameters one after the other. */
function placesOf(model: Uint8Array): { name: string; offset: number; size: number }[] {
  let offset = 0;
  return Object.entries(readOnnx(model).parameters).map(([name, { data }]) => {
    const place = { name, offset, size: data.length };
    offset += data.length;
    return place;
  });
}
