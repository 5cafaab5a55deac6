import { toHalf } from "../math/half-float.ts";
import { HALF_ENDING } from "./onnx-reader.ts";
import { protobufWriter, readProtobuf } from "./protobuf.ts";

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
