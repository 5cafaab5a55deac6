import {
  add,
  leakyRelu,
  matmul,
  max,
  mul,
  reciprocal,
  reshape,
  sqrt,
  square,
  sum,
  type Tensor,
  take,
  widthOf,
} from "./ops.ts";
import type { Scope } from "./parameters.ts";

/** Returns x W + b over the last axis. */
export function linear(scope: Scope, name: string, x: Tensor, width: number, gain = 1): Tensor {
  return add(project(scope, name, x, width, gain), bias(scope, name, width));
}

/** Returns x W without a bias, for sums of several projections that share one. */
export function project(scope: Scope, name: string, x: Tensor, width: number, gain = 1): Tensor {
  const input = widthOf(x);
  const W = scope.parameter(`${name}.W`, [input, width], { kaiming: input, gain });
  return matmul(x, W);
}

/** Returns a bias alone. */
export function bias(scope: Scope, name: string, width: number): Tensor {
  return scope.parameter(`${name}.b`, [width], { constant: 0 });
}

/** A fully connected layer: leakyRelu(x W + b). */
export function dense(scope: Scope, name: string, x: Tensor, width: number): Tensor {
  return leakyRelu(linear(scope, name, x, width));
}

/** Avoids division by zero on an all-zero row. */
const EPSILON = 1e-5;

/**
 * Normalizes each row to root mean square 1, then scales it by a learned gain.
 *
 * Based on: Zhang, Sennrich. Root Mean Square Layer Normalization. 2019. (Layer normalization without the
 * mean: as good here, with half the passes over memory.)
 *
 * @param x N×F
 */
export function rmsNorm(scope: Scope, name: string, x: Tensor): Tensor {
  const width = widthOf(x);
  const gain = scope.parameter(`${name}.gain`, [width], { constant: 1 });
  const power = mul(sum(square(x), -1), 1 / width);
  const scale = reciprocal(sqrt(add(power, EPSILON)));
  return mul(mul(x, reshape(scale, [...x.shape.slice(0, -1), 1])), gain);
}

/**
 * EdgeConv with one layer: f'_i = max_j act(W [f_i ; f_i - f_j] + b) over the neighbors j of i (equation 2).
 *
 * A monotone activation commutes with the maximum, so with W = [W1 ; W2] this is exactly
 * act((W1 + W2) f_i + b + max_j (-W2 f_j)): two products per node instead of one per edge. The parameters here
 * are P = W1 + W2 and Q = -W2, a one-to-one change of variables.
 *
 * Based on: Wang et al. Dynamic Graph CNN for Learning on Point Clouds. 2019.
 *
 * @param x N×F
 * @param neighbors N×D indices, rows padded with their own entries
 * @returns N×width
 */
export function edgeConv(
  scope: Scope,
  name: string,
  x: Tensor,
  neighbors: Tensor,
  width: number,
): Tensor {
  const own = linear(scope, `${name}.P`, x, width);
  const other = project(scope, `${name}.Q`, x, width);
  return leakyRelu(add(own, max(take(other, neighbors), 1)));
}
