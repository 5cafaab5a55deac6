import { startJax } from "../../compile/jax.ts";
import { CONFIG_ENTRY, type ModelConfig, readModelConfig } from "../../graph/model-config.ts";
import { InputError } from "../../input-error.ts";
import { sameSettings } from "../../learn/sample-settings.ts";
import { parameterSpecs } from "../../network/network.ts";
import { flatLength } from "../../network/parameters.ts";
import { readOnnx, requireMetadata } from "../../onnx/onnx-reader.ts";

/** Reads the configuration and the flat parameters of a trained model. */
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
        `The model has no parameter "${name}" of size ${size}; it was written by another version.`,
      );
    }
    parameters.set(stored.data, offset);
  }
  return { config, parameters };
}

/**
 * Reads the parameters of models of the same architecture; throws `InputError` for others.
 *
 * @param read returns a model's bytes by name
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
        `${name} has another architecture or measures characters differently; use models of the same preset.`,
      );
    }
    list.push(other.parameters);
  }
  return list;
}

/** Returns the part of a configuration that defines inputs and parameters. */
function kindOf(config: ModelConfig): Partial<ModelConfig> {
  const { temperature, heat, loss, dropout, edgeDropout, preset, ...kind } = config;
  return kind;
}

/**
 * Averages the parameters of networks of the same architecture, which only helps networks
 * fine-tuned from a common one.
 *
 * Based on: Wortsman et al. Robust fine-tuning of zero-shot models. 2022.
 *
 * Based on: Wortsman et al. Robust fine-tuning of zero-shot models. 2022.
 */
export function meanParameters(list: Float32Array[]): Float32Array {
  const mean = new Float32Array(list[0].length);
  for (const parameters of list) {
    for (let i = 0; i < mean.length; i++) mean[i] += parameters[i] / list.length;
  }
  return mean;
}
