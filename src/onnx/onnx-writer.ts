import { type ProtobufWriter, protobufWriter } from "./protobuf.ts";

/** Element types of our graphs; int64 only for shapes, float16 only for storage. */
export type OnnxType = "float32" | "float16" | "int32" | "int64" | "bool";

/** A node attribute: an integer, a list of integers, a string, or a float as `{ float }`. */
export type OnnxAttribute = number | number[] | string | { float: number };

/** A named input or output of a graph; a string in `shape` is a size set at run time. */
export interface OnnxValue {
  name: string;
  type: OnnxType;
  shape: (number | string)[];
}

/** A constant stored in the model file. */
export interface OnnxInitializer {
  name: string;
  shape: number[];
  /** Uint16Array: half precision. */
  data: Float32Array | Int32Array | BigInt64Array | Uint8Array | Uint16Array;
}

/** One operation of a graph. */
export interface OnnxNode {
  op: string;
  inputs: string[];
  outputs: string[];
  attributes: Record<string, OnnxAttribute>;
}

/** A graph to write; nodes are in the order of computation. */
export interface OnnxGraph {
  nodes: OnnxNode[];
  inputs: OnnxValue[];
  outputs: OnnxValue[];
  initializers: OnnxInitializer[];
  metadata: Record<string, string>;
  /**
   * Writes the names of sizes as documentation only. ONNX Runtime's planner keeps every buffer whose shape has
   * a name until the last tensor of that shape is done; without names, buffers are freed after their last use.
   */
  anonymousSizes?: boolean;
}

/** Codes of the element types in `TensorProto.DataType`. */
export const ONNX_TYPE: Record<OnnxType, number> = {
  float32: 1,
  int32: 6,
  int64: 7,
  bool: 9,
  float16: 10,
};

/** Operator set 20: the newest for which ONNX Runtime 1.30 has WebGPU kernels for all our operators. */
const OPSET = 20;
const IR_VERSION = 9;

/** Separates sizes in the documentation of an input or output, e.g. `V x 8*V x 3`. */
export const SHAPE_SEPARATOR = " x ";

/**
 * Writes a graph as the bytes of an `.onnx` file (a protobuf `ModelProto`).
 *
 * Field numbers: onnx/onnx, `onnx.proto`.
 */
export function writeOnnx(graph: OnnxGraph): Uint8Array {
  const body = protobufWriter();
  for (const node of graph.nodes) body.message(1, nodeMessage(node));
  body.text(2, "heterskin");
  for (const initializer of graph.initializers) body.message(5, tensorMessage(initializer));
  const { anonymousSizes = false } = graph;
  for (const input of graph.inputs) body.message(11, valueMessage(input, anonymousSizes));
  for (const output of graph.outputs) body.message(12, valueMessage(output, anonymousSizes));
  const model = protobufWriter().integer(1, IR_VERSION).text(2, "heterskin").message(7, body);
  model.message(8, protobufWriter().text(1, "").integer(2, OPSET));
  for (const [key, value] of Object.entries(graph.metadata)) {
    model.message(14, protobufWriter().text(1, key).text(2, value));
  }
  return model.finish();
}

function nodeMessage(node: OnnxNode): ProtobufWriter {
  const message = protobufWriter();
  for (const input of node.inputs) message.text(1, input);
  for (const output of node.outputs) message.text(2, output);
  // Named after its output, so that errors and profiles of ONNX Runtime identify the node.
  message.text(3, node.outputs[0]).text(4, node.op);
  for (const [name, value] of Object.entries(node.attributes)) {
    message.message(5, attributeMessage(name, value));
  }
  return message;
}

function attributeMessage(name: string, value: OnnxAttribute): ProtobufWriter {
  const message = protobufWriter().text(1, name);
  if (typeof value === "string") return message.text(4, value).integer(20, 3);
  if (Array.isArray(value)) {
    for (const item of value) message.integer(8, item);
    return message.integer(20, 7);
  }
  if (typeof value === "object") return message.float(2, value.float).integer(20, 1);
  return message.integer(3, value).integer(20, 2);
}

function tensorMessage({ name, shape, data }: OnnxInitializer): ProtobufWriter {
  const message = protobufWriter();
  for (const size of shape) message.integer(1, size);
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return message.integer(2, ONNX_TYPE[typeOfData(data)]).text(8, name).bytes(9, bytes);
}

function typeOfData(data: OnnxInitializer["data"]): OnnxType {
  if (data instanceof Float32Array) return "float32";
  if (data instanceof Int32Array) return "int32";
  if (data instanceof Uint16Array) return "float16";
  return data instanceof Uint8Array ? "bool" : "int64";
}

function valueMessage({ name, type, shape }: OnnxValue, anonymous: boolean): ProtobufWriter {
  const dims = protobufWriter();
  for (const size of shape) {
    const dim = protobufWriter();
    if (typeof size === "number") dim.integer(1, size);
    else if (!anonymous) dim.text(2, size);
    dims.message(1, dim);
  }
  const tensor = protobufWriter().integer(1, ONNX_TYPE[type]).message(2, dims);
  const value = protobufWriter().text(1, name).message(2, protobufWriter().message(1, tensor));
  return value.text(3, shape.join(SHAPE_SEPARATOR));
}
