import { add, leakyRelu, matmul, type Tensor, widthOf } from "./ops.ts";
import type { Scope } from "./parameters.ts";

/** x W + b over the last axis. */
export function linear(scope: Scope, name: string, x: Tensor, width: number, gain = 1): Tensor {
  return add(project(scope, name, x, width, gain), bias(scope, name, width));
}

/** x W without a bias, for sums of several projections that share one. */
export function project(scope: Scope, name: string, x: Tensor, width: number, gain = 1): Tensor {
  const input = widthOf(x);
  const W = scope.parameter(`${name}.W`, [input, width], { kaiming: input, gain });
  return matmul(x, W);
}

/** A bias by itself. */
export function bias(scope: Scope, name: string, width: number): Tensor {
  return scope.parameter(`${name}.b`, [width], { constant: 0 });
}

/** A fully connected layer: leakyRelu(x W + b). */
export function dense(scope: Scope, name: string, x: Tensor, width: number): Tensor {
  return leakyRelu(linear(scope, name, x, width));
}
