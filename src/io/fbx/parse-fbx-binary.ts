import { unzlibSync } from "fflate";
import { InputError } from "../../input-error.ts";
import { type Budget, spend } from "../budget.ts";
import type { FbxNode, FbxValue } from "./fbx-node.ts";

const MAGIC = "Kaydara FBX Binary  \0";

// zlib cannot pack tighter than this; an array that claims more is a lie.
const LARGEST_RATIO = 1032;

const ARRAY_BYTES: Record<string, number> = { f: 4, d: 8, i: 4, l: 8, b: 1, c: 1 };

/** Whether bytes begin like a binary FBX. */
export function isBinaryFbx(bytes: Uint8Array): boolean {
  return [...MAGIC].every((char, i) => bytes[i] === char.charCodeAt(0));
}

interface Cursor {
  name: string;
  bytes: Uint8Array;
  view: DataView;
  at: number;
  /** Where the node being read ends; nothing of it may lie beyond. */
  end: number;
  /** FBX 7.5 and later count in 64 bits. */
  isLong: boolean;
  budget: Budget | undefined;
}

/** What a node and a value take in memory, about. */
const NODE_BYTES = 160;
const VALUE_BYTES = 16;

/** Reads the node tree of a binary FBX; every length is held against the bytes that are there. */
export function parseFbxBinary(name: string, bytes: Uint8Array, budget?: Budget): FbxNode {
  if (bytes.length < 27) throw damaged(name);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isLong = view.getUint32(23, true) >= 7500;
  const cursor: Cursor = { name, bytes, view, at: 27, end: bytes.length, isLong, budget };
  const root: FbxNode = { name: "", values: [], children: [] };
  while (cursor.at + 13 <= bytes.length) {
    const node = readNode(cursor, 0);
    if (!node) break;
    root.children.push(node);
  }
  return root;
}

function readNode(cursor: Cursor, depth: number): FbxNode | undefined {
  const limit = cursor.end;
  const end = readLength(cursor);
  const count = readLength(cursor);
  readLength(cursor);
  const nameSize = readByte(cursor);
  if (end === 0) return undefined;
  if (end > limit || end < cursor.at + nameSize || depth > 64) throw damaged(cursor.name);
  cursor.end = end;
  spend(cursor.budget, NODE_BYTES + count * VALUE_BYTES);
  const node: FbxNode = { name: readText(cursor, nameSize), values: [], children: [] };
  for (let i = 0; i < count; i++) node.values.push(readValue(cursor));
  while (cursor.at < end) {
    const child = readNode(cursor, depth + 1);
    if (!child) break;
    node.children.push(child);
  }
  cursor.at = end;
  cursor.end = limit;
  return node;
}

function readValue(cursor: Cursor): FbxValue {
  const type = String.fromCharCode(readByte(cursor));
  const { view } = cursor;
  switch (type) {
    case "C":
    case "B":
      return readByte(cursor) !== 0;
    case "Y":
      return view.getInt16(advance(cursor, 2), true);
    case "I":
      return view.getInt32(advance(cursor, 4), true);
    case "F":
      return view.getFloat32(advance(cursor, 4), true);
    case "D":
      return view.getFloat64(advance(cursor, 8), true);
    case "L": {
      const whole = view.getBigInt64(advance(cursor, 8), true);
      return Number.isSafeInteger(Number(whole)) ? Number(whole) : whole;
    }
    case "S":
      return readText(cursor, view.getUint32(advance(cursor, 4), true));
    case "R": {
      const size = view.getUint32(advance(cursor, 4), true);
      const start = advance(cursor, size);
      return cursor.bytes.subarray(start, start + size);
    }
    default:
      return readArray(cursor, type);
  }
}

function readArray(cursor: Cursor, type: string): Float64Array | Int32Array {
  const width = ARRAY_BYTES[type];
  if (!width) throw damaged(cursor.name);
  const header = advance(cursor, 12);
  const count = cursor.view.getUint32(header, true);
  const isPacked = cursor.view.getUint32(header + 4, true) === 1;
  const size = isPacked ? cursor.view.getUint32(header + 8, true) : count * width;
  if (cursor.at + size > cursor.end || count * width > size * LARGEST_RATIO)
    throw damaged(cursor.name);
  // The unpacked bytes, and the numbers made of them.
  spend(cursor.budget, count * (width + 8));
  const start = advance(cursor, size);
  let data = cursor.bytes.subarray(start, start + size);
  if (isPacked) {
    try {
      data = unzlibSync(data, { out: new Uint8Array(count * width) });
    } catch {
      throw damaged(cursor.name);
    }
  }
  if (data.length < count * width) throw damaged(cursor.name);
  return numbers(new DataView(data.buffer, data.byteOffset, data.byteLength), type, count);
}

function numbers(view: DataView, type: string, count: number): Float64Array | Int32Array {
  const out =
    type === "i" || type === "b" || type === "c" ? new Int32Array(count) : new Float64Array(count);
  for (let i = 0; i < count; i++) {
    if (type === "d") out[i] = view.getFloat64(i * 8, true);
    else if (type === "f") out[i] = view.getFloat32(i * 4, true);
    else if (type === "i") out[i] = view.getInt32(i * 4, true);
    else if (type === "l") out[i] = Number(view.getBigInt64(i * 8, true));
    else out[i] = view.getUint8(i);
  }
  return out;
}

function readLength(cursor: Cursor): number {
  return cursor.isLong
    ? Number(cursor.view.getBigUint64(advance(cursor, 8), true))
    : cursor.view.getUint32(advance(cursor, 4), true);
}

function readByte(cursor: Cursor): number {
  return cursor.bytes[advance(cursor, 1)];
}

function readText(cursor: Cursor, size: number): string {
  const start = advance(cursor, size);
  spend(cursor.budget, 2 * size);
  return new TextDecoder().decode(cursor.bytes.subarray(start, start + size));
}

/** Moves on and returns where it was; the one place that meets the end of the node. */
function advance(cursor: Cursor, size: number): number {
  const start = cursor.at;
  if (start + size > cursor.end) throw damaged(cursor.name);
  cursor.at += size;
  return start;
}

function damaged(name: string): InputError {
  return new InputError(`${name}: the FBX ends early or is damaged; copy or export it again.`);
}
