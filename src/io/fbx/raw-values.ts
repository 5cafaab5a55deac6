import { zlibSync } from "fflate";
import type { RawFbxNode } from "./raw-fbx.ts";

/** A value to be written: a long integer, an integer, a double, text, or an array. */
export type NewFbxValue =
  | bigint
  | { int: number }
  | { double: number }
  | string
  | Int32Array
  | Float64Array;

/** Arrays above this many entries are packed, as other writers do. */
const PACKED_ABOVE = 128;

/** A new node of a binary FBX. */
export function rawNode(
  name: string,
  values: NewFbxValue[] = [],
  children: RawFbxNode[] = [],
): RawFbxNode {
  const parts = values.map(encodeValue);
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return { name, count: values.length, values: bytes, children, isClosed: children.length > 0 };
}

function encodeValue(value: NewFbxValue): Uint8Array {
  if (typeof value === "bigint") return scalar("L", 8, (view) => view.setBigInt64(1, value, true));
  if (typeof value === "string") {
    const text = new TextEncoder().encode(value);
    const out = new Uint8Array(5 + text.length);
    out[0] = "S".charCodeAt(0);
    new DataView(out.buffer).setUint32(1, text.length, true);
    out.set(text, 5);
    return out;
  }
  if (value instanceof Int32Array) return array("i", value);
  if (value instanceof Float64Array) return array("d", value);
  return "int" in value
    ? scalar("I", 4, (view) => view.setInt32(1, value.int, true))
    : scalar("D", 8, (view) => view.setFloat64(1, value.double, true));
}

function scalar(type: string, size: number, write: (view: DataView) => void): Uint8Array {
  const out = new Uint8Array(1 + size);
  out[0] = type.charCodeAt(0);
  write(new DataView(out.buffer));
  return out;
}

function array(type: string, data: Int32Array | Float64Array): Uint8Array {
  const plain = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  const isPacked = data.length > PACKED_ABOVE;
  const stored = isPacked ? zlibSync(plain) : plain;
  const out = new Uint8Array(13 + stored.length);
  const view = new DataView(out.buffer);
  out[0] = type.charCodeAt(0);
  view.setUint32(1, data.length, true);
  view.setUint32(5, isPacked ? 1 : 0, true);
  view.setUint32(9, stored.length, true);
  out.set(stored, 13);
  return out;
}

/** The first values of a node up to the first that is neither a number nor text. */
export function leadingValues({ values, count }: RawFbxNode): (bigint | number | string)[] {
  const view = new DataView(values.buffer, values.byteOffset, values.byteLength);
  const found: (bigint | number | string)[] = [];
  let at = 0;
  while (found.length < count && at < values.length) {
    const type = String.fromCharCode(values[at++]);
    if (type === "L") found.push(view.getBigInt64(at, true));
    else if (type === "I") found.push(view.getInt32(at, true));
    else if (type === "D") found.push(view.getFloat64(at, true));
    else if (type === "S") {
      const size = view.getUint32(at, true);
      found.push(new TextDecoder().decode(values.subarray(at + 4, at + 4 + size)));
      at += size;
    } else break;
    at += type === "L" || type === "D" ? 8 : 4;
  }
  return found;
}
