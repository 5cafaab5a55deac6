import { toHalf } from "../math/half-float.ts";
import { HALF_ENDING } from "../onnx/onnx-reader.ts";
import {
  ONNX_TYPE,
  type OnnxGraph,
  type OnnxInitializer,
  type OnnxNode,
  writeOnnx,
} from "../onnx/onnx-writer.ts";
import { dataOf, GraphBuilder, type SplitSums } from "./graph-builder.ts";
import { lowerEquation } from "./lower-equation.ts";
import { fullTensor, startLowering, viewOfAtom } from "./lowering.ts";
import { type InputGroups, packInputs } from "./pack-inputs.ts";
import { isSymbolic, primesFrom, type Symbols, sizeLabel } from "./symbolic-size.ts";
import {
  compareTraces,
  staticSizesOf,
  type Trace,
  type TraceableFunction,
  type TracedShape,
  traceFunction,
  uniformValue,
} from "./trace-function.ts";
import { uniformView, viewOf } from "./view.ts";

/** Type and shape of an input or output; a string is a size set at run time, such as `V` or `8*V`. */
export interface TensorSpec {
  dtype: "float32" | "int32" | "bool";
  shape: (number | string)[];
}

/** Arguments of {@link exportFunction}. */
export interface ExportRequest {
  /** Written with jax-js; gradients inside (`grad`, `valueAndGrad`) are exported with it. */
  fn: TraceableFunction;
  inputs: Record<string, TensorSpec>;
  /** Parameters stored in the model under their names; `fn` receives them like inputs. */
  initializers?: Record<string, { shape: number[]; data: Float32Array }>;
  half?: boolean;
  metadata?: Record<string, string>;
  /** Sizes to trace at: distinct primes that divide no other size. Chosen by default. */
  symbols?: Symbols;
  /** Frees memory early when the model runs (see `OnnxGraph.anonymousSizes`). */
  anonymousSizes?: boolean;
  /** Large sums to split into parts, for GPUs. */
  splitSums?: SplitSums;
  /** Inputs to pack together, for GPUs; `packFeeds` then makes the feeds. */
  packed?: (inputs: { name: string; spec: TensorSpec }[]) => InputGroups;
}

/** An ONNX model and its inputs and outputs. */
export interface ExportedGraph {
  model: Uint8Array;
  inputs: { name: string; spec: TensorSpec }[];
  outputs: { name: string; spec: TensorSpec }[];
  /** Extra int32 inputs, rows x any degree, made by `reverseList` from the index input `of`. */
  reverseLists: { name: string; of: string; rows: number | string }[];
  packed: InputGroups;
  nodeCount: number;
}

/** Sentinels are larger than the sizes of layers, and small enough for constants of [V, K, B]. */
const SMALLEST_SENTINEL = 1009;

/**
 * Converts a jax-js function to an ONNX model whose symbolic sizes are set when it runs.
 *
 * The function is traced at two sets of prime sizes; a number that differs between the two is a size that
 * leaked into a constant and is an error, as is any primitive without a rule. The gradient of `take` becomes a
 * sum over reverse lists (see `reverseList`). jax-js must have been started (`startJax`).
 */
export function exportFunction(request: ExportRequest): ExportedGraph {
  const { trace, symbols } = traceTwice(request);
  const builder = new GraphBuilder(symbols, request.splitSums);
  const lowering = startLowering(builder, trace);
  for (const { name, variable } of trace.inputs) {
    const stored = request.initializers?.[name];
    const tensor = stored
      ? builder.initializer(name, stored.shape, stored.data)
      : builder.input(name, variable.dtype, variable.shape);
    lowering.views.set(variable, viewOf(tensor));
  }
  for (const { variable, data } of trace.constants) {
    lowering.views.set(variable, constantView(builder, variable, data));
  }
  for (const equation of trace.equations) lowerEquation(lowering, equation);
  const tensors = trace.outputs.map(({ name, atom }) => ({
    name,
    tensor: fullTensor(builder, viewOfAtom(lowering, atom)),
  }));
  const graph = builder.finish(tensors);
  const { metadata = {}, anonymousSizes = false } = request;
  const spec = ({ type, shape }: (typeof graph.outputs)[number]) =>
    ({ dtype: type, shape }) as TensorSpec;
  const inputs = builder.inputs.map((input) => ({ name: input.name, spec: spec(input) }));
  const packed = request.packed?.(inputs) ?? {};
  const stored = new Set(request.half ? Object.keys(request.initializers ?? {}) : []);
  const body = halveInitializers(packInputs({ ...graph, inputs: builder.inputs }, packed), stored);
  return {
    model: writeOnnx({ ...body, metadata, anonymousSizes }),
    inputs,
    packed,
    outputs: graph.outputs.map((output) => ({ name: output.name, spec: spec(output) })),
    reverseLists: [...lowering.reverseLists.values()].map((list) => ({
      ...list,
      rows: sizeLabel(list.rows, symbols),
    })),
    nodeCount: graph.nodes.length,
  };
}

