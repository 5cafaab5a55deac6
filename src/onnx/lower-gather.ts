import { fullTensor, lowerReshape } from "./lower-view.ts";
import { type Lowering, viewOfAtom } from "./lowering.ts";
import { sizeOf } from "./symbolic-size.ts";
import type { TracedAtom, TracedEquation } from "./trace-function.ts";
import { isOrdered, type Tensor, type View, viewOf } from "./view.ts";

interface IndexParams {
  axis: number[];
  outDim: number;
  shape: number[];
}

/** `take(table, indices, axis)`. */
export function lowerGather(lowering: Lowering, equation: TracedEquation): View {
  const { axis, outDim } = equation.params as unknown as IndexParams;
  if (axis.length !== 1 || outDim !== axis[0]) {
    throw new Error(`exportFunction: cannot export a "gather" by ${axis.length} indices at once.`);
  }
  const { builder } = lowering;
  const inputs = equation.inputs.map((atom) => fullTensor(builder, viewOfAtom(lowering, atom)));
  const result = equation.outputs[0]!;
  return viewOf(builder.node("Gather", inputs, result, { axis: axis[0]! }));
}

/**
 * The gradient of `take(table, indices, 0)`: each row adds up its slots.
 *
 * Gathers over the padded reverse list of the index, an extra input of the graph; a row of zeros after
 * the slots is what its padding points to.
 */
export function lowerScatter(lowering: Lowering, equation: TracedEquation): View {
  const { axis, outDim, shape } = equation.params as unknown as IndexParams;
  if (axis.length !== 1 || axis[0] !== 0 || outDim !== 0) {
    throw new Error('exportFunction: "scatter" (the gradient of take) works along axis 0 only.');
  }
  const { builder } = lowering;
  const [updates, indices] = equation.inputs as [TracedAtom, TracedAtom];
  const slots = sizeOf(indices.shape);
  const width = sizeOf(shape.slice(1));
  const list = reverseListFor(lowering, indices, shape[0]!);
  const dtype = updates.dtype;
  const rows = fullTensor(
    builder,
    lowerReshape(builder, viewOfAtom(lowering, updates), [slots, width]),
  );
  const zero = builder.expand(builder.scalar(0, dtype), [1, width]);
  const padded = builder.node(
    "Concat",
    [rows, zero],
    { shape: [slots + 1, width], dtype },
    { axis: 0 },
  );
  const [height, degree] = list.shape as [number, number];
  const gathered = builder.node(
    "Gather",
    [padded, list],
    { shape: [height, degree, width], dtype },
    {
      axis: 0,
    },
  );
  const sum = builder.node(
    "ReduceSum",
    [gathered, builder.integers([1])],
    { shape: [height, width], dtype },
    { keepdims: 0 },
  );
  return lowerReshape(builder, viewOf(sum), shape);
}

function reverseListFor(lowering: Lowering, indices: TracedAtom, rows: number): Tensor {
  const { builder, reverseLists } = lowering;
  const view = viewOfAtom(lowering, indices);
  const source = typeof view.source === "number" ? undefined : view.source;
  const of = builder.inputs.find((input) => input.name === source?.name)?.name;
  if (of === undefined || !isOrdered(view)) {
    throw new Error(
      'exportFunction: "scatter" (the gradient of take) needs an index that is an input, or a reshaped one.',
    );
  }
  const name = `${of}.reverse`;
  const known = reverseLists.get(name);
  if (known && known.rows !== rows) {
    throw new Error(`exportFunction: the index "${of}" reads tables of different heights.`);
  }
  const degree = builder.symbols[name]!;
  if (!known) {
    reverseLists.set(name, { name, of, rows });
    return builder.input(name, "int32", [rows, degree]);
  }
  return { name, dtype: "int32", shape: [rows, degree] };
}
