import { CONFIG_ENTRY, type ModelConfig } from "../graph/model-config.ts";
import { InputError } from "../input-error.ts";
import { sameSettings } from "../learn/sample-settings.ts";
import { type ParameterPlace, type StoredStep, stepConfig } from "../learn/step.ts";
import { readOnnx, requireMetadata } from "../onnx/onnx-reader.ts";
import { replaceParameters } from "../onnx/replace-parameters.ts";

/** The configuration a model was made with. */
export function configOf(model: Uint8Array): ModelConfig {
  return JSON.parse(requireMetadata(readOnnx(model), CONFIG_ENTRY)) as ModelConfig;
}

/** Whether a step trains the network of a model. */
export function fits(step: Pick<StoredStep, "config">, config: ModelConfig): boolean {
  return sameSettings(step.config, stepConfig(config));
}

/** The parameters of a model as one flat vector, in the order of a step. */
export function parametersOf(model: Uint8Array, places: ParameterPlace[]): Float32Array {
  const stored = readOnnx(model).parameters;
  const flat = new Float32Array(places.reduce((sum, { size }) => sum + size, 0));
  for (const { name, offset, size } of places) {
    const data = stored[name]?.data;
    if (data?.length !== size) {
      throw new InputError(
        `The model has no parameter "${name}" of ${size} numbers; give the model that the examples were learned with.`,
      );
    }
    flat.set(data, offset);
  }
  return flat;
}

/** The model with these parameters in place of its own, see {@link parametersOf}. */
export function withParameters(
  model: Uint8Array,
  places: ParameterPlace[],
  flat: Float32Array,
  metadata: Record<string, string> = {},
): Uint8Array {
  const named = places.map(({ name, offset, size }) => [name, flat.slice(offset, offset + size)]);
  return replaceParameters(model, Object.fromEntries(named), metadata);
}

/** From `from` a share of the way to `to`. */
export function blend(from: Float32Array, to: Float32Array, share: number): Float32Array {
  return from.map((value, i) => value + share * (to[i] - value));
}