/** Attempts to find sentinels that divide no static size; one is nearly always enough. */
const MAX_TRIES = 4;

function traceTwice(request: ExportRequest): { trace: Trace; symbols: Symbols } {
  const avoided: number[] = [];
  for (let tries = 1; ; tries++) {
    const { symbols, others } = chooseSymbols(request, avoided);
    const trace = traceAt(request, symbols);
    const twin = traceAt(request, others);
    const mistaken = staticSizesOf(trace, twin).filter(
      (size) => isSymbolic(size, symbols) || isSymbolic(size, others),
    );
    if (mistaken.length === 0 || tries === MAX_TRIES) {
      compareTraces(trace, twin, symbols, others);
      return { trace, symbols };
    }
    avoided.push(...mistaken);
  }
}

/** Two sets of distinct primes, one for each symbol and for the degree of each possible reverse list. */
function chooseSymbols({ inputs, symbols: given = {} }: ExportRequest, avoided: number[]) {
  const specs = Object.entries(inputs);
  const named = specs.flatMap(([, spec]) => spec.shape.filter((size) => typeof size === "string"));
  const degrees = specs
    .filter(([, { dtype }]) => dtype === "int32")
    .map(([name]) => `${name}.reverse`);
  const names = [...new Set([...named, ...degrees])];
  const taken = [...Object.values(given), ...avoided];
  const primes = primesFrom(SMALLEST_SENTINEL, 2 * names.length, taken);
  const symbols = Object.fromEntries(names.map((name, i) => [name, given[name] ?? primes[i]]));
  const others = Object.fromEntries(names.map((name, i) => [name, primes[names.length + i]]));
  return { symbols, others };
}

function traceAt({ fn, inputs, initializers = {} }: ExportRequest, symbols: Symbols): Trace {
  const shapes: Record<string, TracedShape> = {};
  for (const [name, { dtype, shape }] of Object.entries(inputs)) {
    const sizes = shape.map((size) => (typeof size === "string" ? symbols[size] : size));
    shapes[name] = { dtype, shape: sizes };
  }
  for (const [name, { shape }] of Object.entries(initializers)) {
    if (name in inputs) throw new Error(`exportFunction: "${name}" is both input and initializer.`);
    shapes[name] = { dtype: "float32", shape };
  }
  return traceFunction(fn, shapes);
}

function constantView(
  builder: GraphBuilder,
  { shape, dtype }: TracedShape,
  data: ArrayLike<number>,
) {
  const uniform = uniformValue(data);
  if (uniform !== undefined) return uniformView(uniform, dtype, shape);
  return viewOf(builder.constant(dataOf(data, dtype), shape, dtype));
}

/**
 * Stores parameters in half precision: half the file, while all arithmetic stays in float32. ONNX Runtime
 * converts them once, when the graph is loaded.
 */
function halveInitializers<Graph extends Pick<OnnxGraph, "nodes" | "initializers">>(
  graph: Graph,
  names: ReadonlySet<string>,
): Graph {
  const casts: OnnxNode[] = [];
  const initializers = graph.initializers.map((initializer): OnnxInitializer => {
    const { name, data } = initializer;
    if (!names.has(name) || !(data instanceof Float32Array)) return initializer;
    const half = `${name}${HALF_ENDING}`;
    const attributes = { to: ONNX_TYPE.float32 };
    casts.push({ op: "Cast", inputs: [half], outputs: [name], attributes });
    return { ...initializer, name: half, data: toHalf(data) };
  });
  return { ...graph, initializers, nodes: [...casts, ...graph.nodes] };
}
