import type { LossConfig } from "../graph/model-config.ts";
import {
  abs,
  add,
  exp,
  log,
  logSoftmax,
  maximum,
  mul,
  reshape,
  sqrt,
  square,
  sub,
  sum,
  type Tensor,
  take,
} from "./ops.ts";

/** What a training step compares the prediction with. */
export interface Target {
  /** V×K, the artist's weight on each candidate bone; a row sums to 1, or is 0. */
  labels: Tensor;
  /** V, what each vertex counts: 1 / (vertices of its character x characters of the step). */
  vertexWeight: Tensor;
  /** V×S×K: for a mesh neighbour of the vertex, the pair that holds the same bone. */
  smoothRows: Tensor;
  /** V×S×K: 1 where the neighbour has the bone among its candidates, 0 where not. */
  smoothValid: Tensor;
  /** V×K×3: where a random pose moves the vertex under each candidate alone; needed for the term of motion. */
  moves?: Tensor | undefined;
  /** V×K×K: 1 where the second candidate is in the subtree of the first; needed for the term of the tree. */
  subtree?: Tensor | undefined;
}

/** Keeps log and softmax finite without touching any weight that matters. */
const TINY = 1e-9;
/** Score of an empty slot: its weight is exactly 0 in float32. */
const EXCLUDED = 1e9;

/** Log-weights of the candidates: softmax over the slots that hold a bone. */
export function logWeights(scores: Tensor, pairValid: Tensor): Tensor {
  return logSoftmax(add(scores, mul(sub(pairValid, 1), EXCLUDED)), -1);
}

/**
 * The paper's loss (equation 6), with an L1 term beside it.
 *
 * The divergence is taken as KL(artist || predicted): the direction the paper prints is infinite
 * wherever the artist painted 0, which is nearly everywhere.
 *
 * @param logp V×K from {@link logWeights}
 * @returns a scalar
 */
export function skinLoss(logp: Tensor, target: Target, config: LossConfig): Tensor {
  const { labels, vertexWeight } = target;
  const weights = exp(logp);
  const entropy = mul(labels, log(maximum(labels, TINY)));
  let perVertex = mul(sum(sub(entropy, mul(labels, logp)), 1), config.divergence);
  if (config.l1 > 0) {
    perVertex = add(perVertex, mul(sum(abs(sub(weights, labels)), 1), config.l1));
  }
  if (config.smooth > 0) {
    perVertex = add(perVertex, mul(smoothing(weights, target), config.smooth));
  }
  const { motion = 0, tree = 0 } = config;
  const difference = sub(weights, labels);
  if (motion > 0 && target.moves) {
    perVertex = add(perVertex, mul(motionError(difference, target.moves), motion));
  }
  if (tree > 0 && target.subtree) {
    perVertex = add(perVertex, mul(treeError(difference, target.subtree), tree));
  }
  return sum(mul(perVertex, vertexWeight));
}

/** Keeps the root of a motion error away from zero, where it has no gradient: a thousandth of the size. */
const LEAST_MOTION = 1e-6;

/**
 * How far a vertex lies from where the artist's weights would carry it: what the score "distance" measures.
 * Bones that move alike may share their weight as they like.
 */
export function motionError(difference: Tensor, moves: Tensor): Tensor {
  const [V, K] = difference.shape;
  const way = sum(mul(reshape(difference, [V, K, 1]), moves), 1);
  return sqrt(add(sum(square(way), 1), LEAST_MOTION));
}

/**
 * The tree distance of two distributions over the candidates: differences of the weight at or below each of
 * them. Upper arm instead of forearm costs little, thigh instead of hand much.
 *
 * Based on: Evans, Matsen. The phylogenetic Kantorovich-Rubinstein metric for environmental sequence samples. 2012.
 */
export function treeError(difference: Tensor, subtree: Tensor): Tensor {
  const [V, K] = difference.shape;
  const below = sum(mul(subtree, reshape(difference, [V, 1, K])), 2);
  return sum(abs(below), 1);
}

/**
 * The Laplacian term w^T L w over real bones, per vertex: sum over mesh edges and bones of
 * (w_ij - w_nj)^2.
 *
 * Slots of two neighbours hold bones in different order, so each slot is compared with the
 * neighbour's slot of the same bone. A bone both have is met from both ends and counts half each
 * time; a bone only one has is met once, against 0.
 */
export function smoothing(weights: Tensor, target: Target): Tensor {
  const { smoothRows, smoothValid } = target;
  const [V, S, K] = smoothRows.shape;
  const flat = reshape(weights, [V * K, 1]);
  const other = mul(reshape(take(flat, smoothRows), [V, S, K]), smoothValid);
  const difference = square(sub(reshape(weights, [V, 1, K]), other));
  const share = sub(1, mul(smoothValid, 0.5));
  return sum(sum(mul(difference, share), 2), 1);
}
