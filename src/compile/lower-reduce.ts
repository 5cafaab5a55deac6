import type { GraphBuilder } from "./graph-builder.ts";
import { lowerElementwise } from "./lowering.ts";
import { isSymbolic, sizeOf } from "./symbolic-size.ts";
import { type Axis, type Tensor, uniformView, type View, viewOf, viewShape } from "./view.ts";

const REDUCTIONS: Record<string, string> = {
  Add: "ReduceSum",
  Mul: "ReduceProd",
  Max: "ReduceMax",
  Min: "ReduceMin",
};

/**
 * Reduces the dimensions `axis` of an array.
 *
 * Works on the tensor as stored, in any order of its axes; a sum over a broadcast dimension is a product with
 * its size, a maximum over one does nothing.
 */
export function lowerReduce(builder: GraphBuilder, view: View, kind: string, axis: number[]): View {
  const op = REDUCTIONS[kind];
  if (!op) throw new Error(`exportFunction: cannot export the reduction "${kind}".`);
  const gone = axis.map((i) => view.dims[i]!);
  const repeats = sizeOf(gone.filter((dim) => dim.axes.length === 0).map((dim) => dim.size));
  const dims = view.dims.filter((_, i) => !axis.includes(i));
  const reduced = new Set(gone.flatMap((dim) => dim.axes));
  const axes = view.axes.filter((kept) => !reduced.has(kept));
  const source = reduced.size > 0 ? reduceTensor(builder, view, op, reduced) : view.source;
  const result: View = { ...view, source, axes, dims };
  if (repeats === 1 || kind === "Max" || kind === "Min") return result;
  if (kind === "Mul")
    throw new Error("exportFunction: cannot export a product of repeated values.");
  return scaleBySize(builder, result, repeats);
}

/** One Reduce node; two if everything is reduced, so that a GPU has more than one row to work on. */
function reduceTensor(builder: GraphBuilder, view: View, op: string, reduced: Set<Axis>): Tensor {
  let axes = [...view.axes];
  let tensor = builder.reshape(
    view.source as Tensor,
    axes.map((axis) => axis.size),
  );
  const leading = axes.filter((axis) => reduced.has(axis)).every((axis, i) => axis === axes[i]);
  const kept = axes.slice(reduced.size).map((axis) => axis.size);
  if (op === "ReduceSum" && leading && kept.length > 0) {
    const rows = sizeOf(axes.slice(0, reduced.size).map((axis) => axis.size));
    const parts = builder.partsOfSum(rows);
    if (parts > 1) return sumRows(builder, tensor, rows, kept, parts);
  }
  const all = reduced.size === axes.length && axes.length > 1;
  const stages = all ? [[axes.at(-1)!], axes.slice(0, -1)] : [[...reduced]];
  for (const stage of stages) {
    const positions = stage.map((axis) => axes.indexOf(axis)).sort((a, b) => a - b);
    axes = axes.filter((axis) => !stage.includes(axis));
    const shape = axes.map((axis) => axis.size);
    const inputs = [tensor, builder.integers(positions)];
    tensor = builder.node(op, inputs, { shape, dtype: view.dtype }, { keepdims: 0 });
  }
  return tensor;
}

/** Maximum rows that ONNX Runtime's WebGPU sums without transposing the tensor first. */
const ROWS_AT_ONCE = 16;

/** The sum over `rows` leading rows, a multiple of `parts`: in small groups until `parts` is used up. */
function sumRows(
  builder: GraphBuilder,
  tensor: Tensor,
  rows: number,
  kept: number[],
  parts: number,
): Tensor {
  const { dtype } = tensor;
  let [left, height, groups] = [tensor, rows, parts];
  while (groups > 1) {
    const group = Math.min(ROWS_AT_ONCE, groups);
    height /= group;
    groups /= group;
    const target = builder.integers([-1, group, ...kept]);
    const shape = [height, group, ...kept];
    left = builder.sumOver(builder.node("Reshape", [left, target], { shape, dtype }), 1);
  }
  return builder.sumOver(left, 0);
}

function scaleBySize(builder: GraphBuilder, view: View, size: number): View {
  const result = { shape: viewShape(view), dtype: view.dtype };
  if (typeof view.source === "number" && !isSymbolic(size, builder.symbols)) {
    return uniformView(view.source * size, view.dtype, result.shape);
  }
  const factor = isSymbolic(size, builder.symbols)
    ? viewOf(builder.reshape(builder.cast(builder.sizeTensor(size), view.dtype), []))
    : uniformView(size, view.dtype, []);
  return lowerElementwise(builder, "Mul", [view, factor], result);
}
