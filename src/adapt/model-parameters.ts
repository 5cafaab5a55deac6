import { decodeExemplars, EXEMPLARS_ENTRY, kinship } from "../examples/exemplars.ts";
import { CONFIG_ENTRY, type ModelConfig } from "../graph/model-config.ts";
import { InputError } from "../input-error.ts";
import { sameSettings } from "../learn/sample-settings.ts";
import { type ParameterSlot, type StoredStep, stepConfig } from "../learn/step.ts";
import { readOnnx, replaceParameters, requireMetadata } from "../onnx/onnx-reader.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";

export function configOf(model: Uint8Array): ModelConfig {
  return JSON.parse(requireMetadata(readOnnx(model), CONFIG_ENTRY)) as ModelConfig;
}

/** Returns whether a step trains this network. */
export function fits(step: Pick<StoredStep, "config">, config: ModelConfig): boolean {
  return sameSettings(step.config, stepConfig(config));
}

/** Returns the parameters of a model as one flat vector. */
export function parametersOf(model: Uint8Array, ranges: ParameterSlot[]): Float32Array {
  const stored = readOnnx(model).parameters;
  const flat = new Float32Array(ranges.reduce((sum, { size }) => sum + size, 0));
  for (const { name, offset, size } of ranges) {
    const data = stored[name]?.data;
    if (data?.length !== size) {
      throw new InputError(
        `The model has no parameter "${name}" of size ${size}; use the model that was adapted.`,
      );
    }
    flat.set(data, offset);
  }
  return flat;
}

/** Returns the model with other parameters, see {@link parametersOf}. */
export function withParameters(
  model: Uint8Array,
  ranges: ParameterSlot[],
  flat: Float32Array,
  metadata: Record<string, string> = {},
): Uint8Array {
  const named = ranges.map(({ name, offset, size }) => [name, flat.slice(offset, offset + size)]);
  return replaceParameters(model, Object.fromEntries(named), metadata);
}

/** Interpolates linearly. */
export function blend(from: Float32Array, to: Float32Array, factor: number): Float32Array {
  return from.map((value, i) => value + factor * (to[i] - value));
}

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
