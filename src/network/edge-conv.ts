import { linear, project } from "./linear.ts";
import { add, leakyRelu, max, type Tensor, take } from "./ops.ts";
import type { Scope } from "./parameters.ts";

/**
 * EdgeConv with one layer: f'_i = max_j act(W [f_i ; f_i - f_j] + b) over the neighbours j of i
 * (equation 2).
 *
 * A monotone activation commutes with the maximum, so with W = [W1 ; W2] this is exactly
 * act((W1 + W2) f_i + b + max_j (-W2 f_j)): two products a node instead of one an edge. The
 * parameters here are P = W1 + W2 and Q = -W2, a one-to-one change of variables.
 *
 * Based on: Wang, Sun, Liu, Sarma, Bronstein, Solomon. Dynamic Graph CNN for Learning on Point
 * Clouds. 2019.
 *
 * @param x N×F
 * @param neighbours N×D indices, rows padded with their own entries
 * @returns N×width
 */
export function edgeConv(
  scope: Scope,
  name: string,
  x: Tensor,
  neighbours: Tensor,
  width: number,
): Tensor {
  const own = linear(scope, `${name}.P`, x, width);
  const other = project(scope, `${name}.Q`, x, width);
  return leakyRelu(add(own, max(take(other, neighbours), 1)));
}
