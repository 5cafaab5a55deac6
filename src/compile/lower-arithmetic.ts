import type { OnnxAttribute } from "../onnx/onnx-writer.ts";
import {
  fullTensor,
  type Lowering,
  lowerElementwise,
  makerOf,
  numberOf,
  viewOfAtom,
} from "./lowering.ts";
import type { TracedAtom, TracedEquation } from "./trace-function.ts";
import { expandView, uniformView, type View, viewOf } from "./view.ts";

type Rule = (lowering: Lowering, equation: TracedEquation) => View;

/** Unary operations; ONNX has the same names, capitalized. */
const UNARY = "neg reciprocal exp log sqrt sin cos asin atan erf floor ceil".split(" ");

/** Unary operations on numbers, for those that occur on constants. */
const FOLD: Record<string, (x: number) => number> = {
  neg: (x) => -x,
  reciprocal: (x) => 1 / x,
  exp: Math.exp,
  log: Math.log,
  sqrt: Math.sqrt,
};

/** Rules for elementwise operations, by jax-js primitive. */
export const ARITHMETIC: Record<string, Rule> = {
  add: lowerAdd,
  mul: lowerMul,
  max: (lowering, equation) => lowerExtremum(lowering, equation, "max"),
  min: (lowering, equation) => lowerExtremum(lowering, equation, "min"),
  idiv: (lowering, equation) => {
    if (equation.outputs[0].dtype === "int32") return apply(lowering, "Div", equation);
    throw new Error('exportFunction: cannot export "idiv" of floats.');
  },
  mod: (lowering, equation) => apply(lowering, "Mod", equation, { fmod: 1 }),
  erfc: (lowering, equation) => {
    const result = equation.outputs[0];
    const one = uniformView(1, result.dtype, []);
    const erf = apply(lowering, "Erf", equation);
    return lowerElementwise(lowering.builder, "Sub", [one, erf], result);
  },
  compare: lowerCompare,
  where: lowerWhere,
  cast: lowerCast,
  ...Object.fromEntries(UNARY.map((primitive) => [primitive, lowerUnary])),
};

function apply(
  lowering: Lowering,
  op: string,
  equation: TracedEquation,
  attributes: Record<string, OnnxAttribute> = {},
  inputs: TracedAtom[] = equation.inputs,
): View {
  const views = inputs.map((input) => viewOfAtom(lowering, input));
  return lowerElementwise(lowering.builder, op, views, equation.outputs[0], attributes);
}

function lowerUnary(lowering: Lowering, equation: TracedEquation): View {
  const { primitive } = equation;
  const { shape, dtype } = equation.outputs[0];
  const value = numberOf(lowering, equation.inputs[0]);
  const fold = FOLD[primitive];
  if (value !== undefined && fold) return uniformView(Math.fround(fold(value)), dtype, shape);
  return apply(lowering, primitive[0].toUpperCase() + primitive.slice(1), equation);
}

const bothWays = (a: TracedAtom, b: TracedAtom): [TracedAtom, TracedAtom][] => [
  [a, b],
  [b, a],
];

/** One operand unchanged, in the shape of the result. */
function pass(lowering: Lowering, equation: TracedEquation, atom: TracedAtom): View {
  return expandView(viewOfAtom(lowering, atom), equation.outputs[0].shape);
}

function lowerAdd(lowering: Lowering, equation: TracedEquation): View {
  const [a, b] = equation.inputs as [TracedAtom, TracedAtom];
  const { shape, dtype } = equation.outputs[0];
  if (dtype === "bool") return apply(lowering, "Or", equation);
  const [x, y] = [numberOf(lowering, a), numberOf(lowering, b)];
  if (x !== undefined && y !== undefined) return uniformView(Math.fround(x + y), dtype, shape);
  if (x === 0) return pass(lowering, equation, b);
  if (y === 0) return pass(lowering, equation, a);
  const branches = lowerBranchSum(lowering, equation);
  if (branches) return branches;
  for (const [minuend, other] of bothWays(a, b)) {
    const negation = makerOf(lowering, other, "neg");
    if (negation) return apply(lowering, "Sub", equation, {}, [minuend, negation.inputs[0]]);
  }
  const [left, right] = [viewOfAtom(lowering, a), viewOfAtom(lowering, b)];
  if (left.source === right.source && JSON.stringify(left) === JSON.stringify(right)) {
    const two = uniformView(2, dtype, []);
    return lowerElementwise(lowering.builder, "Mul", [left, two], equation.outputs[0]);
  }
  return apply(lowering, "Add", equation);
}

