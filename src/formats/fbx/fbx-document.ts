import type { Losses } from "../losses.ts";
import { childOf, childrenNamed, pushTo } from "../scene/values.ts";
import type { FbxNode } from "./fbx-node.ts";

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
