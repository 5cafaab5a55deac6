import { childOf } from "../scene/values.ts";
import { embeddedBytes, type FbxNode, type FbxValue } from "./fbx-node.ts";
import { fileMarks, NEW_VERSION, newFbx } from "./new-fbx.ts";
import { type NewFbxValue, type RawFbx, type RawFbxNode, rawNode } from "./raw-fbx.ts";

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
