import { meshConv, skeletonConv, VARIANCE_SCALE } from "./convolutions.ts";
import type { GraphTensors, Net } from "./graph-tensors.ts";
import { spreadCharacters } from "./heter-skin-net.ts";
import { bias, dense, linear, project, rmsNorm } from "./layers.ts";
import {
  add,
  concat,
  leakyRelu,
  max,
  maximum,
  mul,
  reciprocal,
  reshape,
  slice,
  sub,
  sum,
  type Tensor,
  take,
  widthOf,
} from "./ops.ts";
import type { Scope } from "./parameters.ts";
import { absence, lastAxis, poolSegments, spreadSegments } from "./segment-pool.ts";

/** Dropout masks before the head, one row per character; absent at inference. */
export interface PairDropout {
  vertex: Tensor;
  pair: Tensor;
}

/** Initial gain of residual branches, so that a deep stack starts near the identity. */
const BRANCH_GAIN = 0.3;

/** The features passed between components: V×Fv, B×Fb and (V·K)×Fp. */
interface State {
  vertices: Tensor;
  bones: Tensor;
  pairs: Tensor;
}

/**
 * The default network: the paper's components around a third kind of state, the pair of a vertex and a
 * candidate bone.
 *
 * One shared scorer judges each pair, so the result does not depend on rank order, K may vary, and each
 * character provides V·K examples of one question. Components are residual with RMS normalization; vertices
 * also receive features of their connected component and of the whole character.
 *
 * @returns V×K scores before the softmax
 */
export function pairNet(net: Net, dropout?: PairDropout): Tensor {
  let state = embed(net);
  for (let block = 0; block < net.config.blocks; block++) {
    state = convolve(net, `block${block}`, state);
    if (net.config.interGraph) state = exchange(net, `block${block}`, state);
  }
  return pairHead(net, state, dropout);
}

function embed({ scope, graph, config }: Net): State {
  if (!graph.pairFeatures) throw new Error("pairNet: needs the extended feature set.");
  const [V, K, width] = graph.pairFeatures.shape;
  const input = reshape(graph.pairFeatures, [V * K, width]);
  const hidden = dense(scope, "embed.pair.first", input, config.pair);
  const pairs = dense(scope, "embed.pair.second", hidden, config.pair);
  const vertices = dense(
    scope,
    "embed.vertex",
    concat([graph.vertexFeatures, ...overCandidates(pairs, graph)], 1),
    config.vertex,
  );
  const bones = dense(
    scope,
    "embed.bone",
    concat([graph.boneFeatures, ...overPairs(pairs, graph)], 1),
    config.bone,
  );
  return { vertices, bones, pairs };
}

/** Intra-graph components, with features of the connected component and the character. */
function convolve(net: Net, name: string, state: State): State {
  const { scope, graph, config } = net;
  const x = rmsNorm(scope, `${name}.intra.vertex`, state.vertices);
  const mixed = meshConv(scope, `${name}.intra`, x, graph.ring, graph.ball, config.vertex);
  const wide = add(mixed, surroundings(net, `${name}.around`, x));
  const vertices = add(
    state.vertices,
    linear(scope, `${name}.intra.out`, leakyRelu(wide), config.vertex, BRANCH_GAIN),
  );
  const y = rmsNorm(scope, `${name}.intra.bone`, state.bones);
  const near = skeletonConv(scope, `${name}.intra`, y, graph.boneRing, config.bone);
  const character = poolSegments(y, graph.characterBones);
  const all = dense(
    scope,
    `${name}.skeleton`,
    concat([character.max, character.mean], 1),
    config.bone,
  );
  const heard = concat([near, spreadSegments(all, graph.characterBones)], 1);
  const bones = add(
    state.bones,
    linear(scope, `${name}.intra.bone.out`, heard, config.bone, BRANCH_GAIN),
  );
  return { ...state, vertices, bones };
}

/** Global branch in two levels: each connected component, and the character over its components. */
function surroundings({ scope, graph, config }: Net, name: string, x: Tensor): Tensor {
  const part = poolSegments(x, graph.partVertices);
  const character = poolSegments(part.max, graph.characterParts);
  const global = project(
    scope,
    `${name}.character`,
    dense(scope, `${name}.global`, concat([character.max, character.mean], 1), config.global),
    config.vertex,
  );
  const own = linear(scope, `${name}.part`, concat([part.max, part.mean], 1), config.vertex);
  const both = leakyRelu(add(own, spreadSegments(global, graph.characterParts)));
  return spreadSegments(both, graph.partVertices);
}

/** Inter-graph component: vertex and bone meet in their pair, and both receive from their pairs. */
function exchange(net: Net, name: string, state: State): State {
  const { scope, graph, config } = net;
  const met = meet(net, `${name}.inter`, state);
  const own = add(
    state.pairs,
    linear(scope, `${name}.inter.pair.out`, met, config.pair, BRANCH_GAIN),
  );
  const pairs = config.along ? add(own, along(net, `${name}.along`, own)) : own;
  const heard = concat([state.vertices, ...overCandidates(met, graph)], 1);
  const vertices = add(state.vertices, dense(scope, `${name}.inter.b2v`, heard, config.vertex));
  const gathered = concat([state.bones, ...overPairs(met, graph)], 1);
  const bones = add(state.bones, dense(scope, `${name}.inter.v2b`, gathered, config.bone));
  return { vertices, bones, pairs };
}

