import type { Losses } from "../losses.ts";
import { childOf, childrenNamed, pushTo } from "../scene/values.ts";

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

/** An object of an FBX file: a model, geometry, deformer, material, texture, curve... */
export interface FbxObject {
  /** Number (FBX 7) or name (FBX 6) as text, unique in the file. */
  id: string;
  kind: string;
  /** Subtype: Mesh, LimbNode, Skin, Cluster... */
  type: string;
  name: string;
  node: FbxNode;
}

/** The objects of an FBX file and their connections. */
export interface FbxDocument {
  file: string;
  root: FbxNode;
  objects: Map<string, FbxObject>;
  /** Children of an object, in file order; `property` if the child drives one of its properties. */
  below: Map<string, { object: FbxObject; property: string }[]>;
  above: Map<string, FbxObject[]>;
  losses: Losses;
}

/** Indexes objects and connections, of FBX 6 (by name) and FBX 7 (by number). */
export function fbxDocument(file: string, root: FbxNode): FbxDocument {
  const document: FbxDocument = {
    file,
    root,
    objects: new Map(),
    below: new Map(),
    above: new Map(),
    losses: new Map(),
  };
  for (const node of childOf(root, "Objects")?.children ?? []) {
    const hasNumber = /^(?:number|bigint)$/.test(typeof node.values[0]);
    const [label, type] = hasNumber ? node.values.slice(1) : node.values;
    const id = String(node.values[0]);
    document.objects.set(id, {
      id,
      kind: node.name,
      type: typeof type === "string" ? type : "",
      // "name NUL SOH Model" in binary files, "Model::name" in text.
      name: String(label ?? "")
        .split("\0\x01")[0]
        .replace(/^\w*::/, ""),
      node,
    });
  }
  const connections = childOf(root, "Connections");
  for (const { values } of [
    ...childrenNamed(connections, "C"),
    ...childrenNamed(connections, "Connect"),
  ]) {
    const object = document.objects.get(String(values[1]));
    if (!object) continue;
    const property = typeof values[3] === "string" ? values[3] : "";
    pushTo(document.below, String(values[2]), { object, property });
    const parent = document.objects.get(String(values[2]));
    if (parent) pushTo(document.above, object.id, parent);
  }
  return document;
}

/** Returns the children of an object of a kind (and type). */
export function belowOf(
  { below }: FbxDocument,
  object: FbxObject | undefined,
  kind: string,
  type?: string,
): FbxObject[] {
  return (below.get(object?.id ?? "") ?? [])
    .map((entry) => entry.object)
    .filter((other) => other.kind === kind && (type === undefined || other.type === type));
}
