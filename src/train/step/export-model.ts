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

/** Slots of a chunk pooled at once: half, so that large meshes fit. Fewer would slow down loading. */
const POOLED_AT_ONCE = 16;

/**
 * Exports a network with its parameters as an ONNX model that returns the weights of the candidate bones.
 *
 * @param parameters flat, in the order of the network's parameter list
 * @param notes additional metadata entries
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
  const expected = flatLength(specs);
  if (parameters.length !== expected) {
    const got = parameters.length;
    throw new Error(`exportModel: ${config.preset} has ${expected} parameters, got ${got}.`);
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

/** Added to heat weights, so that heat alone never excludes a bone. */
const HEAT_FLOOR = 0.05;

/**
 * Log-weights of a finished model: w^(1/temperature) (h + floor)^heat, normalized, with the network's weights w
 * and those of heat diffusion h, which have independent errors: the network's on characters unlike the training
 * data, heat's where artists do not follow the surface.
 */
function tempered(logp: Tensor, inputs: Record<string, Tensor>, config: ModelConfig): Tensor {
  const { temperature = 1, heat = 0 } = config;
  if (temperature === 1 && heat === 0) return logp;
  const softer = mul(logp, 1 / temperature);
  if (heat === 0) return logSoftmax(softer, -1);
  const prior = add(priorOf(inputs.pairFeatures, logp.shape), HEAT_FLOOR);
  return logSoftmax(add(softer, mul(log(prior), heat)), -1);
}

/** V×K heat weights, one of the pair features. */
function priorOf(features: Tensor | undefined, [V, K]: number[]): Tensor {
  if (!features) throw new InputError("This network has no heat diffusion input to mix in.");
  const column = PAIR_FEATURES.indexOf("prior");
  return reshape(slice(reshape(features, [V * K, widthOf(features)]), column, column + 1), [V, K]);
}
