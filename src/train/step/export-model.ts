import { exportFunction } from "../../compile/export-function.ts";
import { startJax } from "../../compile/jax.ts";
import { CONFIG_ENTRY, type ModelConfig } from "../../graph/model-config.ts";
import { PAIR_FEATURES } from "../../graph/pair-features.ts";
import { InputError } from "../../input-error.ts";
import { networkInputs, parameterSpecs, predictLogWeights } from "../../network/network.ts";
import {
  add,
  exp,
  log,
  logSoftmax,
  mul,
  reshape,
  slice,
  type Tensor,
  widthOf,
} from "../../network/ops.ts";
import { flatLength, namedScope } from "../../network/parameters.ts";

/**
 * Slots of a chunk pooled at once: half, so that large meshes fit (a step in training keeps all). A quarter
 * saves no memory at 20,000 vertices, and opening a model takes the square of its nodes.
 */
const POOLED_AT_ONCE = 16;

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

/** Weights of heat are raised by this, so that heat alone never rules a bone out. */
const HEAT_FLOOR = 0.05;

/**
 * Log-weights as a finished model gives them: w^(1/temperature) (h + floor)^heat, scaled to sum 1, with
 * w the network's own and h those of heat diffusion.
 *
 * Two witnesses who err for different reasons: the network at characters unlike those it has seen, heat
 * wherever artists do not follow the surface.
 */
function tempered(logp: Tensor, inputs: Record<string, Tensor>, config: ModelConfig): Tensor {
  const { temperature = 1, heat = 0 } = config;
  if (temperature === 1 && heat === 0) return logp;
  const softer = mul(logp, 1 / temperature);
  if (heat === 0) return logSoftmax(softer, -1);
  const prior = add(priorOf(inputs.pairFeatures, logp.shape), HEAT_FLOOR);
  return logSoftmax(add(softer, mul(log(prior), heat)), -1);
}

/** V×K weights of heat diffusion, one of the features of a pair. */
function priorOf(features: Tensor | undefined, [V, K]: number[]): Tensor {
  if (!features)
    throw new InputError("Only a network that is given heat diffusion can lean on it.");
  const column = PAIR_FEATURES.indexOf("prior");
  return reshape(slice(reshape(features, [V * K, widthOf(features)]), column, column + 1), [V, K]);
}
