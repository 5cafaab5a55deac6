import { startJax } from "../compile/jax.ts";
import { CONFIG_ENTRY, type ModelConfig, readModelConfig } from "../graph/model-config.ts";
import { InputError } from "../input-error.ts";
import { parameterSpecs } from "../network/parameter-specs.ts";
import { flatLength } from "../network/parameters.ts";
import { readOnnx, requireMetadata } from "../onnx/onnx-reader.ts";

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
