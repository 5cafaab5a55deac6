import { InputError } from "../input-error.ts";
import { fromHalf, toHalf } from "../math/half-float.ts";
import { ONNX_TYPE, type OnnxType, type OnnxValue, SHAPE_SEPARATOR } from "./onnx-writer.ts";
import { type ProtobufField, protobufWriter, readProtobuf } from "./protobuf.ts";

/** The contents of an `.onnx` file, except for its nodes. */
interface OnnxModel {
  metadata: Record<string, string>;
  inputs: OnnxValue[];
  outputs: OnnxValue[];
  /** Float initializers by name, e.g. the parameters of a trained network. */
  parameters: Record<string, { shape: number[]; data: Float32Array }>;
  nodeCount: number;
}

/** A size without value or name; our models name it in the documentation. */
const UNNAMED = "?";

/** Suffix of the name of a parameter stored in half precision. */
export const HALF_ENDING = ".half";

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/**
 * Reads inputs, outputs, metadata and float initializers from the bytes of an `.onnx` file.
 *
 * Throws an `InputError` if the bytes are not an ONNX model.
 */
export function readOnnx(model: Uint8Array): OnnxModel {
  let fields: ProtobufField[];
  const read: OnnxModel = { metadata: {}, inputs: [], outputs: [], parameters: {}, nodeCount: 0 };
  try {
    fields = readProtobuf(model);
    for (const field of fields) if (field.number === 14) readMetadata(field.bytes, read.metadata);
    for (const field of fields) if (field.number === 7) readGraph(field.bytes, read);
  } catch {
    fields = [];
  }
  if (!fields.some((field) => field.number === 7) || read.nodeCount === 0) {
    throw new InputError(`The model is not an ONNX file (${model.length} bytes).`);
  }
  return read;
}

/** Returns a metadata value; throws an `InputError` if the model was not written by HeterSkin. */
export function requireMetadata(model: OnnxModel, key: string): string {
  const value = model.metadata[key];
  if (value === undefined) {
    throw new InputError(
      `The ONNX model has no "${key}" in its metadata; use a model from HeterSkin.`,
    );
  }
  return value;
}

function readMetadata(bytes: Uint8Array, metadata: Record<string, string>): void {
  const entry = readProtobuf(bytes);
  const part = (number: number) =>
    textOf(entry.find((field) => field.number === number)?.bytes ?? new Uint8Array(0));
  metadata[part(1)] = part(2);
}

function readGraph(bytes: Uint8Array, read: OnnxModel): void {
  for (const field of readProtobuf(bytes)) {
    if (field.number === 1) read.nodeCount++;
    else if (field.number === 5) readTensor(field.bytes, read.parameters);
    else if (field.number === 11) read.inputs.push(readValue(field.bytes));
    else if (field.number === 12) read.outputs.push(readValue(field.bytes));
  }
}

function readTensor(bytes: Uint8Array, parameters: OnnxModel["parameters"]): void {
  const shape: number[] = [];
  let name = "";
  let type = 0;
  let raw: Uint8Array = new Uint8Array(0);
  for (const field of readProtobuf(bytes)) {
    if (field.number === 1) shape.push(Number(field.integer));
    else if (field.number === 2) type = Number(field.integer);
    else if (field.number === 8) name = textOf(field.bytes);
    else if (field.number === 9) raw = field.bytes;
  }
  if (type === ONNX_TYPE.float32) {
    parameters[name] = lazyTensor(shape, raw, 4, (buffer) => new Float32Array(buffer));
  }
  if (type === ONNX_TYPE.float16) {
    const full = name.endsWith(HALF_ENDING) ? name.slice(0, -HALF_ENDING.length) : name;
    parameters[full] = lazyTensor(shape, raw, 2, (buffer) => fromHalf(new Uint16Array(buffer)));
  }
}

