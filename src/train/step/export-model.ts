import { exportFunction } from "../../compile/export-function.ts";
import { startJax } from "../../compile/jax.ts";
import { CONFIG_ENTRY, type ModelConfig } from "../../graph/model-config.ts";
import { PAIR_FEATURES } from "../../graph/pair-features.ts";
import { InputError } from "../../input-error.ts";
import { networkInputs, parameterSpecs, predictLogWeights } from "../../network/network.ts";
import type { Tensor } from "../../network/ops.ts";
import { add, exp, log, logSoftmax, mul, reshape, slice, widthOf } from "../../network/ops.ts";
import { flatLength, namedScope } from "../../network/parameters.ts";

/**
 * Slots of a chunk pooled at once: half of those in training, so that large meshes fit. A quarter
 * saves no memory at 20,000 vertices, and load time is quadratic in the number of nodes.
 */
const POOLED_AT_ONCE = 16;

/**
 * Exports a network as an ONNX model that predicts the weights of the candidate bones.
 *
 * @param parameters flat, in the order of the network's parameter list
 * @param notes extra metadata, such as scores and training data
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
  const data = (offset: number, size: number) => parameters.slice(offset, offset + size);
  const initializers = Object.fromEntries(
    specs.map(({ name, shape, offset, size }) => [name, { shape, data: data(offset, size) }]),
  );
  return exportFunction({
    fn: (inputs) => {
      const scope = namedScope(inputs);
      const logp = predictLogWeights(scope, inputs, config, undefined, POOLED_AT_ONCE);
      return { weights: exp(tempered(logp, inputs, config)) };
    },
    inputs: networkInputs(config),
    initializers,
    half,
    anonymousSizes: true,
    metadata: { ...notes, [CONFIG_ENTRY]: JSON.stringify(config) },
  }).model;
}

/** Added to heat weights, so that heat alone never excludes a bone. */
const HEAT_FLOOR = 0.05;

/**
 * Returns the log of w^(1/temperature) (h + floor)^heat, normalized, with the network's weights w
 * and heat diffusion weights h. The two err for different reasons: the network on unfamiliar
 * characters, heat where artists do not follow the surface.
 */
function tempered(logp: Tensor, inputs: Record<string, Tensor>, config: ModelConfig): Tensor {
  const { temperature = 1, heat = 0 } = config;
  if (temperature === 1 && heat === 0) return logp;
  const softer = mul(logp, 1 / temperature);
  if (heat === 0) return logSoftmax(softer, -1);
  const prior = add(priorOf(inputs.pairFeatures, logp.shape), HEAT_FLOOR);
  return logSoftmax(add(softer, mul(log(prior), heat)), -1);
}

/** Returns the heat diffusion weights (V×K), one of the pair features. */
function priorOf(features: Tensor | undefined, [V, K]: number[]): Tensor {
  if (!features)
    throw new InputError("Only a network with heat diffusion as input can be blended with it.");
  const column = PAIR_FEATURES.indexOf("prior");
  return reshape(slice(reshape(features, [V * K, widthOf(features)]), column, column + 1), [V, K]);
}
