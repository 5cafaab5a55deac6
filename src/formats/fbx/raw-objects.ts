import { InputError } from "../../input-error.ts";
import { pushTo } from "../scene/values.ts";
import { leadingValues, type RawFbx, type RawFbxNode, rawNode } from "./raw-fbx.ts";

/** The objects of a binary FBX and their connections, and pending changes. */
export interface FbxEditor {
  objects: RawFbxNode;
  connections: RawFbxNode;
  byId: Map<string, RawFbxNode>;
  below: Map<string, string[]>;
  /** New objects and connections. */
  added: RawFbxNode[];
  links: RawFbxNode[];
  /** Replacement of a node; undefined if it is removed. */
  replaced: Map<RawFbxNode, RawFbxNode | undefined>;
  nextId: bigint;
}

/** First id of new objects, in a range few exporters use. */
const FIRST_ID = 1_000_000_007n;

/** Indexes the objects of an FBX by id. */
export function rawObjects(name: string, raw: RawFbx): FbxEditor {
  const [objects, connections] = ["Objects", "Connections"].map((label) =>
    raw.nodes.find((node) => node.name === label),
  );
  if (!objects || !connections) {
    throw new InputError(`${name}: this FBX has no objects or no connections to add weights to.`);
  }
  const below = new Map<string, string[]>();
  for (const node of connections.children) {
    const [, child, parent] = leadingValues(node);
    if (child === undefined || parent === undefined) continue;
    pushTo(below, String(parent), String(child));
  }
  return {
    objects,
    connections,
    byId: new Map(objects.children.map((node) => [String(leadingValues(node)[0]), node])),
    below,
    added: [],
    links: [],
    replaced: new Map(),
    nextId: FIRST_ID,
  };
}

/** Returns an unused id. */
export function takeId(editor: FbxEditor): bigint {
  while (editor.byId.has(String(editor.nextId))) editor.nextId++;
  return editor.nextId++;
}

/** Connects an object to its parent, or to a property of it. */
export function connect(editor: FbxEditor, child: bigint, parent: bigint, property?: string): void {
  const link = property === undefined ? ["OO", child, parent] : ["OP", child, parent, property];
  editor.links.push(rawNode("C", link));
}

/** Adds an object that the editor creates, with a new id, which is returned. */
export function addObject(
  editor: FbxEditor,
  kind: string,
  [name, label, type]: readonly [name: string, label: string, type: string],
  ...children: RawFbxNode[]
): bigint {
  const id = takeId(editor);
  editor.added.push(rawNode(kind, [id, `${name}\0\x01${label}`, type], ...children));
  return id;
}

/** Returns the subtype of an object: Skin, Cluster, Mesh... */
export function rawType(node: RawFbxNode | undefined): string {
  return node ? String(leadingValues(node)[2] ?? "") : "";
}

/** Returns the children of a type that have not been removed. */
export function rawBelow(editor: FbxEditor, id: string, type: string): string[] {
  return (editor.below.get(id) ?? []).filter((other) => {
    const node = editor.byId.get(other);
    const isGone = node && editor.replaced.has(node) && !editor.replaced.get(node);
    return !isGone && rawType(node) === type;
  });
}

/** Removes an object and all its connections. */
export function removeObject(editor: FbxEditor, id: string): void {
  const node = editor.byId.get(id);
  if (node) editor.replaced.set(node, undefined);
  for (const link of editor.connections.children) {
    const [, child, parent] = leadingValues(link);
    if (String(child) === id || String(parent) === id) editor.replaced.set(link, undefined);
  }
}

/** Applies all changes and corrects the object counts of the file. */
export function applyObjects(raw: RawFbx, editor: FbxEditor): RawFbx {
  const { objects, connections, replaced, added, links } = editor;
  const kept = (node: RawFbxNode) =>
    node.children.flatMap((child) => {
      const next = replaced.has(child) ? replaced.get(child) : child;
      return next ? [next] : [];
    });
  const removed = objects.children.filter((node) => replaced.has(node) && !replaced.get(node));
  return {
    ...raw,
    nodes: raw.nodes.map((node) => {
      if (node === objects) return { ...node, children: [...kept(node), ...added] };
      if (node === connections) return { ...node, children: [...kept(node), ...links] };
      const isChanged = added.length + removed.length > 0;
      return node.name === "Definitions" && isChanged ? withCounts(node, added, removed) : node;
    }),
  };
}

function withCounts(definitions: RawFbxNode, added: RawFbxNode[], removed: RawFbxNode[]) {
  const of = (list: RawFbxNode[], type: string | undefined) =>
    list.filter(({ name }) => type === undefined || name === type).length;
  const extra = (type: string | undefined) => of(added, type) - of(removed, type);
  const raise = (node: RawFbxNode, by: number): RawFbxNode => ({
    ...node,
    children: node.children.map((child) =>
      child.name === "Count"
        ? rawNode("Count", [{ int: Number(leadingValues(child)[0] ?? 0) + by }])
        : child,
    ),
  });
  const known = new Set<string>();
  const children = definitions.children.map((child) => {
    if (child.name !== "ObjectType") return child;
    const type = String(leadingValues(child)[0]);
    known.add(type);
    return extra(type) !== 0 ? raise(child, extra(type)) : child;
  });
  const missing = [...new Set(added.map(({ name }) => name))].filter((type) => !known.has(type));
  const types = missing.map((type) =>
    rawNode("ObjectType", [type], rawNode("Count", [{ int: extra(type) }])),
  );
  return raise({ ...definitions, children: [...children, ...types] }, extra(undefined));
}
