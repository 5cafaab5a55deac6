import type { GraphBuilder } from "./graph-builder.ts";
import { lowerReduce } from "./lower-reduce.ts";
import { fullTensor, lowerElementwise, orderedTensor } from "./lowering.ts";
import { sizeOf } from "./symbolic-size.ts";
import {
  type Axis,
  expandView,
  type Tensor,
  transposeView,
  type View,
  type ViewDim,
  viewOf,
  withOwnAxes,
} from "./view.ts";

/** Dimensions of a product by operand; the last dimension of the operands is summed. */
interface DotDims {
  batch: number[];
  left: number[];
  right: number[];
}

interface MatrixProduct {
  builder: GraphBuilder;
  left: View;
  right: View;
  dims: DotDims;
  shape: number[];
  /** Whether the result is stored with the columns of the right operand first. */
  swap: boolean;
}

/** An operand as a matrix, or a stack of them, and its axes that remain in the result. */
interface Matrix {
  tensor: Tensor;
  /** Whether it is stored with the summed axis before the free ones. */
  transposed: boolean;
  free: Axis[];
}

/**
 * Lowers `sum(a * b, -1)` with broadcasting: the only product primitive of jax-js.
 *
 * A dimension in one operand only is a row or column of a matrix product; one in both is a batch. Transposed
 * operands are read as they are (Gemm), and the result may be stored in either order.
 *
 * @param shape of the result
 * @param preferred order of the result's dimensions that its user prefers
 */
export function lowerDot(
  builder: GraphBuilder,
  a: View,
  b: View,
  shape: number[],
  preferred: number[],
): View {
  const rank = shape.length;
  const size = Math.max(a.dims.at(-1)!.size, b.dims.at(-1)!.size);
  const left = expandView(a, broadcastTo(a, rank, size));
  const right = withOwnAxes(expandView(b, broadcastTo(b, rank, size)));
  const dims = sortDims(left, right, rank);
  const summed = [left, right].map((view) => view.dims[rank].axes.length > 0);
  if (!summed[0] || !summed[1] || (dims.left.length === 0 && dims.right.length === 0)) {
    return sumOfProducts(builder, left, right, shape, summed, preferred);
  }
  const sizes = (view: View, dim: number) => String(view.dims[dim].axes.map((axis) => axis.size));
  const stacked = dims.batch.every((dim) => sizes(left, dim) === sizes(right, dim));
  if (!stacked) {
    // A batch dimension that is one axis here and two there: store both, so that it is one in both.
    const [x, y] = [left, right].map((view) => viewOf(compactFull(builder, view)));
    return lowerDot(builder, x, y, shape, preferred);
  }
  const outer = preferred.find((dim) => dims.left.includes(dim) || dims.right.includes(dim))!;
  const swap = dims.left.length > 0 && dims.right.includes(outer);
  const multiply = dims.batch.length === 0 ? gemm : stackedProduct;
  return multiply({ builder, left, right, dims, shape, swap });
}

function broadcastTo(view: View, rank: number, size: number): number[] {
  const missing = rank + 1 - view.dims.length;
  const own = view.dims.map((dim) => dim.size);
  own[own.length - 1] = size;
  return [...Array<number>(missing).fill(1), ...own];
}

/** The tensor with broadcast dimensions kept at size 1, at full rank. */
function compactFull(builder: GraphBuilder, view: View): Tensor {
  const single = (dim: ViewDim) => (dim.axes.length > 0 ? dim : { size: 1, axes: [] });
  return fullTensor(builder, { ...view, dims: view.dims.map(single) });
}

function sortDims(left: View, right: View, rank: number): DotDims {
  const dims: DotDims = { batch: [], left: [], right: [] };
  for (let dim = 0; dim < rank; dim++) {
    const inLeft = left.dims[dim].axes.length > 0;
    const inRight = right.dims[dim].axes.length > 0;
    if (inLeft && inRight) dims.batch.push(dim);
    else if (inLeft) dims.left.push(dim);
    else if (inRight) dims.right.push(dim);
  }
  return dims;
}

/** If no matrix product fits: an operand that is constant along the sum is factored out. */
function sumOfProducts(
  builder: GraphBuilder,
  left: View,
  right: View,
  shape: number[],
  summed: boolean[],
  preferred: number[],
): View {
  const rank = shape.length;
  const result = { shape, dtype: left.dtype };
  const drop = (view: View) => ({ ...view, dims: view.dims.slice(0, rank) });
  if (left.dims[rank].size === 1) {
    return product(builder, drop(left), drop(right), result, preferred);
  }
  if (summed[0] && summed[1]) {
    const size = left.dims[rank].size;
    const products = lowerElementwise(builder, "Mul", [left, right], {
      ...result,
      shape: [...shape, size],
    });
    return lowerReduce(builder, products, "Add", [rank]);
  }
  const [factor, sum] = summed[0] ? [right, left] : [left, right];
  const total = lowerReduce(builder, sum, "Add", [rank]);
  return lowerElementwise(builder, "Mul", [drop(factor), total], result);
}

