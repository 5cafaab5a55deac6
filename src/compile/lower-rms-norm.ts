import { fullTensor } from "./lower-view.ts";
import { type Lowering, makerOf, numberOf, viewOfAtom } from "./lowering.ts";
import type { TracedAtom, TracedEquation } from "./trace-function.ts";
import { type View, viewOf } from "./view.ts";

/**
 * `x * reciprocal(sqrt(sum(x * x, -1) / F + epsilon))`, written the way ONNX Runtime looks for.
 *
 * Its optimiser makes one operation of Pow, ReduceMean, Add, Sqrt, Div and the gain that follows.
 * Only where nobody else uses the values in between: a gradient does, and then there is nothing to gain.
 *
 * @returns undefined where the product is something else
 */
export function lowerRmsNorm(lowering: Lowering, equation: TracedEquation): View | undefined {
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

/** Follows the scale back to x, step by step; returns epsilon. */
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

/** The maker of a value, if it is of that primitive and the value has one user. */
function only(lowering: Lowering, atom: TracedAtom | undefined, primitive: string) {
  if (atom?.kind !== "variable" || lowering.returned.has(atom)) return undefined;
  const users = new Set(lowering.users.get(atom));
  return users.size === 1 ? makerOf(lowering, atom, primitive) : undefined;
}
