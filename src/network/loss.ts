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
  return sum(mul(perVertex, vertexWeight));
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
