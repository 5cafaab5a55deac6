import { dense } from "./linear.ts";
import { concat, mul, reshape, type Tensor, widthOf } from "./ops.ts";
import type { Scope } from "./parameters.ts";
import { lastAxis, poolSegments, type SegmentTensors, spreadSegments } from "./segment-pool.ts";

/** The paper multiplies variances by this "for training stability". */
export const VARIANCE_SCALE = 0.1;

/**
 * Bone-to-vertex convolution (equation 5): each vertex takes in the features of its K nearest
 * bones, in the order of their distance.
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

/** The features of each vertex's candidate bones side by side, zero in empty slots; V×(K·Fb). */
export function gatherBones(bones: Tensor, bonePairs: SegmentTensors, pairValid: Tensor): Tensor {
  const near = mul(spreadSegments(bones, bonePairs), lastAxis(pairValid));
  const [V, K, width] = near.shape;
  return reshape(near, [V, K * width]);
}

/**
 * Vertex-to-bone convolution (equation 4): each bone takes in maximum, mean and 0.1 x variance of
 * the vertices that have it among their K nearest.
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
  // One row a pair: the vertex's features once for each of its bones.
  const pairs = reshape(mul(reshape(vertices, [V, 1, F]), lastAxis(pairValid)), [V * K, F]);
  const pooled = poolSegments(pairs, bonePairs);
  const seen = [pooled.max, pooled.mean, mul(pooled.variance, VARIANCE_SCALE)];
  return dense(scope, `${name}.v2b`, concat([bones, ...seen], 1), width);
}
