import { readOnnx } from "../onnx/onnx-reader.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import { decodeExemplars, EXEMPLARS_ENTRY } from "../solve/exemplars.ts";
import { blend, parametersOf, withParameters } from "./model-parameters.ts";

/** An adapted model is taken as it is where this share of the joints is known by name ... */
const RELATED = 0.5;
/** ... and this far towards it where none is: a studio's habits reach beyond one skeleton, but not far. */
const UNRELATED_SHARE = 0.25;

/**
 * An adapted model as far as it is fit for a skeleton: whole where one of the examples has most of its
 * joints by name, a part of the way from the model before where they have little in common.
 *
 * @param base the model that was adapted
 */
export function modelFor(skeleton: Skeleton, base: Uint8Array, adapted: Uint8Array): Uint8Array {
  const known = Math.min(1, relatedness(skeleton, adapted) / RELATED);
  if (known === 1) return adapted;
  const places = placesOf(adapted);
  const share = UNRELATED_SHARE + (1 - UNRELATED_SHARE) * known;
  const mixed = blend(parametersOf(base, places), parametersOf(adapted, places), share);
  return withParameters(adapted, places, mixed);
}

/** The largest share of a skeleton's joints that one of the examples has by the same names, 0 to 1. */
function relatedness({ names }: Skeleton, adapted: Uint8Array): number {
  const text = readOnnx(adapted).metadata[EXEMPLARS_ENTRY] ?? "[]";
  const shares = decodeExemplars(text).map(({ skeleton }) => {
    const theirs = new Set(skeleton.names);
    return names.filter((name) => theirs.has(name)).length / Math.max(1, names.length);
  });
  return Math.max(0, ...shares);
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
