import { childOf } from "../scene/values.ts";

/** A value of an FBX node. */
export type FbxValue =
  | number
  | string
  | boolean
  /** Whole numbers that a number would round: ids of some exporters. */
  | bigint
  | Uint8Array
  | Float64Array
  | Int32Array;

/** One node of an FBX file, binary or text: a name, values, children. */
export interface FbxNode {
  name: string;
  values: FbxValue[];
  children: FbxNode[];
  /** Of a text file: whether it has a block, be it empty. */
  hasBlock?: boolean;
}

/**
 * The numbers of a child: an array of a binary file, `*n { a: ... }` of a text file, or the plain list of
 * FBX 6.
 */
export function numbersOf(node: FbxNode | undefined, name: string): ArrayLike<number> {
  const child = childOf(node, name);
  if (!child) return [];
  const first = child.values[0];
  if (first instanceof Float64Array || first instanceof Int32Array) return first;
  const list = childOf(child, "a")?.values ?? child.values;
  return list.filter((value): value is number => typeof value === "number");
}

/** The bytes a node holds: as they are in binary files, in base 64 in text. */
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

/** The text of a child's first value. */
export function textOf(node: FbxNode | undefined, name: string): string {
  const value = childOf(node, name)?.values[0];
  return typeof value === "string" ? value : "";
}

/** Values of a property from Properties70 (FBX 7) or Properties60 (FBX 6), if it is stated. */
function propertyOf(node: FbxNode | undefined, name: string): FbxValue[] | undefined {
  const seven = childOf(node, "Properties70")?.children.find((p) => p.values[0] === name);
  if (seven) return seven.values.slice(4);
  const six = childOf(node, "Properties60")?.children.find((p) => p.values[0] === name);
  return six?.values.slice(3);
}

/** A property of three numbers. */
export function vectorOf(node: FbxNode | undefined, name: string, fallback: number[]): number[] {
  const values = propertyOf(node, name);
  const numbers = values?.slice(0, 3).map(Number);
  return numbers?.length === 3 && numbers.every(Number.isFinite) ? numbers : fallback;
}

/** A property of one number. */
export function numberOf(node: FbxNode | undefined, name: string, fallback: number): number {
  const value = propertyOf(node, name)?.[0];
  return typeof value === "number" && Number.isFinite(value) ? value : fallback;
}

/** How one kind of number stands in a binary FBX. */
interface FbxScalar {
  bytes: number;
  read(view: DataView, at: number): number | bigint;
}

/** Kinds of numbers by their letters; of an array the same, in lower case. */
export const FBX_SCALARS: Readonly<Record<string, FbxScalar>> = {
  C: { bytes: 1, read: (view, at) => view.getUint8(at) },
  B: { bytes: 1, read: (view, at) => view.getUint8(at) },
  Y: { bytes: 2, read: (view, at) => view.getInt16(at, true) },
  I: { bytes: 4, read: (view, at) => view.getInt32(at, true) },
  F: { bytes: 4, read: (view, at) => view.getFloat32(at, true) },
  D: { bytes: 8, read: (view, at) => view.getFloat64(at, true) },
  L: { bytes: 8, read: (view, at) => view.getBigInt64(at, true) },
};
