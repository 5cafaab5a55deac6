import type { GraphBuilder } from "./graph-builder.ts";
import { isOrdered, reshapeView, type Tensor, type View, viewOf, viewShape } from "./view.ts";

/**
 * The array as a stored tensor, but with repeated dimensions of size 1 and no leading ones.
 *
 * That is what ONNX's own broadcasting wants; most arrays need no node at all.
 */
export function compactTensor(builder: GraphBuilder, view: View): Tensor {
  if (typeof view.source === "number") return builder.scalar(view.source, view.dtype);
  const order = view.dims.flatMap((dim) => dim.axes);
  const shape = view.dims.map((dim) => (dim.axes.length > 0 ? dim.size : 1));
  while (shape[0] === 1) shape.shift();
  if (isOrdered(view)) return builder.reshape(view.source, shape);
  return builder.reshape(orderedTensor(builder, view, order), shape);
}

/** The array as a stored tensor of its full shape. */
export function fullTensor(builder: GraphBuilder, view: View): Tensor {
  const shape = viewShape(view);
  const compact = compactTensor(builder, view);
  const repeated = view.dims.some((dim) => dim.size > 1 && dim.axes.length === 0);
  return repeated ? builder.expand(compact, shape) : builder.reshape(compact, shape);
}

/** The stored tensor with its axes, all separate, in the given order. */
export function orderedTensor(builder: GraphBuilder, view: View, order: View["axes"]): Tensor {
  const sizes = view.axes.map((axis) => axis.size);
  const separate = builder.reshape(view.source as Tensor, sizes);
  const perm = order.map((axis) => view.axes.indexOf(axis));
  return perm.every((axis, i) => axis === i) ? separate : builder.transpose(separate, perm);
}

/** The array in another shape: a view where possible, else a reshaped copy. */
export function lowerReshape(builder: GraphBuilder, view: View, shape: number[]): View {
  const reshaped = reshapeView(view, shape);
  return reshaped ?? viewOf(builder.reshape(fullTensor(builder, view), shape));
}