/** A tensor that is decoded on first access: most readers only need the metadata. */
function lazyTensor(
  shape: number[],
  raw: Uint8Array,
  size: number,
  decode: (buffer: ArrayBuffer) => Float32Array,
): { shape: number[]; data: Float32Array } {
  if (raw.length % size !== 0) throw new RangeError("The bytes of a tensor are truncated.");
  let data: Float32Array | undefined;
  return {
    shape,
    get data() {
      // A copy: the bytes may lie at any offset.
      data ??= decode(Uint8Array.from(raw).buffer);
      return data;
    },
  };
}

function readValue(bytes: Uint8Array): OnnxValue {
  const value: OnnxValue = { name: "", type: "float32", shape: [] };
  let names: string[] = [];
  for (const field of readProtobuf(bytes)) {
    if (field.number === 1) value.name = textOf(field.bytes);
    else if (field.number === 2) readTensorType(field.bytes, value);
    else if (field.number === 3) names = textOf(field.bytes).split(SHAPE_SEPARATOR);
  }
  value.shape = value.shape.map((size, i) => (size === UNNAMED ? (names[i] ?? size) : size));
  return value;
}

function readTensorType(bytes: Uint8Array, value: OnnxValue): void {
  const tensor = readProtobuf(bytes).find((field) => field.number === 1);
  for (const field of readProtobuf(tensor?.bytes ?? new Uint8Array(0))) {
    if (field.number === 1) value.type = typeNamed(Number(field.integer));
    else if (field.number === 2) {
      for (const dim of readProtobuf(field.bytes)) value.shape.push(readDim(dim.bytes));
    }
  }
}

function typeNamed(number: number): OnnxType {
  const found = Object.entries(ONNX_TYPE).find(([, value]) => value === number);
  return (found?.[0] ?? "float32") as OnnxType;
}

function readDim(bytes: Uint8Array): number | string {
  const field = readProtobuf(bytes)[0];
  if (!field) return UNNAMED;
  return field.number === 2 ? textOf(field.bytes) : Number(field.integer);
}

/**
 * Copies a model with other values for some of its parameters, each in the precision it had.
 *
 * Works on the bytes: only the values change, and metadata is appended.
 *
 * @param parameters by name; each must have as many numbers as before
 * @param metadata entries to add; they override earlier ones of the same name
 */
export function replaceParameters(
  model: Uint8Array,
  parameters: Record<string, Float32Array>,
  metadata: Record<string, string> = {},
): Uint8Array {
  const added = protobufWriter();
  for (const [key, value] of Object.entries(metadata)) {
    added.message(14, protobufWriter().text(1, key).text(2, value));
  }
  const end = added.finish();
  const copy = new Uint8Array(model.length + end.length);
  copy.set(model);
  const missing = new Set(Object.keys(parameters));
  const graphs = readProtobuf(copy.subarray(0, model.length)).filter(({ number }) => number === 7);
  for (const tensor of graphs.flatMap(({ bytes }) => readProtobuf(bytes))) {
    if (tensor.number === 5) missing.delete(writeTensor(tensor.bytes, parameters));
  }
  if (missing.size > 0) {
    throw new Error(`replaceParameters: the model has no parameter "${[...missing][0]}".`);
  }
  copy.set(end, model.length);
  return copy;
}

function writeTensor(bytes: Uint8Array, parameters: Record<string, Float32Array>): string {
  const fields = readProtobuf(bytes);
  const field = (number: number) => fields.find((one) => one.number === number)?.bytes;
  const stored = new TextDecoder().decode(field(8));
  const isHalf = stored.endsWith(HALF_ENDING);
  const name = isHalf ? stored.slice(0, -HALF_ENDING.length) : stored;
  const values = parameters[name];
  if (!values) return name;
  const { buffer, byteOffset, byteLength } = isHalf ? toHalf(values) : values;
  const raw = field(9);
  if (raw?.length !== byteLength) {
    throw new Error(`replaceParameters: "${name}" has ${raw?.length} bytes, got ${byteLength}.`);
  }
  raw.set(new Uint8Array(buffer, byteOffset, byteLength));
  return name;
}
