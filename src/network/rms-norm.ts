import { add, mul, reciprocal, reshape, sqrt, square, sum, type Tensor, widthOf } from "./ops.ts";
import type { Scope } from "./parameters.ts";

/** Keeps the root away from zero on an all-zero row. */
const EPSILON = 1e-5;

/**
 * Scales each row to root mean square 1, then by a learned gain.
 *
 * Based on: Zhang, Sennrich. Root Mean Square Layer Normalization. 2019. (Layer normalisation
 * without the mean: as good here, and half the passes over memory.)
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