function lowerMul(lowering: Lowering, equation: TracedEquation): View {
  const [a, b] = equation.inputs as [TracedAtom, TracedAtom];
  const { shape, dtype } = equation.outputs[0];
  if (dtype === "bool") return apply(lowering, "And", equation);
  const [x, y] = [numberOf(lowering, a), numberOf(lowering, b)];
  if (x !== undefined && y !== undefined) return uniformView(Math.fround(x * y), dtype, shape);
  if (x === 0 || y === 0) return uniformView(0, dtype, shape);
  if (x === 1) return pass(lowering, equation, b);
  if (y === 1) return pass(lowering, equation, a);
  const norm = lowerRmsNorm(lowering, equation);
  if (norm) return norm;
  for (const [dividend, other] of bothWays(a, b)) {
    const inverse = makerOf(lowering, other, "reciprocal");
    if (inverse) return apply(lowering, "Div", equation, {}, [dividend, inverse.inputs[0]]);
  }
  return apply(lowering, "Mul", equation);
}

/**
 * Merges the gradient of a two-branch activation, `s * where(c, g, 0) + t * where(c, 0, g)`, into one
 * `where(c, s * g, t * g)`: half the passes over memory.
 */
function lowerBranchSum(lowering: Lowering, equation: TracedEquation): View | undefined {
  const [p, q] = equation.inputs.map((atom) => matchBranch(lowering, atom));
  if (!p || !q || p.condition !== q.condition || p.value !== q.value || p.taken === q.taken) {
    return undefined;
  }
  const [yes, no] = p.taken ? [p, q] : [q, p];
  const result = equation.outputs[0];
  const value = viewOfAtom(lowering, p.value);
  const scaled = (scale: number) => {
    if (scale === 1) return value;
    const factor = uniformView(scale, result.dtype, []);
    return lowerElementwise(lowering.builder, "Mul", [value, factor], result);
  };
  return select(lowering, p.condition, scaled(yes.scale), scaled(no.scale), equation);
}

function matchBranch(lowering: Lowering, atom: TracedAtom) {
  let scale = 1;
  let inner = atom;
  const product = makerOf(lowering, atom, "mul");
  if (product) {
    const [a, b] = product.inputs as [TracedAtom, TracedAtom];
    const factor = numberOf(lowering, b);
    if (factor === undefined) return undefined;
    scale = factor;
    inner = a;
  }
  const choice = makerOf(lowering, inner, "where");
  if (!choice) return undefined;
  const [condition, yes, no] = choice.inputs as [TracedAtom, TracedAtom, TracedAtom];
  if (numberOf(lowering, no) === 0) return { condition, value: yes, taken: true, scale };
  if (numberOf(lowering, yes) === 0) return { condition, value: no, taken: false, scale };
  return undefined;
}

/** Maximum or minimum; WebGPU has no Max and Min kernels, so these become Relu, Clip or Where. */
function lowerExtremum(lowering: Lowering, equation: TracedEquation, kind: "max" | "min"): View {
  const [a, b] = equation.inputs as [TracedAtom, TracedAtom];
  const { builder } = lowering;
  const result = equation.outputs[0];
  const [x, y] = [numberOf(lowering, a), numberOf(lowering, b)];
  if (x !== undefined && y !== undefined) {
    return uniformView(Math[kind](x, y), result.dtype, result.shape);
  }
  const bound = x ?? y;
  if (bound !== undefined && result.dtype === "float32") {
    const operand = viewOfAtom(lowering, x === undefined ? a : b);
    if (bound === 0 && kind === "max") return lowerElementwise(builder, "Relu", [operand], result);
    const limits = kind === "max" ? [bound, Infinity] : [-Infinity, bound];
    const views = limits.map((limit) => uniformView(limit, "float32", []));
    return lowerElementwise(builder, "Clip", [operand, ...views], result);
  }
  const [left, right] = [viewOfAtom(lowering, a), viewOfAtom(lowering, b)];
  const pair = kind === "max" ? [left, right] : [right, left];
  const less = lowerElementwise(builder, "Less", pair, { shape: result.shape, dtype: "bool" });
  return lowerElementwise(builder, "Where", [less, right, left], result);
}

function lowerCompare(lowering: Lowering, equation: TracedEquation): View {
  const ops: Record<string, string> = {
    less: "Less",
    less_equal: "LessOrEqual",
    equal: "Equal",
    not_equal: "Equal",
  };
  const kind = equation.params.op as string;
  const op = ops[kind];
  if (!op) throw new Error(`exportFunction: cannot export the comparison "${kind}".`);
  return apply(lowering, op, equation);
}

function lowerCast(lowering: Lowering, equation: TracedEquation): View {
  const [input] = equation.inputs as [TracedAtom];
  const result = equation.outputs[0];
  const view = viewOfAtom(lowering, input);
  if (view.dtype === result.dtype) return view;
  if (typeof view.source === "number") {
    const value = result.dtype === "int32" ? Math.trunc(view.source) : view.source;
    return uniformView(
      result.dtype === "bool" ? Number(value !== 0) : value,
      result.dtype,
      result.shape,
    );
  }
  return { ...view, source: lowering.builder.cast(view.source, result.dtype), dtype: result.dtype };
}

