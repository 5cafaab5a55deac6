import { identityMat4, invertMat4, multiplyMat4 } from "../../math/mat4.ts";
import type { RawFbx, RawFbxNode } from "./raw-fbx.ts";
import { leadingValues, rawNode } from "./raw-values.ts";

/** The weights one bone has in a geometry. */
export interface ClusterWeights {
  /** Control points, ascending, and the weight of each. */
  points: Int32Array;
  weights: Float64Array;
}

/** New weights of one geometry. */
export interface GeometryWeights {
  geometry: string;
  model: string;
  /** Mesh to world in the bind pose. */
  bind: number[];
  /** By id of the bone's model. */
  clusters: Map<string, ClusterWeights>;
}

/** An object that others hang on, by its place in the list of connections. */
interface Links {
  /** By id: what hangs below it. */
  below: Map<string, string[]>;
}

/**
 * Gives geometries of an FBX new weights: the lists of their clusters are replaced, clusters and skins are
 * made where there were none, with their connections, and a bind pose where the file has no such thing.
 *
 * Nothing else is touched.
 *
 * @param binds by id of a bone's model: bone to world in the bind pose
 */
export function editFbxSkins(
  raw: RawFbx,
  edits: GeometryWeights[],
  binds: Map<string, number[]>,
): RawFbx {
  const objects = childNamed(raw.nodes, "Objects");
  const connections = childNamed(raw.nodes, "Connections");
  if (!objects || !connections) throw new Error("editFbxSkins: the file has no objects.");
  const byId = new Map(objects.children.map((node) => [idOf(node), node]));
  const links = readLinks(connections);
  const draft: Draft = {
    byId,
    links,
    replaced: new Map(),
    added: [],
    connections: [],
    nextId: freeId(byId),
  };
  for (const edit of edits) editGeometry(draft, edit, binds);
  const hasPose = objects.children.some(
    (node) => node.name === "Pose" && leadingValues(node)[2] === "BindPose",
  );
  const isNew = draft.added.length > 0;
  if (isNew && !hasPose) draft.added.push(bindPose(draft, edits, binds));
  const count = draft.added.length;
  return {
    ...raw,
    nodes: raw.nodes.map((node) => {
      if (node === objects) {
        const kept = node.children.map((child) => draft.replaced.get(child) ?? child);
        return { ...node, children: [...kept, ...draft.added] };
      }
      if (node === connections) {
        return { ...node, children: [...node.children, ...draft.connections] };
      }
      return node.name === "Definitions" && count > 0 ? withCounts(node, draft.added) : node;
    }),
  };
}

interface Draft {
  byId: Map<string, RawFbxNode>;
  links: Links;
  replaced: Map<RawFbxNode, RawFbxNode>;
  added: RawFbxNode[];
  connections: RawFbxNode[];
  nextId: bigint;
}

function editGeometry(draft: Draft, edit: GeometryWeights, binds: Map<string, number[]>): void {
  const { byId, links } = draft;
  const below = (id: string, type: string) =>
    (links.below.get(id) ?? []).filter((other) => typeOf(byId.get(other)) === type);
  const skins = below(edit.geometry, "Skin");
  const clusters = skins.flatMap((skin) => below(skin, "Cluster"));
  const waiting = new Map(edit.clusters);
  for (const id of clusters) {
    const node = byId.get(id);
    const bone = (links.below.get(id) ?? []).find((other) => byId.get(other)?.name === "Model");
    if (!node) continue;
    const weights = bone === undefined ? undefined : waiting.get(bone);
    if (bone !== undefined) waiting.delete(bone);
    draft.replaced.set(node, withWeights(node, weights));
  }
  if (waiting.size === 0) return;
  const skin = skins[0] ?? addSkin(draft, edit.geometry);
  for (const [bone, weights] of waiting) addCluster(draft, skin, bone, weights, edit, binds);
}

/** A cluster with other lists; without weights it has none. */
function withWeights(node: RawFbxNode, weights: ClusterWeights | undefined): RawFbxNode {
  const kept = node.children.filter(({ name }) => name !== "Indexes" && name !== "Weights");
  if (!weights) return { ...node, children: kept };
  const at = kept.findIndex(({ name }) => name === "Transform");
  const place = at < 0 ? kept.length : at;
  return { ...node, children: [...kept.slice(0, place), ...lists(weights), ...kept.slice(place)] };
}

