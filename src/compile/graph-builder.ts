import {
  ONNX_TYPE,
  type OnnxAttribute,
  type OnnxInitializer,
  type OnnxNode,
  type OnnxType,
  type OnnxValue,
} from "../onnx/onnx-writer.ts";
import { factorSize, isSymbolic, type Symbols, sizeLabel } from "./symbolic-size.ts";
import type { Tensor } from "./view.ts";

/**
 * Splits products that sum over the rows of one symbol into parts that run in parallel.
 *
 * The gradient of a weight matrix sums over all vertices into a small result; a GPU that assigns each tile of
 * the result to one workgroup is then nearly idle. The size of the symbol must be a multiple of `parts`.
 */
export interface SplitSums {
  symbol: string;
  parts: number;
}

/** Operators with commutative operands, so that equal sums and products are found. */
const COMMUTATIVE: ReadonlySet<string> = new Set(["Add", "Mul", "Equal", "And", "Or"]);

/**
 * Builds an ONNX graph node by node; equal nodes and constants are created once.
 *
 * Shapes are at the traced (sentinel) sizes; sizes known only at run time are read from the inputs.
 */
export class GraphBuilder {
  readonly symbols: Symbols;
  readonly inputs: OnnxValue[] = [];
  readonly #nodes: OnnxNode[] = [];
  readonly #initializers: OnnxInitializer[] = [];
  readonly #made = new Map<string, Tensor[]>();
  readonly #shapes = new Map<string, number[]>();
  readonly #reshapedFrom = new Map<string, Tensor>();
  readonly #sizeSources = new Map<string, { input: string; axis: number }>();
  #count = 0;

  readonly #split: SplitSums | undefined;

  constructor(symbols: Symbols, split?: SplitSums) {
    this.symbols = symbols;
    this.#split = split;
  }

