import { InputError } from "../../input-error.ts";
import { pushTo } from "../scene/values.ts";
import { leadingValues, type RawFbx, type RawFbxNode, rawNode } from "./raw-fbx.ts";

/** The objects of a binary FBX and their connections, to be added to. */
export interface RawObjects {
  objects: RawFbxNode;
  connections: RawFbxNode;
  byId: Map<string, RawFbxNode>;
  /** By id: the ids of what hangs below. */
  below: Map<string, string[]>;
  /** What is new. */
  added: RawFbxNode[];
  links: RawFbxNode[];
  /** What takes another's place, or nothing does. */
  replaced: Map<RawFbxNode, RawFbxNode | undefined>;
  nextId: bigint;
}

/** Ids begin here, where few exporters have any. */
const FIRST_ID = 1_000_000_007n;

/** Lists the objects of an FBX, by id. */
export function rawObjects(name: string, raw: RawFbx): RawObjects {
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

/** An id nothing else has. */
export function takeId(draft: RawObjects): bigint {
  while (draft.byId.has(String(draft.nextId))) draft.nextId++;
  return draft.nextId++;
}

/** Hangs an object below another. */
export function connect(draft: RawObjects, child: bigint, parent: bigint): void {
  draft.links.push(rawNode("C", ["OO", child, parent]));
}

/** What an object is among its kind: Skin, Cluster, Mesh... */
export function rawType(node: RawFbxNode | undefined): string {
  return node ? String(leadingValues(node)[2] ?? "") : "";
}

/** Objects of a type directly below another that have not been taken out. */
export function rawBelow(draft: RawObjects, id: string, type: string): string[] {
  return (draft.below.get(id) ?? []).filter((other) => {
    const node = draft.byId.get(other);
    const isGone = node && draft.replaced.has(node) && !draft.replaced.get(node);
    return !isGone && rawType(node) === type;
  });
}

/** Takes an object out, with all its connections. */
export function removeObject(draft: RawObjects, id: string): void {
  const node = draft.byId.get(id);
  if (node) draft.replaced.set(node, undefined);
  for (const link of draft.connections.children) {
    const [, child, parent] = leadingValues(link);
    if (String(child) === id || String(parent) === id) draft.replaced.set(link, undefined);
  }
}

/** The file with all changes, and the numbers of objects it announces put right. */
export function applyObjects(raw: RawFbx, draft: RawObjects): RawFbx {
  const { objects, connections, replaced, added, links } = draft;
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

function withCounts(
  definitions: RawFbxNode,
  added: RawFbxNode[],
  removed: RawFbxNode[],
): RawFbxNode {
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
