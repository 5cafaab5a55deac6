import type { Net } from "./graph-tensors.ts";
import { type HeadDropout, slotHead } from "./heter-skin-net.ts";
import { dense, edgeConv, linear, project } from "./layers.ts";
import {
  add,
  concat,
  exp,
  leakyRelu,
  max,
  mul,
  reciprocal,
  reshape,
  sub,
  sum,
  type Tensor,
  take,
} from "./ops.ts";
import type { Scope } from "./parameters.ts";
import { poolSegments } from "./segment-pool.ts";

/** Attention heads of a graph layer, each of width / HEADS features. */
const HEADS = 4;

/**
 * NeuroSkinning's architecture: a mesh-only graph network on a vertex's position and its nearest bones by
 * Euclidean distance; stacked graph attention blocks with dense connections, a pooled global feature, and fully
 * connected layers.
 *
 * The original labels bones by the joints of one super-skeleton; as in the HeterSkinNet paper, only its
 * architecture and its choice of bones are used.
 *
 * Based on: Liu et al. NeuroSkinning: Automatic Skin Binding for Production Characters with Deep Graph
 * Networks. 2019.
 *
 * @returns V×K scores before the softmax
 */
export function neuroSkinning(net: Net, dropout?: HeadDropout): Tensor {
  const { scope, graph, config } = net;
  const widths = [config.vertex / 4, config.vertex / 2, config.vertex];
  let x = dense(scope, "embed", graph.vertexFeatures, widths[0]);
  const kept: Tensor[] = [];
  widths.forEach((width, layer) => {
    const attended = graphAttention(scope, `layer${layer}.attention`, x, graph.ring, width);
    const direct = edgeConv(scope, `layer${layer}.edge`, x, graph.ring, width);
    x = dense(scope, `layer${layer}.join`, concat([attended, direct], 1), width);
    kept.push(x);
  });
  const parts = poolSegments(x, graph.partVertices).max;
  const pooled = poolSegments(parts, graph.characterParts).max;
  const globals = dense(scope, "global", pooled, config.global);
  return slotHead(net, concat(kept, 1), globals, dropout);
}

/**
 * Graph attention: each head sums its neighbors' features, weighted by a softmax of a score with a term of the
 * vertex and a term of the neighbor.
 *
 * Based on: Veličković et al. Graph Attention Networks. 2018.
 *
 * @param x N×F
 * @param neighbors N×D; short rows are padded with the vertex itself
 * @returns N×width
 */
export function graphAttention(
  scope: Scope,
  name: string,
  x: Tensor,
  neighbors: Tensor,
  width: number,
): Tensor {
  const [N, D] = neighbors.shape;
  const features = linear(scope, `${name}.value`, x, width);
  const own = project(scope, `${name}.own`, x, HEADS);
  const other = project(scope, `${name}.other`, x, HEADS);
  const score = leakyRelu(add(take(other, neighbors), reshape(own, [N, 1, HEADS])));
  const raised = exp(sub(score, reshape(max(score, 1), [N, 1, HEADS])));
  const attention = mul(raised, reshape(reciprocal(sum(raised, 1)), [N, 1, HEADS]));
  const values = reshape(take(features, neighbors), [N, D, HEADS, width / HEADS]);
  const mixed = sum(mul(values, reshape(attention, [N, D, HEADS, 1])), 1);
  return leakyRelu(reshape(mixed, [N, width]));
}
