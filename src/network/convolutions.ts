import { dense, edgeConv, linear } from "./layers.ts";
import { concat, leakyRelu, mul, reshape, type Tensor, widthOf } from "./ops.ts";
import type { Scope } from "./parameters.ts";
import { lastAxis, poolSegments, type SegmentTensors, spreadSegments } from "./segment-pool.ts";

/**
 * Intra-graph component on the mesh (equation 3): EdgeConv over the one-ring and over the geodesic neighbors,
 * mixed by one layer, so that the receptive field does not depend on the tessellation.
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

/** The paper's scale of variances, "for training stability". */
export const VARIANCE_SCALE = 0.1;

/**
 * Bone-to-vertex convolution (equation 5): each vertex receives the features of its K nearest bones, in the
 * order of their distance.
 *
 * @param vertices V×Fv
 * @param bones B×Fb
 * @returns V×width
 */
export function boneToVertex(
  scope: Scope,
  name: string,
  vertices: Tensor,
  bones: Tensor,
  bonePairs: SegmentTensors,
  pairValid: Tensor,
  width: number,
): Tensor {
  const near = gatherBones(bones, bonePairs, pairValid);
  return dense(scope, `${name}.b2v`, concat([vertices, near], 1), width);
}

/** Concatenates the features of each vertex's candidate bones, zero in empty slots; V×(K·Fb). */
export function gatherBones(bones: Tensor, bonePairs: SegmentTensors, pairValid: Tensor): Tensor {
  const near = mul(spreadSegments(bones, bonePairs), lastAxis(pairValid));
  const [V, K, width] = near.shape;
  return reshape(near, [V, K * width]);
}

/**
 * Vertex-to-bone convolution (equation 4): each bone receives maximum, mean and 0.1 × variance of the vertices
 * that have it among their K nearest.
 *
 * @param vertices V×Fv
 * @param bones B×Fb
 * @returns B×width
 */
export function vertexToBone(
  scope: Scope,
  name: string,
  vertices: Tensor,
  bones: Tensor,
  bonePairs: SegmentTensors,
  pairValid: Tensor,
  width: number,
): Tensor {
  const [V, K] = pairValid.shape;
  const F = widthOf(vertices);
  // One row per pair: the vertex's features once for each of its bones.
  const pairs = reshape(mul(reshape(vertices, [V, 1, F]), lastAxis(pairValid)), [V * K, F]);
  const pooled = poolSegments(pairs, bonePairs);
  const seen = [pooled.max, pooled.mean, mul(pooled.variance, VARIANCE_SCALE)];
  return dense(scope, `${name}.v2b`, concat([bones, ...seen], 1), width);
}
