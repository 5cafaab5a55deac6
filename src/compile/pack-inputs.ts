import { FEW, roundSize } from "../math/arrays.ts";
import { ONNX_TYPE, type OnnxGraph, type OnnxNode, type OnnxValue } from "../onnx/onnx-writer.ts";
import type { FedTensor, SizeTensor } from "../onnx/runtime.ts";

/**
 * Names of inputs that travel as one array, by the name of that array.
 *
 * The array is one of floats, integers too: ONNX Runtime's WebGPU cannot slice integers.
 */
export type InputGroups = Record<string, string[]>;

/** Inputs of a packed graph that say where in its group's array an input lies, and its shape. */
const place = (input: string) => ({
  start: `${input}.start`,
  end: `${input}.end`,
  shape: `${input}.shape`,
});

/**
 * Lets groups of inputs travel as one array each, which the graph itself takes apart.
 *
 * ONNX Runtime hands each input to a GPU in a submission of its own: with some seventy inputs a
 * training step spends half its submissions on them. Places and shapes stay with the processor.
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
      inputs.push(...placeInputs(member));
      nodes.push(...takeApart(array, member));
    }
  }
  return { ...graph, inputs, nodes: [...nodes, ...graph.nodes] };
}

function placeInputs({ name, shape }: OnnxValue): OnnxValue[] {
  const { start, end, shape: sizes } = place(name);
  return [
    { name: start, type: "int64", shape: [1] },
    { name: end, type: "int64", shape: [1] },
    { name: sizes, type: "int64", shape: [shape.length] },
  ];
}

function takeApart(array: string, { name, type }: OnnxValue): OnnxNode[] {
  const { start, end, shape } = place(name);
  const [slice, flat] = [`${name}.slice`, `${name}.flat`];
  const whole = type !== "float32";
  const nodes: OnnxNode[] = [
    { op: "Slice", inputs: [array, start, end], outputs: [slice], attributes: {} },
    { op: "Reshape", inputs: [whole ? flat : slice, shape], outputs: [name], attributes: {} },
  ];
  const cast = {
    op: "Cast",
    inputs: [slice],
    outputs: [flat],
    attributes: { to: ONNX_TYPE[type] },
  };
  return whole ? [nodes[0], cast, nodes[1]] : nodes;
}

/** Up to here a float holds every integer. */
const LARGEST_INTEGER = 2 ** 24;

/** What to feed a packed graph instead of `feeds`; members of groups that are not given wait. */
export function packFeeds(
  feeds: Record<string, FedTensor>,
  groups: InputGroups,
): Record<string, FedTensor> {
  const packed = { ...feeds };
  for (const [array, names] of Object.entries(groups)) {
    if (!names.every((name) => feeds[name])) continue;
    const members = names.map((name) => feeds[name]);
    // What follows the last member is never read.
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
      const at = place(names[i]);
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

/** As `to.set(from, start)`, which is five times slower between element types. */
function copyIntegers(from: Int32Array, to: Float32Array, start: number, name: string): void {
  for (let i = 0; i < from.length; i++) {
    const value = from[i];
    if (value > LARGEST_INTEGER || value < -LARGEST_INTEGER) {
      throw new Error(`packFeeds: ${value} in "${name}" is too large to travel as a float.`);
    }
    to[start + i] = value;
  }
}

function integers(values: number[]): SizeTensor {
  return { dtype: "int64", shape: [values.length], data: BigInt64Array.from(values, BigInt) };
}