function lowerWhere(lowering: Lowering, equation: TracedEquation): View {
  const [condition, yes, no] = equation.inputs as [TracedAtom, TracedAtom, TracedAtom];
  const slope = leakySlope(lowering, condition, yes, no);
  if (slope !== undefined) {
    return apply(lowering, "LeakyRelu", equation, { alpha: { float: slope } }, [no]);
  }
  return select(lowering, condition, viewOfAtom(lowering, yes), viewOfAtom(lowering, no), equation);
}

/** The slope s of `where(x < 0, s * x, x)`. */
function leakySlope(lowering: Lowering, condition: TracedAtom, yes: TracedAtom, no: TracedAtom) {
  const test = makerOf(lowering, condition, "compare");
  const product = makerOf(lowering, yes, "mul");
  if (!test || !product || test.params.op !== "less") return undefined;
  if (test.inputs[0] !== no || numberOf(lowering, test.inputs[1]) !== 0) return undefined;
  return product.inputs[0] === no ? numberOf(lowering, product.inputs[1]) : undefined;
}

/** `where`, with `a != b` read as the inverse of `a == b`, and 1 / 0 as the condition itself. */
function select(
  lowering: Lowering,
  condition: TracedAtom,
  yes: View,
  no: View,
  equation: TracedEquation,
): View {
  const { builder } = lowering;
  const result = equation.outputs[0];
  const opposite = condition.kind === "variable" ? lowering.negated.get(condition) : undefined;
  const test = opposite ?? viewOfAtom(lowering, condition);
  const [taken, other] = opposite ? [no, yes] : [yes, no];
  if (taken.source === 1 && other.source === 0 && typeof test.source !== "number") {
    const cast = { ...test, source: builder.cast(test.source, result.dtype), dtype: result.dtype };
    return expandView(cast, result.shape);
  }
  return lowerElementwise(builder, "Where", [test, taken, other], result);
}

/**
 * Writes `x * reciprocal(sqrt(sum(x * x, -1) / F + epsilon))` in the form that ONNX Runtime's optimizer fuses:
 * Pow, ReduceMean, Add, Sqrt, Div and the gain that follows. Only if no other equation uses the intermediate
 * values: a gradient does, and then there is nothing to gain.
 *
 * @returns undefined if the product is something else
 */
function lowerRmsNorm(lowering: Lowering, equation: TracedEquation): View | undefined {
  const [x, scale] = equation.inputs as [TracedAtom, TracedAtom];
  const epsilon = matchScale(lowering, x, scale);
  if (epsilon === undefined) return undefined;
  const { builder } = lowering;
  const tensor = fullTensor(builder, viewOfAtom(lowering, x));
  const full = { shape: tensor.shape, dtype: tensor.dtype };
  const row = { shape: [...tensor.shape.slice(0, -1), 1], dtype: tensor.dtype };
  const square = builder.node("Pow", [tensor, builder.scalar(2, "float32")], full);
  const mean = builder.node("ReduceMean", [square, builder.integers([-1])], row, { keepdims: 1 });
  const shifted = builder.node("Add", [mean, builder.scalar(epsilon, "float32")], row);
  const root = builder.node("Sqrt", [shifted], row);
  return viewOf(builder.node("Div", [tensor, root], full));
}

/** Matches the scale back to x, step by step; returns epsilon. */
function matchScale(lowering: Lowering, x: TracedAtom, scale: TracedAtom): number | undefined {
  const last = x.shape.length - 1;
  const shaped = only(lowering, scale, "reshape") ?? only(lowering, scale, "broadcast");
  const inverse = only(lowering, shaped?.inputs[0], "reciprocal");
  const root = only(lowering, inverse?.inputs[0], "sqrt");
  const shifted = only(lowering, root?.inputs[0], "add");
  const mean = only(lowering, shifted?.inputs[0], "mul");
  const sum = only(lowering, mean?.inputs[0], "reduce");
  const square = only(lowering, sum?.inputs[0], "mul");
  if (!shifted || !mean || !sum || !square?.inputs.every((input) => input === x)) return undefined;
  const isRow = sum.params.op === "Add" && String(sum.params.axis) === String(last);
  const factor = numberOf(lowering, mean.inputs[1]);
  if (!isRow || factor !== Math.fround(1 / x.shape[last])) return undefined;
  return numberOf(lowering, shifted.inputs[1]);
}

/** The equation that made a value, if it is of that primitive and the value has one user. */
function only(lowering: Lowering, atom: TracedAtom | undefined, primitive: string) {
  if (atom?.kind !== "variable" || lowering.returned.has(atom)) return undefined;
  const users = new Set(lowering.users.get(atom));
  return users.size === 1 ? makerOf(lowering, atom, primitive) : undefined;
}