function lists({ points, weights }: ClusterWeights): RawFbxNode[] {
  return [rawNode("Indexes", [points]), rawNode("Weights", [weights])];
}

function addSkin(draft: Draft, geometry: string): string {
  const id = takeId(draft);
  draft.added.push(
    rawNode(
      "Deformer",
      [id, "\0\x01Deformer", "Skin"],
      [rawNode("Version", [{ int: 101 }]), rawNode("Link_DeformAcuracy", [{ double: 50 }])],
    ),
  );
  connect(draft, id, BigInt(geometry));
  return String(id);
}

function addCluster(
  draft: Draft,
  skin: string,
  bone: string,
  weights: ClusterWeights,
  { bind }: GeometryWeights,
  binds: Map<string, number[]>,
): void {
  const link = binds.get(bone) ?? Array.from(identityMat4());
  const inverse = invertMat4(identityMat4(), link) ?? identityMat4();
  const transform = multiplyMat4(new Array<number>(16), inverse, bind);
  const id = takeId(draft);
  draft.added.push(
    rawNode(
      "Deformer",
      [id, "\0\x01SubDeformer", "Cluster"],
      [
        rawNode("Version", [{ int: 100 }]),
        rawNode("UserData", ["", ""]),
        ...lists(weights),
        rawNode("Transform", [Float64Array.from(transform)]),
        rawNode("TransformLink", [Float64Array.from(link)]),
      ],
    ),
  );
  connect(draft, id, BigInt(skin));
  connect(draft, BigInt(bone), id);
}

/** Where meshes and bones stand when they are bound. */
function bindPose(
  draft: Draft,
  edits: GeometryWeights[],
  binds: Map<string, number[]>,
): RawFbxNode {
  const stands = new Map([...edits.map(({ model, bind }) => [model, bind] as const), ...binds]);
  return rawNode(
    "Pose",
    [takeId(draft), "\0\x01Pose", "BindPose"],
    [
      rawNode("Type", ["BindPose"]),
      rawNode("Version", [{ int: 100 }]),
      rawNode("NbPoseNodes", [{ int: stands.size }]),
      ...[...stands].map(([model, matrix]) =>
        rawNode(
          "PoseNode",
          [],
          [rawNode("Node", [BigInt(model)]), rawNode("Matrix", [Float64Array.from(matrix)])],
        ),
      ),
    ],
  );
}

function connect(draft: Draft, child: bigint, parent: bigint): void {
  draft.connections.push(rawNode("C", ["OO", child, parent]));
}

function takeId(draft: Draft): bigint {
  return draft.nextId++;
}

/** An id above all others. */
function freeId(byId: Map<string, RawFbxNode>): bigint {
  let highest = 1_000_000n;
  for (const id of byId.keys()) {
    if (/^\d+$/.test(id) && BigInt(id) > highest) highest = BigInt(id);
  }
  return highest + 1n;
}

function readLinks(connections: RawFbxNode): Links {
  const below = new Map<string, string[]>();
  for (const node of connections.children) {
    const [, child, parent] = leadingValues(node);
    if (child === undefined || parent === undefined) continue;
    below.set(String(parent), [...(below.get(String(parent)) ?? []), String(child)]);
  }
  return { below };
}

/** Raises the numbers of objects that the file announces. */
function withCounts(definitions: RawFbxNode, added: RawFbxNode[]): RawFbxNode {
  const extra = (type: string | undefined) =>
    added.filter(({ name }) => type === undefined || name === type).length;
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
    return extra(type) > 0 ? raise(child, extra(type)) : child;
  });
  const missing = [...new Set(added.map(({ name }) => name))].filter((type) => !known.has(type));
  const types = missing.map((type) =>
    rawNode("ObjectType", [type], [rawNode("Count", [{ int: extra(type) }])]),
  );
  return raise({ ...definitions, children: [...children, ...types] }, extra(undefined));
}

function childNamed(nodes: RawFbxNode[], name: string): RawFbxNode | undefined {
  return nodes.find((node) => node.name === name);
}

function idOf(node: RawFbxNode): string {
  return String(leadingValues(node)[0]);
}

/** What an object is among its kind: Skin, Cluster, Mesh... */
function typeOf(node: RawFbxNode | undefined): string {
  return node ? String(leadingValues(node)[2] ?? "") : "";
}
