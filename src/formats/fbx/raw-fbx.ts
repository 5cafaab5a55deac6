import { zlibSync } from "fflate";
import { InputError } from "../../input-error.ts";
import { type Budget, spend } from "../budget.ts";
import { FBX_SCALARS } from "./fbx-node.ts";

/** A node of a binary FBX whose values are left encoded. */
export interface RawFbxNode {
  /** One character per byte. */
  name: string;
  /** Number of values, and their concatenated bytes. */
  count: number;
  values: Uint8Array;
  children: RawFbxNode[];
  /** Whether an empty record terminates its children. */
  isClosed: boolean;
}

/** A binary FBX split into parts that can be joined again, byte for byte. */
export interface RawFbx {
  version: number;
  /** Magic and version. */
  head: Uint8Array;
  nodes: RawFbxNode[];
  /** The bytes after the last node, and their offset. */
  foot: Uint8Array;
  footAt: number;
}

const HEAD = 27;
/** Offset of the version. */
export const VERSION_AT = 23;
/** From this version on, offsets have 64 bits. */
const LONG = 7500;
export const MAX_DEPTH = 64;
/** At the end of a file: version, 120 zeros, 16 bytes of magic. */
const TAIL = 140;
const FOOT_NAME = 16;

/** Approximate size of a node and a value in memory. */
const NODE_BYTES = 160;
const VALUE_BYTES = 16;

interface SplitOptions {
  budget?: Budget | undefined;
  /** Whether bytes between a node's last child and its end are skipped. */
  isLenient?: boolean;
}

/** Splits a binary FBX; {@link joinRawFbx} restores the same file, unless it was read leniently. */
export function splitRawFbx(name: string, bytes: Uint8Array, options: SplitOptions = {}): RawFbx {
  const { budget, isLenient = false } = options;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < HEAD) throw damagedFbx(name);
  const version = view.getUint32(VERSION_AT, true);
  const { isLong, header, step } = layoutOf(version);
  const number = (at: number): number =>
    isLong ? Number(view.getBigUint64(at, true)) : view.getUint32(at, true);
  let at = HEAD;
  const read = (limit: number, depth: number): RawFbxNode | undefined => {
    if (at + header > limit) throw damagedFbx(name);
    const [end, count, size] = [number(at), number(at + step), number(at + step * 2)];
    const nameSize = bytes[at + step * 3];
    const start = at + header + nameSize;
    at += header;
    if (end === 0) return undefined;
    if (end > limit || start + size > end || depth > MAX_DEPTH) throw damagedFbx(name);
    spend(budget, NODE_BYTES + 2 * nameSize + count * VALUE_BYTES);
    const node: RawFbxNode = {
      name: String.fromCharCode(...bytes.subarray(at, start)),
      count,
      values: bytes.subarray(start, start + size),
      children: [],
      isClosed: false,
    };
    at = start + size;
    while (at < end) {
      const child = read(end, depth + 1);
      if (child) node.children.push(child);
      else node.isClosed = true;
      if (node.isClosed) break;
    }
    if (at !== end && !isLenient) throw damagedFbx(name);
    at = end;
    return node;
  };
  const nodes: RawFbxNode[] = [];
  while (at + header <= bytes.length) {
    const node = read(bytes.length, 0);
    if (!node) break;
    nodes.push(node);
  }
  return { version, head: bytes.subarray(0, HEAD), nodes, foot: bytes.subarray(at), footAt: at };
}

/** Joins a binary FBX: offsets are recomputed, everything else is copied. */
export function joinRawFbx({ version, head, nodes, foot, footAt }: RawFbx): Uint8Array {
  const { isLong, header, step } = layoutOf(version);
  const measure = (node: RawFbxNode): number => {
    const own = header + node.name.length + node.values.length + (isClosed(node) ? header : 0);
    return node.children.reduce((sum, child) => sum + measure(child), own);
  };
  const body = nodes.reduce((sum, node) => sum + measure(node), 0) + header;
  const end = moveFoot(foot, head.length + body, footAt);
  const bytes = new Uint8Array(head.length + body + end.length);
  const view = new DataView(bytes.buffer);
  const setNumber = (offset: number, value: number): void => {
    if (isLong) view.setBigUint64(offset, BigInt(value), true);
    else view.setUint32(offset, value, true);
  };
  let at = head.length;
  const write = (node: RawFbxNode): void => {
    const { name } = node;
    const start = at;
    setNumber(at + step, node.count);
    setNumber(at + step * 2, node.values.length);
    bytes[at + step * 3] = name.length;
    for (let i = 0; i < name.length; i++) bytes[at + header + i] = name.charCodeAt(i);
    bytes.set(node.values, at + header + name.length);
    at += header + name.length + node.values.length;
    for (const child of node.children) write(child);
    if (isClosed(node)) at += header;
    setNumber(start, at);
  };
  bytes.set(head);
  for (const node of nodes) write(node);
  bytes.set(end, at + header);
  return bytes;
}

/** Size of the numbers in a node's header, and of the header before its name. */
function layoutOf(version: number): { isLong: boolean; header: number; step: number } {
  const isLong = version >= LONG;
  return { isLong, header: isLong ? 25 : 13, step: isLong ? 8 : 4 };
}

/** Error for a binary FBX that contradicts itself. */
export function damagedFbx(name: string): InputError {
  return new InputError(`${name}: the FBX is truncated or damaged; copy or export it again.`);
}

