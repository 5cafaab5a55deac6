import { decodeExemplars, EXEMPLARS_ENTRY } from "../examples/exemplars.ts";
import { kinship } from "../examples/kinship.ts";
import { readOnnx } from "../onnx/onnx-reader.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import { blend, parametersOf, withParameters } from "./model-parameters.ts";

/** Interpolation for an unrelated character: a studio's style extends a little beyond one skeleton. */
const UNRELATED_SHARE = 0.25;

/**
 * Returns an adapted model as far as it suits a skeleton: fully if one of the examples is related, otherwise
 * interpolated from the base model.
 *
 * @param base the model before adaptation
 */
export function modelFor(skeleton: Skeleton, base: Uint8Array, adapted: Uint8Array): Uint8Array {
  const exemplars = decodeExemplars(readOnnx(adapted).metadata[EXEMPLARS_ENTRY]);
  const closest = Math.max(0, ...exemplars.map((other) => kinship(skeleton, other.skeleton)));
  if (closest === 1) return adapted;
  const slots = slotsOf(adapted);
  const share = UNRELATED_SHARE + (1 - UNRELATED_SHARE) * closest;
  const mixed = blend(parametersOf(base, slots), parametersOf(adapted, slots), share);
  return withParameters(adapted, slots, mixed);
}

function slotsOf(model: Uint8Array): { name: string; offset: number; size: number }[] {
  let offset = 0;
  return Object.entries(readOnnx(model).parameters).map(([name, { data }]) => {
    const slot = { name, offset, size: data.length };
    offset += data.length;
    return slot;
  });
}
