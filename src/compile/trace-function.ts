import { makeJaxpr, numpy as np } from "@jax-js/jax";
import type { OnnxType } from "../onnx/onnx-writer.ts";
import { isSymbolic, type Symbols, sizeLabel } from "./symbolic-size.ts";

/** A function of named arrays, written with jax-js. */
export type TraceableFunction = (inputs: Record<string, np.Array>) => Record<string, np.Array>;

/** Type and traced shape of an array. */
export interface TracedShape {
  dtype: OnnxType;
  shape: number[];
}

/** A value computed in a trace; compared by identity. */
export interface TracedVariable extends TracedShape {
  kind: "variable";
}

/** A scalar constant in a trace. */
export interface TracedLiteral extends TracedShape {
  kind: "literal";
  value: number;
}

export type TracedAtom = TracedVariable | TracedLiteral;

/** One primitive operation of a trace. */
export interface TracedEquation {
  primitive: string;
  inputs: TracedAtom[];
  params: Record<string, unknown>;
  outputs: TracedVariable[];
}

/** A function as a list of primitive operations on arrays of traced sizes. */
export interface Trace {
  constants: { variable: TracedVariable; data: ArrayLike<number> }[];
  inputs: { name: string; variable: TracedVariable }[];
  equations: TracedEquation[];
  outputs: { name: string; atom: TracedAtom }[];
}

type JaxAtom = { aval: { shape: number[]; dtype: string }; value?: number };

const DTYPES: readonly string[] = ["float32", "int32", "bool"];

/** Runs `fn` on placeholders of the given shapes and records its operations; jax-js must have been started. */
export function traceFunction(fn: TraceableFunction, inputs: Record<string, TracedShape>): Trace {
  const names = Object.keys(inputs);
  let outputNames: string[] = [];
  const placeholders = names.map((name) =>
    np.zeros(inputs[name].shape, { dtype: inputs[name].dtype as np.DType }),
  );
  const { jaxpr: closed } = makeJaxpr((arrays: np.Array[]) => {
    const result = fn(Object.fromEntries(names.map((name, i) => [name, arrays[i]])));
    outputNames = Object.keys(result);
    const clash = outputNames.find((name) => name in inputs);
    if (clash) throw new Error(`exportFunction: "${clash}" is both an input and an output.`);
    return outputNames.map((name) => result[name]);
  })(placeholders);
  for (const placeholder of placeholders) placeholder.dispose();
  const jaxpr = closed.jaxpr.flatten().simplify();

  const known = new Map<unknown, TracedVariable>();
  const variable = (jaxVar: JaxAtom): TracedVariable => {
    const found = known.get(jaxVar);
    if (found) return found;
    const made: TracedVariable = { kind: "variable", ...shapeOf(jaxVar) };
    known.set(jaxVar, made);
    return made;
  };
  const atom = (jaxAtom: JaxAtom): TracedAtom =>
    jaxAtom.value === undefined
      ? variable(jaxAtom)
      : { kind: "literal", ...shapeOf(jaxAtom), value: Number(jaxAtom.value) };

  const binders = jaxpr.inBinders as JaxAtom[];
  const constants = closed.consts.map((constant, i) => ({
    variable: variable(binders[i]),
    data: (constant as unknown as np.Array).dataSync() as ArrayLike<number>,
  }));
  return {
    constants,
    inputs: names.map((name, i) => ({ name, variable: variable(binders[constants.length + i]) })),
    equations: jaxpr.eqns.map((equation) => ({
      primitive: equation.primitive as string,
      inputs: (equation.inputs as JaxAtom[]).map(atom),
      params: equation.params,
      outputs: (equation.outBinders as JaxAtom[]).map(variable),
    })),
    outputs: (jaxpr.outs as JaxAtom[]).map((out, i) => ({ name: outputNames[i], atom: atom(out) })),
  };
}

function shapeOf({ aval }: JaxAtom): TracedShape {
  if (!DTYPES.includes(aval.dtype)) {
    throw new Error(`exportFunction: cannot export the element type ${aval.dtype}.`);
  }
  return { dtype: aval.dtype as OnnxType, shape: [...aval.shape] };
}

