import { edgeConv } from "./edge-conv.ts";
import { linear } from "./linear.ts";
import { concat, leakyRelu, type Tensor } from "./ops.ts";
import type { Scope } from "./parameters.ts";

/**
 * Intra-graph component on the mesh (equation 3): EdgeConv over the one-ring and over the geodesic
 * neighbours, side by side, mixed by one layer; so the reach does not hang on the tessellation.
 *
 * @param x V×F
 * @returns V×width
 */
export function meshConv(
  scope: Scope,
  name: string,
  x: Tensor,
  ring: Tensor,
  ball: Tensor,
  width: number,
): Tensor {
  const near = edgeConv(scope, `${name}.ring`, x, ring, width);
  const wide = edgeConv(scope, `${name}.ball`, x, ball, width);
  return leakyRelu(linear(scope, `${name}.mix`, concat([near, wide], 1), width));
}

/** Intra-graph component on the skeleton (equation 2): EdgeConv over connected bones. */
export function skeletonConv(
  scope: Scope,
  name: string,
  x: Tensor,
  boneRing: Tensor,
  width: number,
): Tensor {
  return edgeConv(scope, `${name}.bones`, x, boneRing, width);
}