  /** Returns the number of parts of a sum over so many rows; 1 for a plain sum. */
  partsOfSum(rows: number): number {
    if (!this.#split) return 1;
    return factorSize(rows, this.symbols).names.includes(this.#split.symbol)
      ? this.#split.parts
      : 1;
  }

  input(name: string, dtype: OnnxType, shape: number[]): Tensor {
    const labels = shape.map((size) => sizeLabel(size, this.symbols));
    this.inputs.push({ name, type: dtype, shape: labels });
    labels.forEach((label, axis) => {
      if (typeof label === "string" && label in this.symbols && !this.#sizeSources.has(label)) {
        this.#sizeSources.set(label, { input: name, axis });
      }
    });
    this.#shapes.set(name, shape);
    return { name, dtype, shape };
  }

  initializer(name: string, shape: number[], data: OnnxInitializer["data"]): Tensor {
    this.#initializers.push({ name, shape, data });
    this.#shapes.set(name, shape);
    return { name, shape, dtype: data instanceof Float32Array ? "float32" : "int32" };
  }

  /** Stores an unnamed constant once per content. */
  constant(data: OnnxInitializer["data"], shape: number[], dtype: OnnxType): Tensor {
    const key = `constant ${dtype} [${shape}] ${data.length < 64 ? data.join() : this.#count}`;
    const found = this.#made.get(key);
    if (found) return found[0];
    const tensor: Tensor = { name: this.#name(), shape, dtype };
    this.#initializers.push({ name: tensor.name, shape, data });
    this.#shapes.set(tensor.name, shape);
    this.#made.set(key, [tensor]);
    return tensor;
  }

  scalar(value: number, dtype: OnnxType): Tensor {
    return this.constant(dataOf([value], dtype), [], dtype);
  }

  node(
    op: string,
    inputs: Tensor[],
    result: { shape: number[]; dtype: OnnxType },
    attributes: Record<string, OnnxAttribute> = {},
  ): Tensor {
    return this.nodes(op, inputs, [result], attributes)[0];
  }

  nodes(
    op: string,
    inputs: Tensor[],
    results: { shape: number[]; dtype: OnnxType }[],
    attributes: Record<string, OnnxAttribute> = {},
  ): Tensor[] {
    const names = inputs.map((input) => input.name);
    const order = COMMUTATIVE.has(op) ? [...names].sort() : names;
    const key = `${op} ${order.join()} ${JSON.stringify(attributes)} ${results.length}`;
    const found = this.#made.get(key);
    if (found) return found;
    const made = results.map((result) => ({ ...result, name: this.#name() }));
    this.#nodes.push({ op, inputs: names, outputs: made.map((t) => t.name), attributes });
    this.#made.set(key, made);
    for (const { name, shape } of made) this.#shapes.set(name, shape);
    return made;
  }

  /** Reshapes a tensor; a reshape of a reshape uses the original. */
  reshape(tensor: Tensor, shape: number[]): Tensor {
    const origin = this.#reshapedFrom.get(tensor.name) ?? tensor;
    for (const known of [tensor, origin]) if (sameShape(known.shape, shape)) return known;
    const made = this.node("Reshape", [origin, this.#reshapeTarget(origin.shape, shape)], {
      shape,
      dtype: tensor.dtype,
    });
    this.#reshapedFrom.set(made.name, origin);
    return made;
  }

  transpose(tensor: Tensor, perm: number[]): Tensor {
    const shape = perm.map((axis) => tensor.shape[axis]);
    return this.node("Transpose", [tensor], { shape, dtype: tensor.dtype }, { perm });
  }

  expand(tensor: Tensor, shape: number[]): Tensor {
    return this.node("Expand", [tensor, this.shapeTensor(shape)], { shape, dtype: tensor.dtype });
  }

  sumOver(tensor: Tensor, axis: number): Tensor {
    const { dtype } = tensor;
    const shape = tensor.shape.toSpliced(axis, 1);
    const operands = [tensor, this.integers([axis])];
    return this.node("ReduceSum", operands, { shape, dtype }, { keepdims: 0 });
  }

  cast(tensor: Tensor, dtype: OnnxType): Tensor {
    if (tensor.dtype === dtype) return tensor;
    return this.node("Cast", [tensor], { shape: tensor.shape, dtype }, { to: ONNX_TYPE[dtype] });
  }

  /** Creates a constant list of integers, for axes and static shapes. */
  integers(values: number[]): Tensor {
    return this.constant(BigInt64Array.from(values, BigInt), [values.length], "int64");
  }

  /** Returns a shape as a tensor: constant, or computed at run time. */
  shapeTensor(shape: number[]): Tensor {
    if (!shape.some((size) => isSymbolic(size, this.symbols))) return this.integers(shape);
    if (shape.length === 1) return this.sizeTensor(shape[0]);
    const parts = shape.map((size) => this.sizeTensor(size));
    return this.node("Concat", parts, { shape: [shape.length], dtype: "int64" }, { axis: 0 });
  }

  /** Returns a size as a list of one integer. */
  sizeTensor(size: number): Tensor {
    const { constant, names } = factorSize(size, this.symbols);
    const result = { shape: [1], dtype: "int64" as const };
    const factors = names.map((name) => {
      const source = this.#sizeSources.get(name);
      if (!source) throw new Error(`exportFunction: no input has a dimension "${name}".`);
      const { input, axis } = source;
      const tensor: Tensor = { name: input, shape: [], dtype: "float32" };
      return this.node("Shape", [tensor], result, { start: axis, end: axis + 1 });
    });
    if (constant !== 1 || factors.length === 0) factors.push(this.integers([constant]));
    return factors.reduce((a, b) => this.node("Mul", [a, b], result));
  }

  /** Returns the graph that computes `outputs`, without unused nodes and constants. */
  finish(outputs: { name: string; tensor: Tensor }[]): {
    nodes: OnnxNode[];
    initializers: OnnxInitializer[];
    outputs: OnnxValue[];
  } {
    const renamed = this.#nameOutputs(outputs);
    const needed = new Set(outputs.map((output) => output.name));
    const nodes: OnnxNode[] = [];
    for (const node of [...this.#nodes].reverse()) {
      const names = node.outputs.map((name) => renamed.get(name) ?? name);
      if (!names.some((name) => needed.has(name))) continue;
      const inputs = node.inputs.map((name) => renamed.get(name) ?? name);
      for (const input of inputs) needed.add(input);
      nodes.push({ ...node, inputs, outputs: names });
    }
    const shapes = new Map(
      [...this.#shapes].map(([name, shape]) => [renamed.get(name) ?? name, shape]),
    );
    const kept = new Set(outputs.map((output) => output.name));
    return {
      nodes: fuseGemmAdd(nodes.reverse(), shapes, kept),
      initializers: this.#initializers.filter((initializer) => needed.has(initializer.name)),
      outputs: outputs.map(({ name, tensor }) => ({
        name,
        type: tensor.dtype,
        shape: tensor.shape.map((size) => sizeLabel(size, this.symbols)),
      })),
    };
  }

  /** Lets nodes write directly to the outputs; only a value without its own node needs a copy. */
  #nameOutputs(outputs: { name: string; tensor: Tensor }[]): Map<string, string> {
    const renamed = new Map<string, string>();
    const computed = new Set(this.#nodes.flatMap((node) => node.outputs));
    for (const { name, tensor } of outputs) {
      if (computed.has(tensor.name) && !renamed.has(tensor.name)) renamed.set(tensor.name, name);
      else {
        const inputs = [tensor.name];
        this.#nodes.push({ op: "Identity", inputs, outputs: [name], attributes: {} });
      }
    }
    return renamed;
  }

  /** Shape operand of a Reshape; uses 0 (unchanged) and -1 (inferred) if that is sufficient. */
  #reshapeTarget(from: number[], to: number[]): Tensor {
    let inferred = 0;
    const target = to.map((size, i) => {
      if (!isSymbolic(size, this.symbols)) return size;
      if (from[i] === size) return 0;
      inferred++;
      return -1;
    });
    return inferred <= 1 ? this.integers(target) : this.shapeTensor(to);
  }

  #name(): string {
    return `_${this.#count++}`;
  }
}

/** Converts numbers to the array type of a constant. */
export function dataOf(values: ArrayLike<number>, dtype: OnnxType): OnnxInitializer["data"] {
  if (dtype === "float32") return Float32Array.from(values);
  if (dtype === "int32") return Int32Array.from(values);
  return Uint8Array.from(values, (value) => (value ? 1 : 0));
}

/** Whether two shapes are equal. */
export function sameShape(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((size, i) => size === b[i]);
}

/**
 * Fuses the addition of a bias, or of another product of its size, into a matrix product: one pass over memory
 * less.
 *
 * @param nodes in order of computation
 * @param shapes of all tensors, at the traced sizes
 * @param kept names that must stay, such as the graph's outputs
 */
function fuseGemmAdd(
  nodes: OnnxNode[],
  shapes: ReadonlyMap<string, readonly number[]>,
  kept: ReadonlySet<string>,
): OnnxNode[] {
  const uses = new Map<string, number>();
  for (const node of nodes) {
    for (const input of node.inputs) uses.set(input, (uses.get(input) ?? 0) + 1);
  }
  const products = new Map<string, OnnxNode>();
  const gone = new Set<OnnxNode>();
  const fused = nodes.map((node) => {
    const [output] = node.outputs as [string];
    if (node.op === "Gemm") products.set(output, node);
    if (node.op !== "Add") return node;
    const [a, b] = node.inputs as [string, string];
    for (const [name, bias] of [
      [a, b],
      [b, a],
    ] as const) {
      const product = products.get(name);
      if (!product || product.inputs.length > 2 || kept.has(name) || uses.get(name) !== 1) continue;
      if (!fits(shapes.get(bias), shapes.get(name)!)) continue;
      gone.add(product);
      const inputs = [...product.inputs, bias];
      return { ...product, inputs, outputs: node.outputs };
    }
    return node;
  });
  return fused.filter((node) => !gone.has(node));
}

/** Whether a bias broadcasts to the product's shape, and not the other way around. */
function fits(bias: readonly number[] | undefined, product: readonly number[]): boolean {
  if (!bias || bias.length > product.length) return false;
  return bias.every((size, i) => size === 1 || size === product[product.length - bias.length + i]);
}
