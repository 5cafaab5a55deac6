import { FEW, roundSize } from "../math/arrays.ts";
import { ONNX_TYPE, type OnnxGraph, type OnnxNode, type OnnxValue } from "../onnx/onnx-writer.ts";
import type { FedTensor, SizeTensor } from "../onnx/runtime.ts";

/**
 * Names of inputs packed into one array, by the name of that array. It is an array of floats even for integers:
 * ONNX Runtime's WebGPU cannot slice integers.
 */
export type InputGroups = Record<string, string[]>;

/** Inputs of a packed graph with the range of an input in its group's array, and its shape. */
const rangeOf = (input: string) => ({
  start: `${input}.start`,
  end: `${input}.end`,
  shape: `${input}.shape`,
});

/**
 * Packs groups of inputs into one array each, which the graph unpacks.
 *
 * ONNX Runtime uploads each input to a GPU in a separate submission: with some seventy inputs that is half the
 * submissions of a training step. Ranges and shapes stay on the CPU.
 */
export function packInputs<Graph extends Pick<OnnxGraph, "nodes" | "inputs">>(
  graph: Graph,
  groups: InputGroups,
): Graph {
  const packed = new Set(Object.values(groups).flat());
  const given = new Map(graph.inputs.map((input) => [input.name, input]));
  const inputs = graph.inputs.filter(({ name }) => !packed.has(name));
  const nodes: OnnxNode[] = [];
  for (const [array, names] of Object.entries(groups)) {
    const members = names.map((name) => given.get(name)!);
    inputs.push({ name: array, type: "float32", shape: [`${array}.length`] });
    for (const member of members) {
      inputs.push(...rangeInputs(member));
      nodes.push(...unpackNodes(array, member));
    }
  }
  return { ...graph, inputs, nodes: [...nodes, ...graph.nodes] };
}

function rangeInputs({ name, shape }: OnnxValue): OnnxValue[] {
  const { start, end, shape: sizes } = rangeOf(name);
  return [
    { name: start, type: "int64", shape: [1] },
    { name: end, type: "int64", shape: [1] },
    { name: sizes, type: "int64", shape: [shape.length] },
  ];
}

function unpackNodes(array: string, { name, type }: OnnxValue): OnnxNode[] {
  const { start, end, shape } = rangeOf(name);
  const [slice, flat] = [`${name}.slice`, `${name}.flat`];
  const isInteger = type !== "float32";
  const to = ONNX_TYPE[type];
  return [
    { op: "Slice", inputs: [array, start, end], outputs: [slice], attributes: {} },
    ...(isInteger ? [{ op: "Cast", inputs: [slice], outputs: [flat], attributes: { to } }] : []),
    { op: "Reshape", inputs: [isInteger ? flat : slice, shape], outputs: [name], attributes: {} },
  ];
}

/** The largest integer up to which a float is exact. */
const LARGEST_INTEGER = 2 ** 24;

/** Returns the feeds of a packed graph; groups with missing members are skipped. */
export function packFeeds(
  feeds: Record<string, FedTensor>,
  groups: InputGroups,
): Record<string, FedTensor> {
  const packed = { ...feeds };
  for (const [array, names] of Object.entries(groups)) {
    if (!names.every((name) => feeds[name])) continue;
    const members = names.map((name) => feeds[name]);
    // The padding after the last member is never read.
    const length = roundSize(
      members.reduce((sum, { data }) => sum + data.length, 0),
      2 * FEW,
    );
    const data = new Float32Array(length);
    let start = 0;
    members.forEach((member, i) => {
      const end = start + member.data.length;
      if (member.data instanceof Int32Array) copyIntegers(member.data, data, start, names[i]);
      else data.set(member.data as Float32Array, start);
      const at = rangeOf(names[i]);
      packed[at.start] = integers([start]);
      packed[at.end] = integers([end]);
      packed[at.shape] = integers(member.shape);
      delete packed[names[i]];
      start = end;
    });
    packed[array] = { dtype: "float32", shape: [length], data };
  }
  return packed;
}

/** Same as `to.set(from, start)`, which is five times slower between element types. */
function copyIntegers(from: Int32Array, to: Float32Array, start: number, name: string): void {
  for (let i = 0; i < from.length; i++) {
    const value = from[i];
    if (value > LARGEST_INTEGER || value < -LARGEST_INTEGER) {
      throw new Error(`packFeeds: ${value} in "${name}" is too large for a float.`);
    }
    to[start + i] = value;
  }
}

function integers(values: number[]): SizeTensor {
  return { dtype: "int64", shape: [values.length], data: BigInt64Array.from(values, BigInt) };
}
