import { unzlibSync } from "fflate";
import { runSteps, STRIDE, type Steps } from "../../event-loop.ts";
import { InputError } from "../../input-error.ts";
import { type Budget, spend } from "../budget.ts";
import { childOf } from "../scene/values.ts";
import { embeddedBytes, FBX_SCALARS, type FbxNode, type FbxValue } from "./fbx-node.ts";
import { fileMarks, NEW_VERSION, newFbx } from "./new-fbx.ts";
import {
  damagedFbx,
  MAX_DEPTH,
  type NewFbxValue,
  type RawFbx,
  type RawFbxNode,
  rawNode,
  splitRawFbx,
} from "./raw-fbx.ts";

const MAGIC = "Kaydara FBX Binary  \0";

// zlib cannot compress better than this; an array that claims more is damaged.
const LARGEST_RATIO = 1032;

/** Whether the bytes begin like a binary FBX. */
export function isBinaryFbx(bytes: Uint8Array): boolean {
  return [...MAGIC].every((char, i) => bytes[i] === char.charCodeAt(0));
}

interface Cursor {
  name: string;
  /** The values of one node; reads must not go beyond. */
  bytes: Uint8Array;
  view: DataView;
  at: number;
  budget: Budget | undefined;
}

/** Parses the node tree of a binary FBX in steps; every length is checked against the bytes available. */
export function* fbxBinarySteps(name: string, bytes: Uint8Array, budget?: Budget): Steps<FbxNode> {
  const { nodes } = splitRawFbx(name, bytes, { budget, isLenient: true });
  function* parse(node: RawFbxNode): Steps<FbxNode> {
    const { values, count } = node;
    const view = new DataView(values.buffer, values.byteOffset, values.byteLength);
    const cursor: Cursor = { name, bytes: values, view, at: 0, budget };
    const parsed: FbxNode = { name: node.name, values: [], children: [] };
    // One by one: a count may exceed the number of values.
    for (let i = 0; i < count; i++) parsed.values.push(readValue(cursor));
    if (values.length >= STRIDE) yield;
    for (const child of node.children) parsed.children.push(yield* parse(child));
    return parsed;
  }
  const root: FbxNode = { name: "", values: [], children: [] };
  for (const node of nodes) root.children.push(yield* parse(node));
  return root;
}

function readValue(cursor: Cursor): FbxValue {
  const type = String.fromCharCode(cursor.bytes[advance(cursor, 1)]);
  const scalar = FBX_SCALARS[type];
  if (scalar) {
    const value = scalar.read(cursor.view, advance(cursor, scalar.bytes));
    if (type === "C" || type === "B") return value !== 0;
    return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  }
  if (type !== "S" && type !== "R") return readArray(cursor, type);
  const size = cursor.view.getUint32(advance(cursor, 4), true);
  const start = advance(cursor, size);
  const bytes = cursor.bytes.subarray(start, start + size);
  if (type === "R") return bytes;
  spend(cursor.budget, 2 * size);
  return new TextDecoder().decode(bytes);
}

function readArray(cursor: Cursor, type: string): Float64Array | Int32Array {
  if (!/^[fdilbc]$/.test(type)) throw damagedFbx(cursor.name);
  const { bytes: width, read } = FBX_SCALARS[type.toUpperCase()];
  const header = advance(cursor, 12);
  const count = cursor.view.getUint32(header, true);
  const isPacked = cursor.view.getUint32(header + 4, true) === 1;
  const size = isPacked ? cursor.view.getUint32(header + 8, true) : count * width;
  const start = advance(cursor, size);
  if (count * width > size * LARGEST_RATIO) throw damagedFbx(cursor.name);
  // The unpacked bytes, and the numbers made of them.
  spend(cursor.budget, count * (width + 8));
  const stored = cursor.bytes.subarray(start, start + size);
  const data = isPacked ? unpack(cursor.name, stored, count * width) : stored;
  if (isPacked && isLittleEndian) {
    if (type === "d") return new Float64Array(data.buffer, 0, count);
    if (type === "i") return new Int32Array(data.buffer, 0, count);
  }
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const out = /[ibc]/.test(type) ? new Int32Array(count) : new Float64Array(count);
  for (let i = 0; i < count; i++) out[i] = Number(read(view, i * width));
  return out;
}

/** Whether numbers in memory are as in a file. */
const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** Returns `size` bytes, or more, at the start of a buffer. */
function unpack(name: string, packed: Uint8Array, size: number): Uint8Array {
  try {
    const data = unzlibSync(packed, { out: new Uint8Array(size) });
    if (data.length >= size) return data;
  } catch {
    // Falls through: data that cannot be unpacked is as damaged as data that is too short.
  }
  throw damagedFbx(name);
}

/** Advances the cursor and returns its old offset; the only check against the end of the node. */
function advance(cursor: Cursor, size: number): number {
  const start = cursor.at;
  if (start + size > cursor.bytes.length) throw damagedFbx(cursor.name);
  cursor.at += size;
  return start;
}

// A comment, a string, a brace, a comma, a line end, or a word: numbers, names with their colon, flags.
const TOKEN = /;[^\n]*|"([^"]*)"|([{},])|(\n)|([^\s{},;"]+)/g;

/** Parses the node tree of a text FBX, versions 6 and 7. */
export function parseFbxText(name: string, text: string): FbxNode {
  return runSteps(fbxTextSteps(name, text));
}

