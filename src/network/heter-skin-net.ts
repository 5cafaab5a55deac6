import { boneToVertex, gatherBones, meshConv, skeletonConv, vertexToBone } from "./convolutions.ts";
import type { GraphTensors, Net } from "./graph-tensors.ts";
import { bias, dense, linear, project } from "./layers.ts";
import { add, concat, leakyRelu, mul, type Tensor } from "./ops.ts";
import { poolSegments, spreadSegments } from "./segment-pool.ts";

/** Dropout masks of the head, one row per character; absent at inference. */
export interface HeadDropout {
  first: Tensor;
  second: Tensor;
}

/**
 * The network of the paper (section 3.3, 4.2): an inter-graph and an intra-graph component, global branches,
 * `blocks` more pairs of components (the paper does not say how many), a last inter-graph component, and the
 * slot head.
 *
 * @returns V×K scores before the softmax
 */
export function heterSkinNet(net: Net, dropout?: HeadDropout): Tensor {
  const { scope, graph, config } = net;
  let vertices = graph.vertexFeatures;
  let bones = graph.boneFeatures;
  const exchange = (name: string, vertexWidth: number, boneWidth: number): void => {
    if (!config.interGraph) return;
    const { bonePairs, pairValid } = graph;
    vertices = boneToVertex(scope, name, vertices, bones, bonePairs, pairValid, vertexWidth);
    bones = vertexToBone(scope, name, vertices, bones, bonePairs, pairValid, boneWidth);
  };
  const convolve = (name: string): void => {
    vertices = meshConv(scope, name, vertices, graph.ring, graph.ball, config.vertex);
    bones = skeletonConv(scope, name, bones, graph.boneRing, config.bone);
  };
  exchange("start.inter", config.vertex / 2, config.bone / 2);
  convolve("start.intra");
  const parts = poolSegments(vertices, graph.partVertices).max;
  const meshGlobal = poolSegments(parts, graph.characterParts).max;
  const boneGlobal = poolSegments(bones, graph.characterBones).max;
  const globals = concat(
    [
      dense(scope, "global.mesh", meshGlobal, config.global),
      dense(scope, "global.bones", boneGlobal, config.global),
    ],
    1,
  );
  for (let block = 0; block < config.blocks; block++) {
    exchange(`block${block}.inter`, config.vertex, config.bone);
    convolve(`block${block}.intra`);
  }
  exchange("end.inter", config.vertex, config.bone);
  const local = concat([vertices, gatherBones(bones, graph.bonePairs, graph.pairValid)], 1);
  return slotHead(net, local, globals, dropout);
}

/** Broadcasts the row of each character to its vertices: G×F to V×F. */
export function spreadCharacters(x: Tensor, graph: GraphTensors): Tensor {
  return spreadSegments(spreadSegments(x, graph.characterParts), graph.partVertices);
}

/**
 * The paper's head: three fully connected layers, [1024, 512, K], on [local, globals]; slot k scores the k-th
 * nearest bone. The globals are projected once per character, which yields the same sum.
 */
export function slotHead(
  { scope, graph, config }: Net,
  local: Tensor,
  globals: Tensor,
  dropout?: HeadDropout,
): Tensor {
  const [wide, narrow] = config.head;
  const own = project(scope, "head.first.local", local, wide);
  const shared = project(scope, "head.first.global", globals, wide);
  const first = add(own, add(spreadCharacters(shared, graph), bias(scope, "head.first", wide)));
  const one = masked(leakyRelu(first), graph, dropout?.first);
  const two = masked(dense(scope, "head.second", one, narrow), graph, dropout?.second);
  return linear(scope, "head.third", two, config.graph.k);
}

function masked(x: Tensor, graph: GraphTensors, mask?: Tensor): Tensor {
  return mask ? mul(x, spreadCharacters(mask, graph)) : x;
}