/**
 * Checks that two traces of one function, at different sentinel sizes, are the same program.
 *
 * Any number that differs and is not a product of symbols is a size that leaked into a constant (such as 1 / V
 * in a mean): the graph would only be correct for the traced size.
 */
export function compareTraces(
  first: Trace,
  second: Trace,
  symbols: Symbols,
  otherSymbols: Symbols,
): void {
  const same = (where: string, a: unknown, b: unknown) => {
    const textA = normalize(a, symbols);
    const textB = normalize(b, otherSymbols);
    if (textA !== textB) {
      throw new Error(
        `exportFunction: ${where} depends on a symbolic size (${textA} versus ${textB} at other sizes); ` +
          "feed such values as inputs, and keep every size a product of symbols and constants.",
      );
    }
  };
  same("the number of operations", -first.equations.length, -second.equations.length);
  first.equations.forEach((equation, i) => {
    const other = second.equations[i];
    const where = `operation "${equation.primitive}"`;
    if (equation.primitive !== other.primitive) same("the order of operations", "a", "b");
    same(`a parameter of ${where}`, equation.params, other.params);
    equation.inputs.forEach((input, k) => {
      const twin = other.inputs[k];
      same(`the shape of an operand of ${where}`, input.shape, twin.shape);
      const areLiterals = input.kind === "literal" && twin.kind === "literal";
      if (areLiterals && !Object.is(input.value, twin.value)) {
        same(`a constant of ${where}`, String(input.value), String(twin.value));
      }
    });
    equation.outputs.forEach((output, k) => {
      same(`the shape of the result of ${where}`, output.shape, other.outputs[k].shape);
    });
  });
  same("the number of constants", -first.constants.length, -second.constants.length);
  first.constants.forEach((constant, i) => {
    compareConstant(constant, second.constants[i], same, symbols);
  });
}

function compareConstant(
  constant: Trace["constants"][number],
  other: Trace["constants"][number],
  same: (where: string, a: unknown, b: unknown) => void,
  symbols: Symbols,
): void {
  const { shape } = constant.variable;
  same("the shape of a constant array", shape, other.variable.shape);
  const uniform = uniformValue(constant.data);
  if (uniform === undefined && shape.some((size) => isSymbolic(size, symbols))) {
    throw new Error(
      `exportFunction: a constant array of shape [${shape.map((size) => sizeLabel(size, symbols))}] has ` +
        "different values, which other sizes cannot follow; feed it as an input.",
    );
  }
  const twin = uniformValue(other.data);
  if (uniform !== undefined) same("a constant array", String(uniform), String(twin));
  else same("a constant array", Array.from(constant.data, String), Array.from(other.data, String));
}

/** Returns all sizes that are equal in two traces of one function at different sentinels: the static ones. */
export function staticSizesOf(first: Trace, second: Trace): number[] {
  const other = sizesIn(second);
  return [...new Set(sizesIn(first).filter((size, i) => size > 1 && size === other[i]))];
}

function sizesIn({ equations, constants }: Trace): number[] {
  const shapes = equations.flatMap(({ inputs, outputs, params }) => [
    ...[...inputs, ...outputs].map((atom) => atom.shape),
    numbersIn(params),
  ]);
  return [...shapes, ...constants.map(({ variable }) => variable.shape)].flat();
}

function numbersIn(value: unknown): number[] {
  if (typeof value === "number") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(numbersIn) : [];
}

/** Returns the value of an array whose elements are all equal, else undefined. */
export function uniformValue(data: ArrayLike<number>): number | undefined {
  const value = Number(data[0]);
  for (let i = 1; i < data.length; i++) if (Number(data[i]) !== value) return undefined;
  return value;
}

function normalize(value: unknown, symbols: Symbols): string {
  return JSON.stringify(value, (_key, item) =>
    typeof item === "number" ? sizeLabel(item, symbols) : item,
  );
}
