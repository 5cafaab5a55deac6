import { decodeExemplars, EXEMPLARS_ENTRY } from "../examples/exemplars.ts";
import { kinship } from "../examples/kinship.ts";
import { readOnnx } from "../onnx/onnx-reader.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import { blend, parametersOf, withParameters } from "./model-parameters.ts";

/** Interpolation factor for an unrelated skeleton: the style carries over, but not far. */
const UNRELATED_FACTOR = 0.25;

/**
 * Returns the adapted model for a skeleton: unchanged for a skeleton of the examples, interpolated
 * toward the base model the less they have in common.
 *
 * @param base the model before adaptation
 */
export function modelFor(skeleton: Skeleton, base: Uint8Array, adapted: Uint8Array): Uint8Array {
  const { metadata, parameters } = readOnnx(adapted);
  const exemplars = decodeExemplars(metadata[EXEMPLARS_ENTRY]);
  const closest = Math.max(0, ...exemplars.map((other) => kinship(skeleton, other.skeleton)));
  if (closest === 1) return adapted;
  let offset = 0;
  const ranges = Object.entries(parameters).map(([name, { data }]) => {
    const range = { name, offset, size: data.length };
    offset += data.length;
    return range;
  });
  const factor = UNRELATED_FACTOR + (1 - UNRELATED_FACTOR) * closest;
  const mixed = blend(parametersOf(base, ranges), parametersOf(adapted, ranges), factor);
  return withParameters(adapted, ranges, mixed);
}
