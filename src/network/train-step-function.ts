import { valueAndGrad } from "@jax-js/jax";
import type { InputSpec } from "../graph/graph-feeds.ts";
import type { ModelConfig } from "../graph/model-config.ts";
import { adamW } from "./adam-w.ts";
import { skinLoss } from "./loss.ts";
import { dropoutWidths, networkInputs, predictLogWeights } from "./network.ts";
import { add, concat, exp, logSoftmax, mul, reshape, slice, type Tensor } from "./ops.ts";
import { flatLength, namedScope, type ParameterSpec, splitFlat } from "./parameters.ts";
import { keptSlots, renewed, SCALARS, SMOOTH_NEIGHBORS, STATE_NAMES } from "./step-state.ts";

/** Distillation from networks of the same kind. */
export interface Teaching {
  /** Number of teachers; their parameters are the input `teachers`, concatenated. */
  teachers: number;
  /** Weight of the teachers' prediction in the labels; the artist's weights have the rest. */
  share: number;
}

/** No teachers: the labels are the artist's weights. */
export const NO_TEACHERS: Teaching = { teachers: 0, share: 0 };

/** Returns the named inputs of a training step. */
export function trainStepInputs(
  config: ModelConfig,
  specs: ParameterSpec[],
  { teachers }: Teaching = NO_TEACHERS,
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
    ...(config.graph.pairRing && {
      pairRing: {
        dtype: "int32" as const,
        shape: [
          "V",
          k,
          Math.min(config.graph.pairRing, keptSlots(config.graph.ring, config.edgeDropout)),
        ],
      },
    }),
    labels: { dtype: "float32", shape: ["V", k] },
    vertexWeight: { dtype: "float32", shape: ["V"] },
    ...Object.fromEntries(SCALARS.map((name) => [name, scalar])),
  };
  if (config.loss.smooth > 0) {
    inputs.smoothRows = { dtype: "int32", shape: ["V", SMOOTH_NEIGHBORS, k] };
    inputs.smoothValid = { dtype: "float32", shape: ["V", SMOOTH_NEIGHBORS, k] };
  }
  if (config.loss.motion) inputs.moves = { dtype: "float32", shape: ["V", k, 3] };
  if (config.loss.tree) inputs.subtree = { dtype: "float32", shape: ["V", k, k] };
  if (teachers > 0) inputs.teachers = { dtype: "float32", shape: [teachers * N] };
  for (const [name, width] of Object.entries(dropoutWidths(config))) {
    inputs[`dropout.${name}`] = { dtype: "float32", shape: ["G", width] };
  }
  return inputs;
}

/**
 * Returns one training step as a function of named tensors: forward, backward, AdamW.
 *
 * Its outputs are the next state, `loss` and `norm` (of the gradient).
 */
export function trainStepFunction(
  config: ModelConfig,
  specs: ParameterSpec[],
  teaching: Teaching = NO_TEACHERS,
): (inputs: Record<string, Tensor>) => Record<string, Tensor> {
  return (inputs) => {
    const [loss, gradient] = lossAndGradient(config, specs, inputs, teaching);
    const { parameters, first, second, average, decay } = inputs;
    const { learningRate, firstCorrection, secondCorrection, averageRate, weightDecay } = inputs;
    const { norm, ...next } = adamW({ parameters, first, second, average }, gradient, decay, {
      learningRate,
      firstCorrection,
      secondCorrection,
      averageRate,
      weightDecay,
    });
    const outputs: Record<string, Tensor> = { loss, norm };
    for (const name of STATE_NAMES) outputs[renewed(name)] = next[name];
    return outputs;
  };
}

/** Returns the loss of a batch and its gradient as one flat vector. */
export function lossAndGradient(
  config: ModelConfig,
  specs: ParameterSpec[],
  inputs: Record<string, Tensor>,
  teaching: Teaching = NO_TEACHERS,
): [Tensor, Tensor] {
  const labels = taughtLabels(config, specs, inputs, teaching);
  const masks = Object.fromEntries(
    Object.keys(dropoutWidths(config)).map((name) => [name, inputs[`dropout.${name}`]]),
  );
  const lossOf = (arrays: Record<string, Tensor>): Tensor => {
    const given = Object.keys(masks).length > 0 ? masks : undefined;
    const logp = predictLogWeights(namedScope(arrays), inputs, config, given);
    const { vertexWeight, smoothRows, smoothValid, moves, subtree } = inputs;
    const target = { labels, vertexWeight, smoothRows, smoothValid, moves, subtree };
    return skinLoss(logp, target, config.loss);
  };
  const [loss, gradients] = valueAndGrad(lossOf)(splitFlat(inputs.parameters, specs));
  const flat = specs.map((spec) => reshape(gradients[spec.name], [spec.size]));
  return [loss, joinInTree(flat)];
}

/**
 * Mixes the artist's weights with the teachers' prediction for the same batch: the mean of their log-weights,
 * so that a bone counts only if no teacher rules it out.
 *
 * Based on: Hinton, Vinyals, Dean. Distilling the Knowledge in a Neural Network. 2015.
 */
function taughtLabels(
  config: ModelConfig,
  specs: ParameterSpec[],
  inputs: Record<string, Tensor>,
  { teachers, share }: Teaching,
): Tensor {
  if (teachers === 0) return inputs.labels;
  const N = flatLength(specs);
  const answers = Array.from({ length: teachers }, (_, i) => {
    const parameters = slice(inputs.teachers, i * N, (i + 1) * N);
    return predictLogWeights(namedScope(splitFlat(parameters, specs)), inputs, config);
  });
  const together = mul(
    answers.reduce((sum, logp) => add(sum, logp)),
    1 / teachers,
  );
  return add(mul(inputs.labels, 1 - share), mul(exp(logSoftmax(together, -1)), share));
}

/** Maximum arrays in one concatenation: GPUs bind few buffers to one program. */
const JOINED_AT_ONCE = 7;

function joinInTree(list: Tensor[]): Tensor {
  if (list.length <= JOINED_AT_ONCE) return concat(list, 0);
  const joined: Tensor[] = [];
  for (let i = 0; i < list.length; i += JOINED_AT_ONCE) {
    joined.push(concat(list.slice(i, i + JOINED_AT_ONCE), 0));
  }
  return joinInTree(joined);
}
