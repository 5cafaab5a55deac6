/**
 * The array operations of the networks.
 *
 * jax-js counts references: an operation consumes its arguments unless they are passed as `x.ref`. These
 * wrappers never consume, so that a network reads like the formulas of the paper. Intermediate arrays then stay
 * alive until the process ends, which does not matter: networks are traced once for export, and only tests
 * evaluate them directly, at small sizes.
 */
import { nn, numpy as np } from "@jax-js/jax";

export type Tensor = np.Array;

/** An operand: a tensor, broadcast as in NumPy, or a number. */
export type Operand = Tensor | number;

const keep = (x: Operand): Operand => (typeof x === "number" ? x : x.ref);

export const add = (a: Tensor, b: Operand): Tensor => np.add(a.ref, keep(b));
export const sub = (a: Operand, b: Operand): Tensor => np.subtract(keep(a), keep(b));
export const mul = (a: Tensor, b: Operand): Tensor => np.multiply(a.ref, keep(b));
export const square = (a: Tensor): Tensor => np.square(a.ref);
export const sqrt = (a: Tensor): Tensor => np.sqrt(a.ref);
export const reciprocal = (a: Tensor): Tensor => np.reciprocal(a.ref);
export const exp = (a: Tensor): Tensor => np.exp(a.ref);
export const log = (a: Tensor): Tensor => np.log(a.ref);
export const abs = (a: Tensor): Tensor => np.absolute(a.ref);
export const maximum = (a: Tensor, b: Operand): Tensor => np.maximum(a.ref, keep(b));
export const minimum = (a: Tensor, b: Operand): Tensor => np.minimum(a.ref, keep(b));
export const matmul = (a: Tensor, b: Tensor): Tensor => np.matmul(a.ref, b.ref);
export const reshape = (a: Tensor, shape: number[]): Tensor => a.ref.reshape(shape);
/** Broadcasts an array to a shape, as in NumPy. */
export const broadcast = (a: Tensor, shape: number[]): Tensor => np.broadcastTo(a.ref, shape);
export const concat = (list: Tensor[], axis: number): Tensor =>
  list.length === 1
    ? list[0].ref
    : np.concatenate(
        list.map((x) => x.ref),
        axis,
      );
/** Returns rows of `table` by an integer index of any shape. */
export const take = (table: Tensor, index: Tensor): Tensor => np.take(table.ref, index.ref, 0);
export const sum = (a: Tensor, axis: number | number[] | null = null): Tensor =>
  np.sum(a.ref, axis);
export const max = (a: Tensor, axis: number): Tensor => np.max(a.ref, axis);
export const logSoftmax = (a: Tensor, axis: number): Tensor => nn.logSoftmax(a.ref, axis);
/** max(x, 0.2 x): the paper's activation. */
export const leakyRelu = (a: Tensor): Tensor => nn.leakyRelu(a.ref, 0.2);
/** Returns columns `from` .. `to - 1` of the last axis of a matrix, or entries of a vector. */
export const slice = (a: Tensor, from: number, to: number): Tensor =>
  a.shape.length === 1 ? a.ref.slice([from, to]) : a.ref.slice([], [from, to]);
/** Width of the last axis. */
export const widthOf = (a: Tensor): number => a.shape[a.shape.length - 1];
