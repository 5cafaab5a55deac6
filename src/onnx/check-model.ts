import { InputError } from "../input-error.ts";
import { ONNX_TYPE } from "./onnx-writer.ts";
import { type ProtobufField, readProtobuf } from "./protobuf.ts";

/** Operator sets of a model; others would need code that is not part of ONNX Runtime. */
const DOMAINS = new Set(["", "ai.onnx", "com.microsoft"]);

/** Bytes per element of the types whose size is checked. */
const WIDTHS = new Map<number, number>([
  [ONNX_TYPE.float32, 4],
  [ONNX_TYPE.float16, 2],
  [ONNX_TYPE.int64, 8],
  [ONNX_TYPE.int32, 4],
]);

/**
 * Throws `InputError` for a model that names files, contains programs (loops, branches, functions), or claims
 * larger constants than it has bytes. ONNX Runtime would read such files from anywhere on the disk.
 *
 * Field numbers are those of onnx.proto.
 */
export function checkModel(model: Uint8Array): void {
  const problem = problemOf(model);
  if (problem) throw new InputError(`The model ${problem}; use a model from a source you trust.`);
}

function problemOf(model: Uint8Array): string | undefined {
  try {
    const fields = readProtobuf(model);
    if (fields.some(({ number }) => number === 25)) return "defines functions";
    for (const { bytes } of fields.filter(({ number }) => number === 7)) {
      const problem = problemOfGraph(readProtobuf(bytes));
      if (problem) return problem;
    }
    return undefined;
  } catch {
    return "is not an ONNX file, or is damaged";
  }
}

function problemOfGraph(graph: ProtobufField[]): string | undefined {
  for (const { number, bytes } of graph) {
    const problem =
      number === 1
        ? problemOfNode(readProtobuf(bytes))
        : number === 5
          ? problemOfTensor(readProtobuf(bytes))
          : number === 15
            ? "has sparse constants"
            : undefined;
    if (problem) return problem;
  }
  return undefined;
}

function problemOfNode(node: ProtobufField[]): string | undefined {
  for (const { number, bytes } of node) {
    if (number === 7 && !DOMAINS.has(textOf(bytes))) return `uses operators of "${textOf(bytes)}"`;
    if (number !== 5) continue;
    for (const attribute of readProtobuf(bytes)) {
      if (attribute.number === 6 || attribute.number === 11) return "contains loops or branches";
      if (attribute.number !== 5) continue;
      const problem = problemOfTensor(readProtobuf(attribute.bytes));
      if (problem) return problem;
    }
  }
  return undefined;
}

function problemOfTensor(tensor: ProtobufField[]): string | undefined {
  let [elements, type, raw] = [1, 0, -1];
  for (const { number, integer, bytes } of tensor) {
    if (number === 13 || (number === 14 && integer !== 0n)) return "keeps its data in other files";
    if (number === 1) elements *= Number(integer);
    else if (number === 2) type = Number(integer);
    else if (number === 9) raw = bytes.length;
  }
  const width = WIDTHS.get(type);
  const isComplete = raw < 0 || width === undefined || elements * width === raw;
  return isComplete ? undefined : "claims constants of another size than it has";
}

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
