import { childOf } from "../scene/values.ts";
import { embeddedBytes, type FbxNode, type FbxValue } from "./fbx-node.ts";
import { type NewFbxValue, type RawFbx, type RawFbxNode, rawNode, VERSION_AT } from "./raw-fbx.ts";

/** The version that all current programs read. */
const VERSION = 7400;

/** The footer of a binary file depends on these two, so all files use the same. */
const FILE_ID = "28b32aebb624ccc2bfc8b02aa92bfcf1";
const CREATED = "1970-01-01 10:00:00:000";
const FOOT_NAME = "fabcab09d0c8d466b176fb831cf7267e";
const FOOT_END = "f85a8c6adef5d97eece90ce3758f290b";

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
  const head = new Uint8Array(27);
  head.set(new TextEncoder().encode("Kaydara FBX Binary  \0\x1a\0"));
  new DataView(head.buffer).setUint32(VERSION_AT, VERSION, true);
  const own = new Set(["FileId", "CreationTime", "Creator"]);
  const nodes = root.children
    .filter((node) => !own.has(node.name))
    .map((node) => convert(node, [], node.name));
  const about = [
    rawNode("FileId", [fromHex(FILE_ID)]),
    rawNode("CreationTime", [CREATED]),
    rawNode("Creator", ["heterskin"]),
  ];
  return { version: VERSION, head, nodes: [nodes[0], ...about, ...nodes.slice(1)], ...foot() };
}

/** The end of a file: an id, zeros up to a multiple of 16, the version, 120 zeros, the magic bytes. */
function foot(): Pick<RawFbx, "foot" | "footAt"> {
  const bytes = new Uint8Array(16 + 16 + 140);
  bytes.set(fromHex(FOOT_NAME));
  new DataView(bytes.buffer).setUint32(32, VERSION, true);
  bytes.set(fromHex(FOOT_END), bytes.length - 16);
  return { foot: bytes, footAt: 0 };
}

/** @param above names of the ancestors, outermost first */
function convert(node: FbxNode, above: string[], top: string): RawFbxNode {
  const list = childOf(node, "a");
  const content = node.name === "Content" ? embeddedBytes(node) : undefined;
  if (content) return rawNode(node.name, [content]);
  if (list && String(node.values[0]).startsWith("*")) {
    return rawNode(node.name, [listOf(node.name, list.values)]);
  }
  if (node.name === "FBXVersion") return rawNode(node.name, [{ int: VERSION }]);
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
  if (INTEGER_LISTS.test(name)) return Int32Array.from(numbers);
  if (LONG_LISTS.test(name)) return BigInt64Array.from(values, (value) => asBigInt(value));
  return FLOAT_LISTS.test(name) ? Float32Array.from(numbers) : Float64Array.from(numbers);
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

function fromHex(text: string): Uint8Array {
  return Uint8Array.from({ length: text.length / 2 }, (_, i) =>
    Number.parseInt(text.slice(i * 2, i * 2 + 2), 16),
  );
}
