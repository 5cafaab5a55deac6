import { zlibSync } from "fflate";
import { joinArrays } from "../../math/join-arrays.ts";
import { FBX_SCALARS } from "./fbx-scalars.ts";
import type { RawFbxNode } from "./raw-fbx.ts";

/** A value to be written: a long integer, an integer, a double, a flag, text, bytes, or an array. */
export type NewFbxValue =
  | bigint
  | { int: number }
  | { double: number }
  | { flag: boolean }
  | string
  | Uint8Array
  | BigInt64Array
  | Float32Array
  | Int32Array
  | Float64Array;

/** Arrays above this many entries are packed, as other writers do. */
const PACKED_ABOVE = 128;

/** A new node of a binary FBX. */
export function rawNode(
  name: string,
  values: NewFbxValue[],
  ...children: RawFbxNode[]
): RawFbxNode {
  const bytes = joinArrays(Uint8Array, values.map(encodeValue));
  return { name, count: values.length, values: bytes, children, isClosed: children.length > 0 };
}

function encodeValue(value: NewFbxValue): Uint8Array {
  if (typeof value === "bigint") return encoded("L", 8, (view) => view.setBigInt64(1, value, true));
  if (typeof value === "string") return counted("S", new TextEncoder().encode(value));
  if (value instanceof Uint8Array) return counted("R", value);
  if (value instanceof Int32Array) return array("i", value);
  if (value instanceof Float64Array) return array("d", value);
  if (value instanceof Float32Array) return array("f", value);
  if (value instanceof BigInt64Array) return array("l", value);
  if ("flag" in value) return encoded("C", 1, (view) => view.setUint8(1, value.flag ? 1 : 0));
  return "int" in value
    ? encoded("I", 4, (view) => view.setInt32(1, value.int, true))
    : encoded("D", 8, (view) => view.setFloat64(1, value.double, true));
}

/** A letter for the kind of a value, and `size` bytes. */
function encoded(
  type: string,
  size: number,
  write: (view: DataView, bytes: Uint8Array) => void,
): Uint8Array {
  const out = new Uint8Array(1 + size);
  out[0] = type.charCodeAt(0);
  write(new DataView(out.buffer), out);
  return out;
}

function counted(type: string, content: Uint8Array): Uint8Array {
  return encoded(type, 4 + content.length, (view, bytes) => {
    view.setUint32(1, content.length, true);
    bytes.set(content, 5);
  });
}

function array(
  type: string,
  data: Int32Array | Float64Array | Float32Array | BigInt64Array,
): Uint8Array {
  const plain = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  const isPacked = data.length > PACKED_ABOVE;
  const stored = isPacked ? zlibSync(plain) : plain;
  return encoded(type, 12 + stored.length, (view, bytes) => {
    view.setUint32(1, data.length, true);
    view.setUint32(5, isPacked ? 1 : 0, true);
    view.setUint32(9, stored.length, true);
    bytes.set(stored, 13);
  });
}

/** The first values of a node up to the first that is neither a number nor text, or is not whole. */
export function leadingValues({ values, count }: RawFbxNode): (bigint | number | string)[] {
  const view = new DataView(values.buffer, values.byteOffset, values.byteLength);
  const found: (bigint | number | string)[] = [];
  let at = 0;
  while (found.length < count && at < values.length) {
    const type = String.fromCharCode(values[at++]);
    const isText = type === "S" && at + 4 <= values.length;
    const size = isText ? 4 + view.getUint32(at, true) : FBX_SCALARS[type]?.bytes;
    if (size === undefined || at + size > values.length) break;
    if (isText) found.push(new TextDecoder().decode(values.subarray(at + 4, at + size)));
    else found.push(FBX_SCALARS[type].read(view, at));
    at += size;
  }
  return found;
}
