import type { OnnxType } from "../onnx/onnx-writer.ts";
import { sizeOf } from "./symbolic-size.ts";

/** A tensor of the ONNX graph with its shape at the traced sizes. */
export interface Tensor {
  name: string;
  shape: number[];
  dtype: OnnxType;
}

/** An axis of a stored tensor; compared by identity. */
export interface Axis {
  size: number;
}

/** One dimension of a view: the axes of the tensor it walks, slowest first; none = broadcast. */
export interface ViewDim {
  size: number;
  axes: Axis[];
}

/**
 * An array of the traced function as a view of a stored tensor.
 *
 * Reshape, transpose and broadcast only change the view, so they cost nothing until an operation needs the
 * elements in order, and matrix products never do.
 */
export interface View {
  /** The stored tensor, or one number that all elements share. */
  source: Tensor | number;
  dtype: OnnxType;
  /** The tensor's axes in stored order, as finely split as the view needs; all longer than 1. */
  axes: Axis[];
  /** Dimensions of the array; each axis occurs in exactly one of them. */
  dims: ViewDim[];
}

/** Returns the view of a tensor as it is stored. */
export function viewOf(tensor: Tensor): View {
  const dims = tensor.shape.map((size) => ({ size, axes: size > 1 ? [{ size }] : [] }));
  return { source: tensor, dtype: tensor.dtype, axes: dims.flatMap((dim) => dim.axes), dims };
}

/** Returns an array of one repeated number. */
export function uniformView(value: number, dtype: OnnxType, shape: readonly number[]): View {
  return { source: value, dtype, axes: [], dims: shape.map((size) => ({ size, axes: [] })) };
}

/** Returns the same view with new axes, so that two views of one tensor are distinct. */
export function withOwnAxes(view: View): View {
  const own = new Map(view.axes.map((axis) => [axis, { ...axis }]));
  const dims = view.dims.map((dim) => ({ ...dim, axes: dim.axes.map((axis) => own.get(axis)!) }));
  return { ...view, axes: [...own.values()], dims };
}

/** Returns the shape of the array. */
export function viewShape(view: View): number[] {
  return view.dims.map((dim) => dim.size);
}

/** Whether the axes are walked in stored order. */
export function isOrdered(view: View): boolean {
  return view.dims.flatMap((dim) => dim.axes).every((axis, i) => axis === view.axes[i]);
}

/** Whether two views walk their tensors alike, so that elements correspond one to one. */
export function sameLayout(a: View, b: View): boolean {
  const layout = ({ axes, dims }: View) =>
    JSON.stringify([axes, dims.map((dim) => dim.axes.map((axis) => axes.indexOf(axis)))]);
  return layout(a) === layout(b);
}

/** Reorders the dimensions. */
export function transposeView(view: View, perm: readonly number[]): View {
  return { ...view, dims: perm.map((dim) => view.dims[dim]) };
}

/** Inserts the dimensions `inserted` of `shape`, and repeats dimensions of size 1, up to `shape`. */
export function broadcastView(
  view: View,
  shape: readonly number[],
  inserted: readonly number[],
): View {
  let next = 0;
  const dims = shape.map((size, at) => {
    if (inserted.includes(at)) return { size, axes: [] };
    const dim = view.dims[next++];
    return dim.size === size ? dim : { size, axes: [] };
  });
  return { ...view, dims };
}

/** Broadcasts by NumPy's rule: shapes aligned at the last dimension. */
export function expandView(view: View, shape: readonly number[]): View {
  const missing = shape.length - view.dims.length;
  return broadcastView(view, shape, [...Array(missing).keys()]);
}

/**
 * Changes the shape and keeps the row-major order of elements.
 *
 * @returns undefined if no view can: a dimension would mix broadcast and stored elements, or cut across axes
 *   that do not divide
 */
export function reshapeView(view: View, shape: readonly number[]): View | undefined {
  const axes = [...view.axes];
  const dims: ViewDim[] = shape.map((size) => ({ size, axes: [] }));
  for (const group of reshapeGroups(viewShape(view), shape)) {
    const old = group.from.map((i) => view.dims[i]);
    const repeated = old.filter((dim) => dim.axes.length === 0);
    if (repeated.length === old.length) continue;
    if (repeated.length > 0) return undefined;
    const queue = old.flatMap((dim) => dim.axes);
    for (const at of group.to) {
      const taken = takeAxes(queue, axes, shape[at]);
      if (!taken) return undefined;
      dims[at].axes = taken;
    }
  }
  return { ...view, axes, dims };
}

/** Pairs runs of old and new dimensions of equal product; dimensions of size 1 belong to none. */
function reshapeGroups(from: readonly number[], to: readonly number[]) {
  const old = [...from.keys()].filter((i) => from[i] !== 1);
  const fresh = [...to.keys()].filter((i) => to[i] !== 1);
  const groups: { from: number[]; to: number[] }[] = [];
  while (old.length > 0 || fresh.length > 0) {
    const group = { from: old.splice(0, 1), to: fresh.splice(0, 1) };
    const product = (list: number[], shape: readonly number[]) => sizeOf(list.map((i) => shape[i]));
    while (product(group.from, from) !== product(group.to, to)) {
      const grow = product(group.from, from) < product(group.to, to);
      if (grow) group.from.push(...old.splice(0, 1));
      else group.to.push(...fresh.splice(0, 1));
    }
    groups.push(group);
  }
  return groups;
}

/** Takes axes from the front of the queue up to `size`, splitting the last one if necessary. */
function takeAxes(queue: Axis[], axes: Axis[], size: number): Axis[] | undefined {
  const taken: Axis[] = [];
  let rest = size;
  while (rest > 1) {
    const axis = queue.shift()!;
    if (rest % axis.size === 0) {
      taken.push(axis);
      rest /= axis.size;
    } else if (axis.size % rest === 0) {
      const outer = { size: rest };
      const inner = { size: axis.size / rest };
      axes.splice(axes.indexOf(axis), 1, outer, inner);
      queue.unshift(inner);
      taken.push(outer);
      rest = 1;
    } else return undefined;
  }
  return taken;
}
