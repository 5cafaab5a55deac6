import { startJax } from "../../compile/jax.ts";
import { CONFIG_ENTRY, type ModelConfig, readModelConfig } from "../../graph/model-config.ts";
import { InputError } from "../../input-error.ts";
import { sameSettings } from "../../learn/sample-settings.ts";
import { parameterSpecs } from "../../network/network.ts";
import { flatLength } from "../../network/parameters.ts";
import { readOnnx, requireMetadata } from "../../onnx/onnx-reader.ts";

/** Takes a trained model apart: its configuration, and its parameters as one flat vector. */
export async function readParameters(
  model: Uint8Array,
): Promise<{ config: ModelConfig; parameters: Float32Array }> {
  const onnx = readOnnx(model);
  const config = readModelConfig(requireMetadata(onnx, CONFIG_ENTRY));
  await startJax();
  const specs = parameterSpecs(config);
  const parameters = new Float32Array(flatLength(specs));
  for (const { name, offset, size } of specs) {
    const stored = onnx.parameters[name];
    if (stored?.data.length !== size) {
      throw new InputError(
        `The model has no parameter "${name}" of ${size} numbers; it was written by another version.`,
      );
    }
    parameters.set(stored.data, offset);
  }
  return { config, parameters };
}

/**
 * The parameters of models that are of one kind with a network; `InputError` where one is not.
 *
 * @param read gives a model's bytes by its name
 */
export async function parametersLike(
  config: ModelConfig,
  names: string[],
  read: (name: string) => Uint8Array | Promise<Uint8Array>,
): Promise<Float32Array[]> {
  const list: Float32Array[] = [];
  for (const name of names) {
    const other = await readParameters(await read(name));
    if (!sameSettings(kindOf(other.config), kindOf(config))) {
      throw new InputError(
        `${name} is a network of another kind: it is built, or measures characters, differently; name models of the same preset.`,
      );
    }
    list.push(other.parameters);
  }
  return list;
}

/** What a network sees and which parameters it has, however it was trained. */
function kindOf(config: ModelConfig): Partial<ModelConfig> {
  const { temperature, heat, loss, dropout, edgeDropout, preset, ...kind } = config;
  return kind;
}

/**
 * The mean of the parameters of several networks of one kind.
 *
 * Of a network and what it became by going on from there, the mean is often better than both, and it costs
 * no more to run. Networks that were trained apart have nothing in common to take the mean of.
 * Based on: Wortsman et al. Robust fine-tuning of zero-shot models. 2022.
 */
export function meanParameters(list: Float32Array[]): Float32Array {
  const mean = new Float32Array(list[0].length);
  for (const parameters of list) {
    for (let i = 0; i < mean.length; i++) mean[i] += parameters[i] / list.length;
  }
  return mean;
}
