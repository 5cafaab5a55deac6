import {
  add,
  maximum,
  minimum,
  mul,
  reciprocal,
  sqrt,
  square,
  sub,
  sum,
  type Tensor,
} from "./ops.ts";
import { BETA1, BETA2 } from "./step-state.ts";

/** State of the optimizer between steps, each as one flat vector. */
export interface OptimizerState {
  parameters: Tensor;
  /** First and second moment of the gradient. */
  first: Tensor;
  second: Tensor;
  /** Exponential moving average of the parameters, which is evaluated and exported. */
  average: Tensor;
}

/** Scalars of one step. */
export interface StepScalars {
  learningRate: Tensor;
  /** 1 / (1 - beta1^t) and 1 / (1 - beta2^t). */
  firstCorrection: Tensor;
  secondCorrection: Tensor;
  averageRate: Tensor;
  weightDecay: Tensor;
}

const EPSILON = 1e-8;
const CLIP = 1;

/**
 * One step of AdamW with clipped gradient and averaged parameters.
 *
 * Based on: Loshchilov, Hutter. Decoupled Weight Decay Regularization. 2019; Kingma, Ba. Adam. 2015.
 *
 * @param decay per parameter, 1 where weight decay applies
 */
export function adamW(
  state: OptimizerState,
  gradient: Tensor,
  decay: Tensor,
  scalars: StepScalars,
): OptimizerState & { norm: Tensor } {
  const norm = sqrt(sum(square(gradient)));
  const scale = minimum(mul(reciprocal(maximum(norm, EPSILON)), CLIP), 1);
  const g = mul(gradient, scale);
  const first = add(mul(state.first, BETA1), mul(g, 1 - BETA1));
  const second = add(mul(state.second, BETA2), mul(square(g), 1 - BETA2));
  const size = add(sqrt(mul(second, scalars.secondCorrection)), EPSILON);
  const move = mul(mul(first, scalars.firstCorrection), reciprocal(size));
  const pull = mul(mul(state.parameters, decay), scalars.weightDecay);
  const parameters = sub(state.parameters, mul(add(move, pull), scalars.learningRate));
  const average = add(state.average, mul(sub(parameters, state.average), scalars.averageRate));
  return { parameters, first, second, average, norm };
}