/**
 * Messages along the mesh between the pairs of one bone, so that neighboring vertices draw its border together:
 * EdgeConv over the pairs of the neighbors that have the bone, and their mean.
 */
export function along({ scope, graph, config }: Net, name: string, pairs: Tensor): Tensor {
  const { pairRing, pairShared } = graph;
  if (!pairRing || !pairShared) throw new Error("pairNet: the graph lacks the pairs of neighbors.");
  const width = config.along!;
  const [V, K, slots] = pairRing.shape;
  const rows = reshape(pairRing, [V * K, slots]);
  const x = rmsNorm(scope, `${name}.pair`, pairs);
  const own = linear(scope, `${name}.ring.P`, x, width);
  const highest = max(take(project(scope, `${name}.ring.Q`, x, width), rows), 1);
  const sent = project(scope, `${name}.mean`, x, width);
  // Where a neighbor lacks the bone, its slot repeats the pair itself.
  const shared = reshape(pairShared, [V * K, 1]);
  const all = sub(sumOfRows(sent, rows, graph), mul(sent, sub(slots, shared)));
  const mean = mul(all, reciprocal(maximum(shared, 1)));
  const heard = leakyRelu(add(add(own, highest), mean));
  return linear(scope, `${name}.out`, heard, config.pair, BRANCH_GAIN);
}

/** The sum of the rows in each list; slot by slot at inference, since ONNX Runtime sums over a middle axis slowly. */
function sumOfRows(x: Tensor, lists: Tensor, graph: GraphTensors): Tensor {
  if (!graph.bonePairs.slotsAtOnce) return sum(take(x, lists), 1);
  const [N, slots] = lists.shape;
  return Array.from({ length: slots }, (_, slot) =>
    reshape(take(x, slice(lists, slot, slot + 1)), [N, widthOf(x)]),
  ).reduce((total, more) => add(total, more));
}

/** act(pair W1 + vertex W2 + bone W3 + b), the node terms projected once per node; (V·K)×width. */
function meet({ scope, graph, config }: Net, name: string, state: State): Tensor {
  const width = config.pair;
  const [V, K] = graph.pairValid.shape;
  const x = rmsNorm(scope, `${name}.vertex`, state.vertices);
  const y = rmsNorm(scope, `${name}.bone`, state.bones);
  const z = rmsNorm(scope, `${name}.pair`, state.pairs);
  const fromVertex = reshape(project(scope, `${name}.fromVertex`, x, width), [V, 1, width]);
  const fromBone = add(project(scope, `${name}.fromBone`, y, width), bias(scope, name, width));
  const spread = reshape(spreadSegments(fromBone, graph.bonePairs), [V * K, width]);
  // Fused: a matrix product can add a matrix of its size.
  const own = add(project(scope, `${name}.own`, z, width), spread);
  return reshape(leakyRelu(add(reshape(own, [V, K, width]), fromVertex)), [V * K, width]);
}

/** Scores each pair separately, from the features of vertex, bone and pair. */
function pairHead(net: Net, state: State, dropout?: PairDropout): Tensor {
  const { scope, graph, config } = net;
  const [V, K] = graph.pairValid.shape;
  const kept = dropout
    ? { ...state, vertices: mul(state.vertices, spreadCharacters(dropout.vertex, graph)) }
    : state;
  let met = meet(net, "head.meet", kept);
  if (dropout) {
    const mask = reshape(spreadCharacters(dropout.pair, graph), [V, 1, config.pair]);
    met = reshape(mul(reshape(met, [V, K, config.pair]), mask), [V * K, config.pair]);
  }
  const hidden = dense(scope, "head.hidden", met, config.pair);
  return reshape(score(scope, "head.score", hidden), [V, K]);
}

/** x · w + b, one number per row (as a sum: ONNX Runtime's WebGPU product aborts at width 1). */
function score(scope: Scope, name: string, x: Tensor): Tensor {
  const width = widthOf(x);
  const w = scope.parameter(`${name}.w`, [width], { kaiming: width, gain: 0.5 });
  return add(sum(mul(x, w), -1), bias(scope, name, 1));
}

/** Maximum and mean of each vertex's pairs; V×F each. */
function overCandidates(pairs: Tensor, graph: GraphTensors): [Tensor, Tensor] {
  const [V, K] = graph.pairValid.shape;
  const width = widthOf(pairs);
  const rows = reshape(pairs, [V, K, width]);
  // The first slot holds a bone unless the vertex has none.
  const hasBones = slice(graph.pairValid, 0, 1);
  if (!graph.bonePairs.slotsAtOnce) {
    const highest = mul(max(add(rows, absence(graph.pairValid)), 1), hasBones);
    return [highest, mul(sum(mul(rows, lastAxis(graph.pairValid)), 1), 1 / K)];
  }
  // Empty slots repeat the first: they do not change the maximum, and are subtracted from the sum.
  const first = slice(reshape(pairs, [V, K * width]), 0, width);
  const empty = lastAxis(sub(K, sum(graph.pairValid, 1)));
  const present = sub(sum(rows, 1), mul(first, empty));
  return [mul(max(rows, 1), hasBones), mul(present, 1 / K)];
}

/** Maximum, mean and 0.1 x variance of each bone's pairs; B×F each. */
function overPairs(pairs: Tensor, graph: GraphTensors): [Tensor, Tensor, Tensor] {
  const pooled = poolSegments(pairs, graph.bonePairs);
  return [pooled.max, pooled.mean, mul(pooled.variance, VARIANCE_SCALE)];
}
