import { valueAndGrad } from "@jax-js/jax";
import type { InputSpec } from "../graph/graph-feeds.ts";
import type { ModelConfig } from "../graph/model-config.ts";
import { adamW } from "./adam-w.ts";
import { skinLoss } from "./loss.ts";
import { dropoutWidths, networkInputs, predictLogWeights } from "./network.ts";
import { concat, reshape, type Tensor } from "./ops.ts";
import { flatLength, namedScope, type ParameterSpec, splitFlat } from "./parameters.ts";
import { keptSlots, SMOOTH_NEIGHBOURS } from "./step-slots.ts";
import { renewed, SCALARS, STATE_NAMES } from "./step-state.ts";

/** Named inputs of a whole training step. */
export function trainStepInputs(
  config: ModelConfig,
  specs: ParameterSpec[],
): Record<string, InputSpec> {
  const N = flatLength(specs);
  const k = config.graph.k;
  const vector: InputSpec = { dtype: "float32", shape: [N] };
  const scalar: InputSpec = { dtype: "float32", shape: [] };
  const inputs: Record<string, InputSpec> = {
    ...Object.fromEntries(STATE_NAMES.map((name) => [name, vector])),
    decay: vector,
    ...networkInputs(config),
    ring: { dtype: "int32", shape: ["V", keptSlots(config.graph.ring, config.edgeDropout)] },
    ball: { dtype: "int32", shape: ["V", keptSlots(config.graph.ball, config.edgeDropout)] },
    labels: { dtype: "float32", shape: ["V", k] },
    vertexWeight: { dtype: "float32", shape: ["V"] },
    ...Object.fromEntries(SCALARS.map((name) => [name, scalar])),
  };
  if (config.loss.smooth > 0) {
    inputs.smoothRows = { dtype: "int32", shape: ["V", SMOOTH_NEIGHBOURS, k] };
    inputs.smoothValid = { dtype: "float32", shape: ["V", SMOOTH_NEIGHBOURS, k] };
  }
  for (const [name, width] of Object.entries(dropoutWidths(config))) {
    inputs[`dropout.${name}`] = { dtype: "float32", shape: ["G", width] };
  }
  return inputs;
}

/**
 * One training step as one function of named tensors: forward, backward, AdamW.
 *
 * @returns the function; its outputs are the renewed state, `loss` and `norm` (of the gradient)
 */
export function trainStepFunction(
  config: ModelConfig,
  specs: ParameterSpec[],
): (inputs: Record<string, Tensor>) => Record<string, Tensor> {
  return (inputs) => {
    const [loss, gradient] = lossAndGradient(config, specs, inputs);
    const { parameters, first, second, average, decay } = inputs;
    const { learningRate, firstCorrection, secondCorrection, averageRate, weightDecay } = inputs;
    const { norm, ...next } = adamW({ parameters, first, second, average }, gradient, decay, {
      ...{ learningRate, firstCorrection, secondCorrection, averageRate, weightDecay },
    });
    const outputs: Record<string, Tensor> = { loss, norm };
    for (const name of STATE_NAMES) outputs[renewed(name)] = next[name];
    return outputs;
  };
}

/** The loss of a batch and its gradient as one flat vector. */
export function lossAndGradient(
  config: ModelConfig,
  specs: ParameterSpec[],
  inputs: Record<string, Tensor>,
): [Tensor, Tensor] {
  const masks = Object.fromEntries(
    Object.keys(dropoutWidths(config)).map((name) => [name, inputs[`dropout.${name}`]]),
  );
  const lossOf = (arrays: Record<string, Tensor>): Tensor => {
    const given = Object.keys(masks).length > 0 ? masks : undefined;
    const logp = predictLogWeights(namedScope(arrays), inputs, config, given);
    const { labels, vertexWeight, smoothRows, smoothValid } = inputs;
    return skinLoss(logp, { labels, vertexWeight, smoothRows, smoothValid }, config.loss);
  };
  const [loss, gradients] = valueAndGrad(lossOf)(splitFlat(inputs.parameters, specs));
  const flat = specs.map((spec) => reshape(gradients[spec.name], [spec.size]));
  return [loss, joinInTree(flat)];
}

/** Most arrays one concatenation may take: GPUs bind few buffers to one program. */
const JOINED_AT_ONCE = 7;

function joinInTree(list: Tensor[]): Tensor {
  if (list.length <= JOINED_AT_ONCE) return concat(list, 0);
  const joined: Tensor[] = [];
  for (let i = 0; i < list.length; i += JOINED_AT_ONCE) {
    joined.push(concat(list.slice(i, i + JOINED_AT_ONCE), 0));
  }
  return joinInTree(joined);
}
