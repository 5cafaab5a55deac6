import { lowerReduce } from "./lower-reduce.ts";
import {
  fullTensor,
  type Lowering,
  lowerElementwise,
  lowerReshape,
  makerOf,
  viewOfAtom,
} from "./lowering.ts";
import { isSymbolic, sizeOf } from "./symbolic-size.ts";
import type { TracedAtom, TracedEquation } from "./trace-function.ts";
import { isOrdered, type Tensor, type View, viewOf } from "./view.ts";

interface IndexParams {
  axis: number[];
  outDim: number;
  shape: number[];
}

/** Lowers `take(table, indices, axis)`. */
export function lowerGather(lowering: Lowering, equation: TracedEquation): View {
  const { axis, outDim } = equation.params as unknown as IndexParams;
  if (axis.length !== 1 || outDim !== axis[0]) {
    throw new Error(`exportFunction: cannot export a "gather" by ${axis.length} indices at once.`);
  }
  const { builder } = lowering;
  const inputs = equation.inputs.map((atom) => fullTensor(builder, viewOfAtom(lowering, atom)));
  const result = equation.outputs[0];
  return viewOf(builder.node("Gather", inputs, result, { axis: axis[0] }));
}

/** Neighbors gathered at once for a maximum: limits the largest tensor of a network. */
const SLOTS_AT_ONCE = 8;

/**
 * Lowers `max(take(table, indices), 1)` over many slots, some of them at a time.
 *
 * All at once needs a tensor of rows x slots x width, the largest of a network, and more than the 128 MiB that
 * WebGPU guarantees for one buffer. Only if no other equation needs that tensor.
 *
 * @returns undefined if the reduction is something else
 */
export function lowerGatheredMaximum(
  lowering: Lowering,
  equation: TracedEquation,
): View | undefined {
  const [near] = equation.inputs as [TracedAtom];
  const gather = makerOf(lowering, near, "gather");
  const { op, axis } = equation.params as { op: string; axis: number[] };
  if (!gather || op !== "Max" || String(axis) !== "1") return undefined;
  if (near.kind !== "variable" || lowering.users.get(near)?.length !== 1) return undefined;
  const [table, indices] = gather.inputs as [TracedAtom, TracedAtom];
  const [rows, slots] = indices.shape as [number, number];
  const params = gather.params as unknown as IndexParams;
  const fits = indices.shape.length === 2 && params.axis[0] === 0 && slots > SLOTS_AT_ONCE;
  if (!fits || lowering.returned.has(near) || isSymbolic(slots, lowering.builder.symbols)) {
    return undefined;
  }
  const { builder } = lowering;
  const data = fullTensor(builder, viewOfAtom(lowering, table));
  const index = fullTensor(builder, viewOfAtom(lowering, indices));
  const { shape, dtype } = equation.outputs[0];
  const best = (start: number): View => {
    const end = Math.min(start + SLOTS_AT_ONCE, slots);
    const bounds = [start, end, 1].map((value) => builder.integers([value]));
    const part = { shape: [rows, end - start], dtype: index.dtype };
    const some = builder.node("Slice", [index, ...bounds], part);
    const gathered = { shape: [rows, end - start, ...shape.slice(1)], dtype };
    const found = builder.node("Gather", [data, some], gathered, { axis: 0 });
    return lowerReduce(builder, viewOf(found), "Max", [1]);
  };
  let result = best(0);
  for (let start = SLOTS_AT_ONCE; start < slots; start += SLOTS_AT_ONCE) {
    const other = best(start);
    const less = lowerElementwise(builder, "Less", [result, other], { shape, dtype: "bool" });
    result = lowerElementwise(builder, "Where", [less, other, result], { shape, dtype });
  }
  return result;
}

/**
 * Lowers the gradient of `take(table, indices, 0)`: each row sums its slots.
 *
 * Gathers over the padded reverse list of the index, an extra input of the graph; its padding points to a row
 * of zeros after the slots.
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
  const list = reverseListFor(lowering, indices, shape[0]);
  const dtype = updates.dtype;
  const rows = fullTensor(
    builder,
    lowerReshape(builder, viewOfAtom(lowering, updates), [slots, width]),
  );
  const zero = builder.expand(builder.scalar(0, dtype), [1, width]);
  const longer = { shape: [slots + 1, width], dtype };
  const padded = builder.node("Concat", [rows, zero], longer, { axis: 0 });
  const slotsOfRows = { shape: [...list.shape, width], dtype };
  const gathered = builder.node("Gather", [padded, list], slotsOfRows, { axis: 0 });
  return lowerReshape(builder, viewOf(builder.sumOver(gathered, 1)), shape);
}

function reverseListFor(lowering: Lowering, indices: TracedAtom, rows: number): Tensor {
  const { builder, reverseLists } = lowering;
  const view = viewOfAtom(lowering, indices);
  const source = typeof view.source === "number" ? undefined : view.source;
  const of = builder.inputs.find((input) => input.name === source?.name)?.name;
  if (of === undefined || !isOrdered(view)) {
    throw new Error(
      'exportFunction: the index of a "scatter" (gradient of take) must be an input.',
    );
  }
  const name = `${of}.reverse`;
  const known = reverseLists.get(name);
  if (known && known.rows !== rows) {
    throw new Error(`exportFunction: the index "${of}" reads tables of different heights.`);
  }
  const degree = builder.symbols[name];
  if (!known) {
    reverseLists.set(name, { name, of, rows });
    return builder.input(name, "int32", [rows, degree]);
  }
  return { name, dtype: "int32", shape: [rows, degree] };
}
