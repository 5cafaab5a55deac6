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

/** The target of a training step. */
export interface Target {
  /** V×K, the artist's weight on each candidate bone; a row sums to 1, or is 0. */
  labels: Tensor;
  /** V, weight of each vertex: 1 / (vertices of its character × characters of the step). */
  vertexWeight: Tensor;
  /** V×S×K: for a mesh neighbor of the vertex, the pair with the same bone. */
  smoothRows: Tensor;
  /** V×S×K: 1 if the neighbor has the bone among its candidates, else 0. */
  smoothValid: Tensor;
  /** V×K×3: where a random pose moves the vertex under each candidate alone; needed for the term of motion. */
  moves?: Tensor | undefined;
  /** V×K×K: 1 where the second candidate is in the subtree of the first; needed for the term of the tree. */
  subtree?: Tensor | undefined;
}

/** Keeps log and softmax finite without affecting relevant weights. */
const TINY = 1e-9;
/** Score of an empty slot: its weight is exactly 0 in float32. */
const EXCLUDED = 1e9;

/** Returns the log-weights of the candidates: softmax over the slots with a bone. */
export function logWeights(scores: Tensor, pairValid: Tensor): Tensor {
  return logSoftmax(add(scores, mul(sub(pairValid, 1), EXCLUDED)), -1);
}

/**
 * Computes the paper's loss (equation 6), plus an L1 term.
 *
 * The divergence is KL(artist || predicted): the direction printed in the paper is infinite wherever the
 * artist painted 0, which is nearly everywhere.
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
 * The Laplacian term w^T L w over real bones, per vertex: sum over mesh edges and bones of (w_ij - w_nj)^2.
 *
 * Slots of two neighbors hold bones in different order, so each slot is compared with the neighbor's slot of
 * the same bone. A bone that both have is counted from both ends with half the weight; a bone that only one
 * has is counted once, against 0.
 */
export function smoothing(weights: Tensor, target: Target): Tensor {
  const { smoothRows, smoothValid } = target;
  const [V, S, K] = smoothRows.shape;
  const flat = reshape(weights, [V * K, 1]);
  const other = mul(reshape(take(flat, smoothRows), [V, S, K]), smoothValid);
  const difference = square(sub(reshape(weights, [V, 1, K]), other));
  const factor = sub(1, mul(smoothValid, 0.5));
  return sum(sum(mul(difference, factor), 2), 1);
}