/** {@link parseFbxText} in steps. */
export function* fbxTextSteps(name: string, text: string): Steps<FbxNode> {
  const root: FbxNode = { name: "", values: [], children: [] };
  const open: FbxNode[] = [root];
  let node: FbxNode | undefined;
  let expectsValue = false;
  let count = 0;
  for (const [token, quoted, sign, newline, word] of text.matchAll(TOKEN)) {
    if (++count % STRIDE === 0) yield;
    if (token.startsWith(";")) continue;
    if (sign === "{") {
      if (!node || open.length > MAX_DEPTH) throw truncated(name);
      open.push(node);
      node.hasBlock = true;
      node = undefined;
    } else if (sign === "}") {
      if (open.length < 2) throw truncated(name);
      open.pop();
      node = undefined;
    } else if (sign === ",") expectsValue = true;
    else if (newline) continue;
    else if (word?.endsWith(":") && !expectsValue) {
      node = { name: word.slice(0, -1), values: [], children: [] };
      open[open.length - 1].children.push(node);
    } else if (node) {
      node.values.push(quoted === undefined ? readWord(word) : quoted.replaceAll("&quot;", '"'));
      expectsValue = false;
    }
  }
  if (open.length !== 1) throw truncated(name);
  return root;
}

function readWord(word: string): FbxValue {
  if (word.startsWith("*")) return word;
  const number = Number(word);
  if (Number.isNaN(number)) return word;
  return /^-?\d{16,19}$/.test(word) && !Number.isSafeInteger(number) ? BigInt(word) : number;
}

function truncated(name: string): InputError {
  return new InputError(`${name}: the FBX text is truncated or damaged; copy or export it again.`);
}

/** Text does not distinguish types of numbers, but readers of binary files do. */
const INTEGER_LISTS =
  /^(?:PolygonVertexIndex|Edges|Materials|Indexes|Smoothing|Visibility|TextureId|KeyAttrFlags|KeyAttrRefCount|\w+Index)$/;
const LONG_LISTS = /^KeyTime$/;
const FLOAT_LISTS = /^(?:KeyValueFloat|KeyAttrDataFloat)$/;
const DOUBLES =
  /^(?:Default|Link_DeformAcuracy|DeformPercent|ModelUVTranslation|ModelUVScaling|Weight)$/;
const LONGS = /^(?:Node|RootNode|LocalTime|ReferenceTime|LocalStart|LocalStop)$/;
const FLAGS = /^(?:Shading|Hidden)$/;

const INTEGER_TYPES = /^(?:int|integer|enum|bool|short|ushort|uint|char|uchar)$/i;
const LONG_TYPES = /^(?:ktime|longlong|ulonglong|long)$/i;

/** Converts a text FBX of version 7 to a binary one of 7.4, with all its nodes. */
export function rawFromText(root: FbxNode): RawFbx {
  const own = new Set(["FileId", "CreationTime", "Creator"]);
  const nodes = root.children
    .filter((node) => !own.has(node.name))
    .map((node) => convert(node, [], node.name));
  return newFbx([nodes[0], ...fileMarks(), ...nodes.slice(1)]);
}

/** @param above names of the ancestors, outermost first */
function convert(node: FbxNode, above: string[], top: string): RawFbxNode {
  const list = childOf(node, "a");
  const content = node.name === "Content" ? embeddedBytes(node) : undefined;
  if (content) return rawNode(node.name, [content]);
  if (list && String(node.values[0]).startsWith("*")) {
    return rawNode(node.name, [listOf(node.name, list.values)]);
  }
  if (node.name === "FBXVersion") return rawNode(node.name, [{ int: NEW_VERSION }]);
  const children = node.children.map((child) => convert(child, [...above, node.name], top));
  const isObject = above.length === 1 && (top === "Objects" || top === "Documents");
  // Readers expect a terminator even for an empty block.
  const isClosed = node.hasBlock === true;
  return { ...rawNode(node.name, valuesOf(node, isObject)), children, isClosed };
}

function listOf(name: string, words: FbxValue[]): NewFbxValue {
  // Words that are not numbers are skipped, as on reading.
  const values = words.filter((word) => typeof word === "number" || typeof word === "bigint");
  const numbers = values.map(Number);
  if (INTEGER_LISTS.test(name)) return Int32Array.from(numbers, clampToInt32);
  if (LONG_LISTS.test(name)) return BigInt64Array.from(values, (value) => asBigInt(value));
  return FLOAT_LISTS.test(name) ? Float32Array.from(numbers) : Float64Array.from(numbers);
}

/** Numbers out of range stay out of the range of any list; they would wrap to other indices. */
function clampToInt32(value: number): number {
  return Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, value));
}

function valuesOf({ name, values }: FbxNode, isObject: boolean): NewFbxValue[] {
  const isLink = name === "C";
  const type = name === "P" ? String(values[1]) : "";
  return values.map((value, index) => {
    if (typeof value === "string") {
      if (FLAGS.test(name)) return { flag: value !== "F" && value !== "N" };
      return isObject && index === 1 ? binaryName(value) : value;
    }
    if (value instanceof Uint8Array) return value;
    const isId = (isObject && index === 0) || (isLink && (index === 1 || index === 2));
    if (isId || LONGS.test(name) || (index >= 4 && LONG_TYPES.test(type))) return asBigInt(value);
    const number = Number(value);
    if (type !== "") return INTEGER_TYPES.test(type) ? { int: number } : { double: number };
    if (DOUBLES.test(name) || !Number.isInteger(number)) return { double: number };
    return Math.abs(number) < 2 ** 31 ? { int: number } : asBigInt(value);
  });
}

/** "Model::hip" of a text file is "hip", two control characters, "Model" in a binary one. */
function binaryName(label: string): string {
  const [, kind, name] = /^(\w*)::([\s\S]*)$/.exec(label) ?? [];
  return kind === undefined ? label : `${name}\0\x01${kind}`;
}

function asBigInt(value: FbxValue): bigint {
  if (typeof value === "bigint") return value;
  const number = Number(value);
  return BigInt(Number.isFinite(number) ? Math.trunc(number) : 0);
}
