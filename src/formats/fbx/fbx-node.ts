import { childOf } from "../scene/values.ts";

/** A value of an FBX node. */
export type FbxValue =
  | number
  | string
  | boolean
  /** Integers that a number would round: ids of some exporters. */
  | bigint
  | Uint8Array
  | Float64Array
  | Int32Array;

/** One node of an FBX file, binary or text: a name, values, children. */
export interface FbxNode {
  name: string;
  values: FbxValue[];
  children: FbxNode[];
  /** In a text file: whether it has a block, even an empty one. */
  hasBlock?: boolean;
}

/** Returns the numbers of a child: a binary array, `*n { a: ... }` in text, or the plain list of FBX 6. */
export function numbersOf(node: FbxNode | undefined, name: string): ArrayLike<number> {
  const child = childOf(node, name);
  if (!child) return [];
  const first = child.values[0];
  if (first instanceof Float64Array || first instanceof Int32Array) return first;
  const list = childOf(child, "a")?.values ?? child.values;
  // Integers beyond 53 bits count too: a list without them would be shifted.
  return list.filter((value) => typeof value === "number" || typeof value === "bigint").map(Number);
}

/** Returns the bytes of a node: raw in binary files, base64 in text. */
export function embeddedBytes({ values }: FbxNode): Uint8Array | undefined {
  const [first] = values;
  if (first instanceof Uint8Array) return first.length > 0 ? first : undefined;
  const text = values.filter((value) => typeof value === "string").join("");
  if (text === "" || !/^[A-Za-z0-9+/\s]*=*\s*$/.test(text)) return undefined;
  try {
    return Uint8Array.from(atob(text.replace(/\s/g, "")), (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** Returns the text of a child's first value. */
export function textOf(node: FbxNode | undefined, name: string): string {
  const value = childOf(node, name)?.values[0];
  return typeof value === "string" ? value : "";
}

/** Values of a property from Properties70 (FBX 7) or Properties60 (FBX 6), if set. */
function propertyOf(node: FbxNode | undefined, name: string): FbxValue[] | undefined {
  const seven = childOf(node, "Properties70")?.children.find((p) => p.values[0] === name);
  if (seven) return seven.values.slice(4);
  const six = childOf(node, "Properties60")?.children.find((p) => p.values[0] === name);
  return six?.values.slice(3);
}

/** Returns a property of three numbers. */
export function vectorOf(node: FbxNode | undefined, name: string, fallback: number[]): number[] {
  const values = propertyOf(node, name);
  const numbers = values?.slice(0, 3).map(Number);
  return numbers?.length === 3 && numbers.every(Number.isFinite) ? numbers : fallback;
}

/** Returns a property of one number. */
export function numberOf(node: FbxNode | undefined, name: string, fallback: number): number {
  const value = propertyOf(node, name)?.[0];
  return typeof value === "number" && Number.isFinite(value) ? value : fallback;
}

/** Binary encoding of a type of number. */
interface FbxScalar {
  bytes: number;
  read(view: DataView, at: number): number | bigint;
}

/** Types of numbers by their letter; arrays use the same letter in lower case. */
export const FBX_SCALARS: Readonly<Record<string, FbxScalar>> = {
  C: { bytes: 1, read: (view, at) => view.getUint8(at) },
  B: { bytes: 1, read: (view, at) => view.getUint8(at) },
  Y: { bytes: 2, read: (view, at) => view.getInt16(at, true) },
  I: { bytes: 4, read: (view, at) => view.getInt32(at, true) },
  F: { bytes: 4, read: (view, at) => view.getFloat32(at, true) },
  D: { bytes: 8, read: (view, at) => view.getFloat64(at, true) },
  L: { bytes: 8, read: (view, at) => view.getBigInt64(at, true) },
};
