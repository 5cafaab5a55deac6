import type { OnnxAttribute, OnnxType } from "../onnx/onnx-writer.ts";
import { type GraphBuilder, sameShape } from "./graph-builder.ts";
import type { Trace, TracedAtom, TracedEquation, TracedVariable } from "./trace-function.ts";
import {
  expandView,
  isOrdered,
  reshapeView,
  sameLayout,
  type Tensor,
  uniformView,
  type View,
  viewOf,
  viewShape,
} from "./view.ts";

/** An extra input for a gradient: for each row of a table, the slots of an index that read it. */
export interface ReverseListInput {
  /** Name of the extra int32 input, rows x degree. */
  name: string;
  /** Name of the index input that it reverses. */
  of: string;
  /** Rows of the table at the traced sizes. */
  rows: number;
}

/** State shared by the rules that lower equations to ONNX nodes. */
export interface Lowering {
  builder: GraphBuilder;
  views: Map<TracedVariable, View>;
  makers: Map<TracedVariable, TracedEquation>;
  users: Map<TracedVariable, TracedEquation[]>;
  /** `a != b`, stored as `a == b`, since most users can use that directly. */
  negated: Map<TracedVariable, View>;
  returned: Set<TracedAtom>;
  reverseLists: Map<string, ReverseListInput>;
}

/** Creates the initial state for a trace. */
export function startLowering(builder: GraphBuilder, trace: Trace): Lowering {
  const makers: Lowering["makers"] = new Map();
  const users: Lowering["users"] = new Map();
  for (const equation of trace.equations) {
    for (const output of equation.outputs) makers.set(output, equation);
    for (const input of equation.inputs) {
      if (input.kind === "variable") users.set(input, [...(users.get(input) ?? []), equation]);
    }
  }
  const returned = new Set(trace.outputs.map((output) => output.atom));
  const views: Lowering["views"] = new Map();
  return { builder, views, makers, users, returned, negated: new Map(), reverseLists: new Map() };
}

/** Returns the view of a value; a literal is one repeated number. */
export function viewOfAtom(lowering: Lowering, atom: TracedAtom): View {
  if (atom.kind === "literal") return uniformView(atom.value, atom.dtype, atom.shape);
  const view = lowering.views.get(atom);
  if (view) return view;
  const opposite = lowering.negated.get(atom);
  if (!opposite) throw new Error("exportFunction: the trace uses a value before it is made.");
  const made = lowerElementwise(lowering.builder, "Not", [opposite], atom);
  lowering.views.set(atom, made);
  return made;
}

/** Returns the equation that made a value, if it is of the given primitive. */
export function makerOf(
  lowering: Lowering,
  atom: TracedAtom,
  primitive: string,
): TracedEquation | undefined {
  const maker = atom.kind === "variable" ? lowering.makers.get(atom) : undefined;
  return maker?.primitive === primitive ? maker : undefined;
}

/** Returns the value of a constant array, if all its elements are equal. */
export function numberOf(lowering: Lowering, atom: TracedAtom): number | undefined {
  if (atom.kind === "literal") return atom.value;
  const source = lowering.views.get(atom)?.source;
  return typeof source === "number" ? source : undefined;
}

/** The array as a stored tensor with broadcast dimensions of size 1 and no leading ones, as ONNX expects. */
function compactTensor(builder: GraphBuilder, view: View): Tensor {
  if (typeof view.source === "number") return builder.scalar(view.source, view.dtype);
  const order = view.dims.flatMap((dim) => dim.axes);
  const shape = view.dims.map((dim) => (dim.axes.length > 0 ? dim.size : 1));
  while (shape[0] === 1) shape.shift();
  if (isOrdered(view)) return builder.reshape(view.source, shape);
  return builder.reshape(orderedTensor(builder, view, order), shape);
}

/** Returns the array as a stored tensor of its full shape. */
export function fullTensor(builder: GraphBuilder, view: View): Tensor {
  const shape = viewShape(view);
  const compact = compactTensor(builder, view);
  const repeated = view.dims.some((dim) => dim.size > 1 && dim.axes.length === 0);
  return repeated ? builder.expand(compact, shape) : builder.reshape(compact, shape);
}

/** Returns the stored tensor with separate axes in the given order. */
export function orderedTensor(builder: GraphBuilder, view: View, order: View["axes"]): Tensor {
  const sizes = view.axes.map((axis) => axis.size);
  const separate = builder.reshape(view.source as Tensor, sizes);
  const perm = order.map((axis) => view.axes.indexOf(axis));
  return perm.every((axis, i) => axis === i) ? separate : builder.transpose(separate, perm);
}

/** Reshapes an array: a view if possible, else a reshaped copy. */
export function lowerReshape(builder: GraphBuilder, view: View, shape: number[]): View {
  const reshaped = reshapeView(view, shape);
  return reshaped ?? viewOf(builder.reshape(fullTensor(builder, view), shape));
}

/**
 * Applies an ONNX operation elementwise, with broadcasting.
 *
 * Broadcast dimensions stay broadcast: an operation on a row that is repeated V times runs once on the row.
 * Operands with the same layout are combined as stored, in any order of axes.
 */
export function lowerElementwise(
  builder: GraphBuilder,
  op: string,
  operands: View[],
  result: { shape: number[]; dtype: OnnxType },
  attributes: Record<string, OnnxAttribute> = {},
): View {
  const views = operands.map((view) => expandView(view, result.shape));
  const stored = views.filter((view) => view.axes.length > 0);
  const first = stored[0];
  if (first && stored.every((view) => sameLayout(view, first))) {
    const shape = commonShape(stored);
    const inputs = views.map((view) =>
      view.axes.length > 0
        ? builder.reshape(view.source as Tensor, shape)
        : compactTensor(builder, view),
    );
    const dtype = result.dtype;
    return { ...first, source: builder.node(op, inputs, { shape, dtype }, attributes), dtype };
  }
  const inputs = views.map((view) => compactTensor(builder, view));
  const rank = Math.max(0, ...inputs.map((input) => input.shape.length));
  const shape = Array.from({ length: rank }, (_, i) =>
    Math.max(...inputs.map((input) => input.shape[i - rank + input.shape.length] ?? 1)),
  );
  const tensor = builder.node(op, inputs, { shape, dtype: result.dtype }, attributes);
  return expandView(viewOf(tensor), result.shape);
}

function commonShape(views: View[]): number[] {
  const shapes = views.map((view) => (view.source as Tensor).shape);
  const common = shapes.every((shape) => sameShape(shape, shapes[0]));
  return common ? shapes[0] : views[0].axes.map((axis) => axis.size);
}
