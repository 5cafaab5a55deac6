import { meshConv } from "./convolutions.ts";
import type { Net } from "./graph-tensors.ts";
import { type HeadDropout, slotHead } from "./heter-skin-net.ts";
import { dense } from "./layers.ts";
import type { Tensor } from "./ops.ts";
import { poolSegments } from "./segment-pool.ts";

/**
 * RigNet's skinning branch: a vertex network with the K nearest bones as attributes; three graph units of 512,
 * 256 and 256 features (EdgeConv over one-ring and geodesic neighbors), a max-pooled global feature, and the
 * head [1024, 512, K].
 *
 * Based on: Xu et al. RigNet: Neural Rigging for Articulated Characters. 2020.
 *
 * @returns V×K scores before the softmax
 */
export function rigNet(net: Net, dropout?: HeadDropout): Tensor {
  const { scope, graph, config } = net;
  const width = config.vertex;
  const raw = dense(scope, "embed.first", graph.vertexFeatures, width / 4);
  const x0 = dense(scope, "embed.second", raw, width / 8);
  const x1 = meshConv(scope, "unit1", x0, graph.ring, graph.ball, width);
  const parts = poolSegments(x1, graph.partVertices).max;
  const pooled = poolSegments(parts, graph.characterParts).max;
  const hidden = dense(scope, "global.first", pooled, config.global);
  const globals = dense(scope, "global.second", hidden, config.global);
  const x2 = meshConv(scope, "unit2", x1, graph.ring, graph.ball, width / 2);
  const x3 = meshConv(scope, "unit3", x2, graph.ring, graph.ball, width / 2);
  return slotHead(net, x3, globals, dropout);
}
