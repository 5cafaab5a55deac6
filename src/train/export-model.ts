import { CONFIG_ENTRY, type ModelConfig } from "../graph/model-config.ts";
import { networkInputs, predictLogWeights } from "../network/network.ts";
import { exp, logSoftmax, mul, type Tensor } from "../network/ops.ts";
import { parameterSpecs } from "../network/parameter-specs.ts";
import { flatLength, namedScope } from "../network/parameters.ts";
import { exportFunction } from "../onnx/export-function.ts";
import { startJax } from "../onnx/jax.ts";

/** Slots of a chunk pooled at once: a quarter, so that large meshes fit (a step in training keeps all). */
const POOLED_AT_ONCE = 8;

/**
 * Writes a network with its parameters as an ONNX model that gives the weights of the candidate bones.
 *
 * @param parameters flat, in the order of the network's parameter list
 * @param notes more metadata entries, such as scores and the data it was trained on
 * @param half stores the parameters in half precision
 */
export async function exportModel(
  config: ModelConfig,
  parameters: Float32Array,
  notes: Record<string, string> = {},
  half = false,
): Promise<Uint8Array> {
  await startJax();
  const specs = parameterSpecs(config);
  if (parameters.length !== flatLength(specs)) {
    throw new Error(
      `exportModel: ${config.preset} has ${flatLength(specs)} parameters, got ${parameters.length}.`,
    );
  }
  const initializers = Object.fromEntries(
    specs.map(({ name, shape, offset, size }) => [
      name,
      { shape, data: parameters.slice(offset, offset + size) },
    ]),
  );
  const { temperature = 1 } = config;
  return exportFunction({
    fn: (inputs) => {
      const scope = namedScope(inputs);
      const logp = predictLogWeights(scope, inputs, config, undefined, POOLED_AT_ONCE);
      return { weights: exp(temperature === 1 ? logp : soften(logp, temperature)) };
    },
    inputs: networkInputs(config),
    initializers,
    half,
    anonymousSizes: true,
    metadata: { ...notes, [CONFIG_ENTRY]: JSON.stringify(config) },
  }).model;
}

/** The softmax of scores / temperature, from the log of the softmax of the scores. */
function soften(logp: Tensor, temperature: number): Tensor {
  return logSoftmax(mul(logp, 1 / temperature), -1);
}
