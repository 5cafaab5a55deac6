import { ARITHMETIC } from "./lower-arithmetic.ts";
import { lowerDot } from "./lower-dot.ts";
import { lowerGather, lowerGatheredMaximum, lowerScatter } from "./lower-gather.ts";
import { lowerReduce } from "./lower-reduce.ts";
import { fullTensor, type Lowering, lowerReshape, viewOfAtom } from "./lowering.ts";
import type { TracedEquation, TracedVariable } from "./trace-function.ts";
import { type Axis, broadcastView, reshapeView, transposeView, type View, viewOf } from "./view.ts";

type Rule = (lowering: Lowering, equation: TracedEquation) => View | View[];

/** WebGPU guarantees 8 storage buffers per program: one input and seven outputs. */
const MAX_BUFFERS = 7;

/** Rules for all jax-js primitives that can be exported. */
const RULES: Record<string, Rule> = {
  ...ARITHMETIC,
  stop_gradient: (lowering, { inputs }) => viewOfAtom(lowering, inputs[0]),
  reshape: (lowering, { inputs, params }) =>
    lowerReshape(lowering.builder, viewOfAtom(lowering, inputs[0]), params.shape as number[]),
  transpose: (lowering, { inputs, params }) =>
    transposeView(viewOfAtom(lowering, inputs[0]), params.perm as number[]),
  broadcast: (lowering, { inputs, params }) =>
    broadcastView(
      viewOfAtom(lowering, inputs[0]),
      params.shape as number[],
      params.axis as number[],
    ),
  reduce: (lowering, equation) => {
    const { op, axis } = equation.params as { op: string; axis: number[] };
    return (
      lowerGatheredMaximum(lowering, equation) ??
      lowerReduce(lowering.builder, viewOfAtom(lowering, equation.inputs[0]), op, axis)
    );
  },
  dot: (lowering, { inputs, outputs }) =>
    lowerDot(
      lowering.builder,
      viewOfAtom(lowering, inputs[0]),
      viewOfAtom(lowering, inputs[1]),
      outputs[0].shape,
      preferredOrder(lowering, outputs[0]),
    ),
  gather: lowerGather,
  scatter: lowerScatter,
  concatenate: lowerConcatenate,
  split: lowerSplit,
  pad: lowerPad,
  shrink: lowerShrink,
  flip: lowerFlip,
};

/** Adds the nodes of one equation to the graph. */
export function lowerEquation(lowering: Lowering, equation: TracedEquation): void {
  const rule = RULES[equation.primitive];
  if (!rule) {
    throw new Error(`exportFunction: cannot export the primitive "${equation.primitive}".`);
  }
  const result = rule(lowering, equation);
  const [first] = equation.outputs;
  if (equation.params.op === "not_equal") lowering.negated.set(first, result as View);
  else if (Array.isArray(result)) {
    result.forEach((view, i) => {
      lowering.views.set(equation.outputs[i], view);
    });
  } else lowering.views.set(first, result);
}

/** The order of a value's dimensions after the transposes and reshapes that follow it. */
function preferredOrder(lowering: Lowering, variable: TracedVariable): number[] {
  let view: View | undefined = viewOf({ name: "", shape: variable.shape, dtype: variable.dtype });
  let last = view;
  for (let at = variable; view; ) {
    last = view;
    const users: TracedEquation[] = lowering.users.get(at) ?? [];
    if (users.length !== 1 || lowering.returned.has(at)) break;
    const [user] = users as [TracedEquation];
    if (user.primitive === "transpose") view = transposeView(view, user.params.perm as number[]);
    else if (user.primitive === "reshape") view = reshapeView(view, user.params.shape as number[]);
    else break;
    at = user.outputs[0];
  }
  const owner = axisOwners(last, variable.shape);
  return [...new Set(last.dims.flatMap((dim) => dim.axes.map((axis) => owner.get(axis)!)))];
}

/** The dimension of `shape` that each axis is a part of; a reshape may have split some. */
function axisOwners(view: View, shape: number[]): Map<Axis, number> {
  const owner = new Map<Axis, number>();
  const long = [...shape.keys()].filter((dim) => shape[dim] > 1);
  let rest = 1;
  let at = -1;
  for (const axis of view.axes) {
    if (rest === 1) rest = shape[long[++at]];
    owner.set(axis, long[at]);
    rest /= axis.size;
  }
  return owner;
}

function lowerConcatenate(lowering: Lowering, { inputs, outputs, params }: TracedEquation): View {
  const { builder } = lowering;
  const tensors = inputs.map((atom) => fullTensor(builder, viewOfAtom(lowering, atom)));
  return viewOf(builder.node("Concat", tensors, outputs[0], { axis: params.axis as number }));
}

function lowerSplit(lowering: Lowering, { inputs, outputs, params }: TracedEquation): View[] {
  const { builder } = lowering;
  const tensor = fullTensor(builder, viewOfAtom(lowering, inputs[0]));
  if (outputs.length > MAX_BUFFERS) {
    const bounds = [0];
    for (const size of params.sizes as number[]) bounds.push(bounds.at(-1)! + size);
    return outputs.map((output, i) => {
      const ends = [bounds[i], bounds[i + 1], params.axis as number];
      const operands = ends.map((value) => builder.integers([value]));
      return viewOf(builder.node("Slice", [tensor, ...operands], output));
    });
  }
  const operands = [tensor, builder.shapeTensor(params.sizes as number[])];
  const results = outputs.map(({ shape, dtype }) => ({ shape, dtype }));
  return builder.nodes("Split", operands, results, { axis: params.axis as number }).map(viewOf);
}

function lowerPad(lowering: Lowering, { inputs, outputs, params }: TracedEquation): View {
  const { builder } = lowering;
  const width = params.width as [number, number][];
  const tensor = fullTensor(builder, viewOfAtom(lowering, inputs[0]));
  const amounts = [...width.map(([before]) => before), ...width.map(([, after]) => after)];
  return viewOf(builder.node("Pad", [tensor, builder.integers(amounts)], outputs[0]));
}

function lowerShrink(lowering: Lowering, { inputs, outputs, params }: TracedEquation): View {
  const { builder } = lowering;
  const { shape } = inputs[0];
  const slice = params.slice as [number, number][];
  const cut = [...slice.keys()].filter((i) => slice[i][0] > 0 || slice[i][1] < shape[i]);
  const tensor = fullTensor(builder, viewOfAtom(lowering, inputs[0]));
  const bounds = [0, 1].map((end) => builder.shapeTensor(cut.map((i) => slice[i][end])));
  return viewOf(builder.node("Slice", [tensor, ...bounds, builder.integers(cut)], outputs[0]));
}

/** Slices backwards, from the last element to before the first (any number far below zero). */
function lowerFlip(lowering: Lowering, { inputs, outputs, params }: TracedEquation): View {
  const { builder } = lowering;
  const axis = params.axis as number[];
  const tensor = fullTensor(builder, viewOfAtom(lowering, inputs[0]));
  const each = (value: number) => builder.integers(axis.map(() => value));
  const operands = [each(-1), each(-(2 ** 31)), builder.integers(axis), each(-1)];
  return viewOf(builder.node("Slice", [tensor, ...operands], outputs[0]));
}