/** A node with children must be terminated, even if they are new. */
function isClosed({ isClosed: was, children }: RawFbxNode): boolean {
  return was || children.length > 0;
}

/**
 * Pads the foot for a new offset: a 16-byte id, at least four zeros, and the tail. Autodesk's library ends
 * files on a multiple of 16, Blender starts the tail on one.
 */
function moveFoot(foot: Uint8Array, offset: number, was: number): Uint8Array {
  const zeros = foot.length - FOOT_NAME - TAIL;
  if (zeros < 0 || foot.subarray(FOOT_NAME, FOOT_NAME + zeros).some((byte) => byte !== 0)) {
    return foot;
  }
  const byBlender = (start: number) => 4 + (16 - ((start + FOOT_NAME + 4) % 16));
  const byAutodesk = (start: number) => 4 + ((16 - ((start + FOOT_NAME + 4 + TAIL) % 16)) % 16);
  const rule = zeros === byBlender(was) ? byBlender : byAutodesk;
  const out = new Uint8Array(FOOT_NAME + rule(offset) + TAIL);
  out.set(foot.subarray(0, FOOT_NAME));
  out.set(foot.subarray(foot.length - TAIL), out.length - TAIL);
  return out;
}

/** A value to write: a long integer, an integer, a double, a flag, text, bytes, or an array. */
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

/** Arrays with more entries are compressed, as other writers do. */
const PACKED_ABOVE = 128;

const ENCODER = new TextEncoder();

/** Creates a node of a binary FBX. */
export function rawNode(
  name: string,
  values: NewFbxValue[],
  ...children: RawFbxNode[]
): RawFbxNode {
  const parts = values.map(encodeValue);
  const bytes = parts.length === 1 ? parts[0] : joined(parts);
  return { name, count: values.length, values: bytes, children, isClosed: children.length > 0 };
}

function joined(parts: Uint8Array[]): Uint8Array {
  const out = room(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** The block that small values lie in: a file has millions, and a buffer for each would be slow. */
const block = { bytes: new Uint8Array(0), used: 0 };
const BLOCK_BYTES = 2 ** 16;

/** Returns new bytes, all zero. */
function room(size: number): Uint8Array {
  if (size > BLOCK_BYTES / 16) return new Uint8Array(size);
  if (block.used + size > block.bytes.length) {
    block.bytes = new Uint8Array(BLOCK_BYTES);
    block.used = 0;
  }
  block.used += size;
  return block.bytes.subarray(block.used - size, block.used);
}

function encodeValue(value: NewFbxValue): Uint8Array {
  if (typeof value === "bigint") return encoded("L", 8, (view) => view.setBigInt64(1, value, true));
  if (typeof value === "string") return counted("S", ENCODER.encode(value));
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

/** Encodes the letter of a value's type, and `size` bytes. */
function encoded(type: string, size: number, write: (view: DataView, bytes: Uint8Array) => void) {
  const out = room(1 + size);
  out[0] = type.charCodeAt(0);
  write(new DataView(out.buffer, out.byteOffset, out.length), out);
  return out;
}

function counted(type: string, content: Uint8Array): Uint8Array {
  return encoded(type, 4 + content.length, (view, bytes) => {
    view.setUint32(1, content.length, true);
    bytes.set(content, 5);
  });
}

function array(type: string, data: Int32Array | Float64Array | Float32Array | BigInt64Array) {
  const plain = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  const isPacked = data.length > PACKED_ABOVE;
  // The default level takes twice the time and saves less than 1 % of the bytes.
  const stored = isPacked ? zlibSync(plain, { level: 1 }) : plain;
  return encoded(type, 12 + stored.length, (view, bytes) => {
    view.setUint32(1, data.length, true);
    view.setUint32(5, isPacked ? 1 : 0, true);
    view.setUint32(9, stored.length, true);
    bytes.set(stored, 13);
  });
}

/** Decodes the first values of a node, up to the first that is neither a number nor text, or truncated. */
export function leadingValues(node: RawFbxNode): (bigint | number | string)[] {
  const { values } = node;
  const view = new DataView(values.buffer, values.byteOffset, values.byteLength);
  return leadingSpans(node).map(({ type, start, end }) =>
    type === "S"
      ? new TextDecoder().decode(values.subarray(start + 5, end))
      : FBX_SCALARS[type].read(view, start + 1),
  );
}

/** Returns a node in which one of its leading values is another text; all other bytes stay. */
export function withText(node: RawFbxNode, index: number, text: string): RawFbxNode {
  const { start, end } = leadingSpans(node)[index];
  const { values } = node;
  const parts = [values.subarray(0, start), rawNode("", [text]).values, values.subarray(end)];
  return { ...node, values: joined(parts) };
}

/** Where the leading values of a node are in its bytes, from the letter of their type on. */
function leadingSpans({ values, count }: RawFbxNode) {
  const view = new DataView(values.buffer, values.byteOffset, values.byteLength);
  const found: { type: string; start: number; end: number }[] = [];
  let start = 0;
  while (found.length < count && start < values.length) {
    const type = String.fromCharCode(values[start]);
    const isText = type === "S" && start + 5 <= values.length;
    const size = isText ? 4 + view.getUint32(start + 1, true) : FBX_SCALARS[type]?.bytes;
    const end = start + 1 + (size ?? Number.NaN);
    if (!(end <= values.length)) break;
    found.push({ type, start, end });
    start = end;
  }
  return found;
}