/** Elementwise, stored in the preferred order of dimensions. */
function product(
  builder: GraphBuilder,
  left: View,
  right: View,
  { shape, dtype }: { shape: number[]; dtype: View["dtype"] },
  preferred: number[],
): View {
  const single = shape.map((_, dim) => dim).filter((dim) => !preferred.includes(dim));
  const order = [...single, ...preferred];
  const views = [left, right].map((view) => transposeView(view, order));
  const reordered = order.map((dim) => shape[dim]);
  const made = lowerElementwise(builder, "Mul", views, { shape: reordered, dtype });
  return transposeView(
    made,
    shape.map((_, dim) => order.indexOf(dim)),
  );
}

function gemm({ builder, left, right, dims, shape, swap }: MatrixProduct): View {
  const a = matrix(builder, left, [], dims.left);
  const b = matrix(builder, right, [], dims.right);
  const [first, second] = swap ? [b, a] : [a, b];
  const free = [...first.free, ...second.free];
  const parts = builder.partsOfSum(left.dims.at(-1)!.size);
  if (parts > 1 && first.transposed && second.transposed) {
    return resultView(productInParts(builder, first, second, parts), free, left, right, shape);
  }
  const tensor = builder.node(
    "Gemm",
    [first.tensor, second.tensor],
    { shape: [freeSize(first), freeSize(second)], dtype: left.dtype },
    { transA: first.transposed ? 1 : 0, transB: second.transposed ? 0 : 1 },
  );
  return resultView(tensor, free, left, right, shape);
}

/** first^T second, both stored with the summed rows first: a stack of `parts` products, then their sum. */
function productInParts(builder: GraphBuilder, first: Matrix, second: Matrix, parts: number) {
  const { dtype } = first.tensor;
  const cut = ({ tensor }: Matrix): Tensor => {
    const [rows, width] = tensor.shape as [number, number];
    const target = builder.integers([parts, -1, width]);
    const shape = [parts, rows / parts, width];
    return builder.node("Reshape", [tensor, target], { shape, dtype });
  };
  const shape = [parts, freeSize(first), freeSize(second)];
  const factors = [builder.transpose(cut(first), [0, 2, 1]), cut(second)];
  return builder.sumOver(builder.node("MatMul", factors, { shape, dtype }), 0);
}

function stackedProduct({ builder, left, right, dims, shape, swap }: MatrixProduct): View {
  const batch = (view: View) => dims.batch.flatMap((dim) => view.dims[dim].axes);
  const a = matrix(builder, left, batch(left), dims.left);
  const b = matrix(builder, right, batch(right), dims.right);
  // MatMul cannot read transposed operands: use the order with fewer transposes, else the preferred one.
  const plain = Number(a.transposed) + Number(!b.transposed);
  const swapped = Number(b.transposed) + Number(!a.transposed);
  const [first, second] = swapped < plain || (swapped === plain && swap) ? [b, a] : [a, b];
  const stack = sizeOf(batch(left).map((axis) => axis.size));
  const oriented = (m: Matrix, wanted: boolean) =>
    m.transposed === wanted ? m.tensor : builder.transpose(m.tensor, [0, 2, 1]);
  const tensor = builder.node("MatMul", [oriented(first, false), oriented(second, true)], {
    shape: [stack, freeSize(first), freeSize(second)],
    dtype: left.dtype,
  });
  return resultView(tensor, [...batch(left), ...first.free, ...second.free], left, right, shape);
}

const freeSize = (matrix: Matrix): number => sizeOf(matrix.free.map((axis) => axis.size));

/** Finds the operand's matrix in its stored order, [batch, free, summed] or [batch, summed, free]. */
function matrix(builder: GraphBuilder, view: View, batch: Axis[], freeDims: number[]): Matrix {
  const summed = view.dims.at(-1)!.axes;
  const inBatch = (axis: Axis) => batch.includes(axis);
  const stored = view.axes.filter((axis) => !inBatch(axis) && !summed.includes(axis));
  const plain = [...batch, ...stored, ...summed];
  const flipped = [...batch, ...summed, ...stored];
  const isStored = (order: Axis[]) => order.every((axis, i) => axis === view.axes[i]);
  const transposed = !isStored(plain) && isStored(flipped);
  const kept = isStored(plain) || transposed;
  const free = kept ? stored : freeDims.flatMap((dim) => view.dims[dim].axes);
  const order = transposed ? flipped : [...batch, ...free, ...summed];
  const size = (axes: Axis[]) => sizeOf(axes.map((axis) => axis.size));
  const last = transposed ? [size(summed), size(free)] : [size(free), size(summed)];
  const shape = batch.length > 0 ? [size(batch), ...last] : last;
  const tensor = kept ? (view.source as Tensor) : orderedTensor(builder, view, order);
  return { tensor: builder.reshape(tensor, shape), transposed, free };
}

function resultView(tensor: Tensor, axes: Axis[], left: View, right: View, shape: number[]): View {
  const dims = shape.map((size, dim) => {
    const own = left.dims[dim].axes;
    return { size, axes: own.length > 0 ? own : right.dims[dim].axes };
  });
  return { source: tensor, dtype: tensor.dtype, axes, dims };
}
