import { decodeExemplars, EXEMPLARS_ENTRY } from "../examples/exemplars.ts";
import { kinship } from "../examples/kinship.ts";
import { CONFIG_ENTRY, type ModelConfig } from "../graph/model-config.ts";
import { InputError } from "../input-error.ts";
import { sameSettings } from "../learn/sample-settings.ts";
import { type ParameterSlot, type StoredStep, stepConfig } from "../learn/step.ts";
import { readOnnx, requireMetadata } from "../onnx/onnx-reader.ts";
import { replaceParameters } from "../onnx/replace-parameters.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";

/** Returns the configuration of a model. */
export function configOf(model: Uint8Array): ModelConfig {
  return JSON.parse(requireMetadata(readOnnx(model), CONFIG_ENTRY)) as ModelConfig;
}

/** Whether a training step belongs to the network of a model. */
export function fits(step: Pick<StoredStep, "config">, config: ModelConfig): boolean {
  return sameSettings(step.config, stepConfig(config));
}

/** Returns the parameters of a model as one flat vector, in the order of a step. */
export function parametersOf(model: Uint8Array, slots: ParameterSlot[]): Float32Array {
  const stored = readOnnx(model).parameters;
  const flat = new Float32Array(slots.reduce((sum, { size }) => sum + size, 0));
  for (const { name, offset, size } of slots) {
    const data = stored[name]?.data;
    if (data?.length !== size) {
      throw new InputError(`The model has no parameter "${name}" with ${size} numbers.`);
    }
    flat.set(data, offset);
  }
  return flat;
}

/** Copies a model with other parameters, see {@link parametersOf}. */
export function withParameters(
  model: Uint8Array,
  slots: ParameterSlot[],
  flat: Float32Array,
  metadata: Record<string, string> = {},
): Uint8Array {
  const named = slots.map(({ name, offset, size }) => [name, flat.slice(offset, offset + size)]);
  return replaceParameters(model, Object.fromEntries(named), metadata);
}

/** Interpolates from `from` to `to`. */
export function blend(from: Float32Array, to: Float32Array, t: number): Float32Array {
  return from.map((value, i) => value + t * (to[i] - value));
}

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
