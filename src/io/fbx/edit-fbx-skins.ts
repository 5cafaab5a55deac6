import { identityMat4 } from "../../math/mat4.ts";
import { inverseOf, product } from "../matrices.ts";
import type { RawFbxNode } from "./raw-fbx.ts";
import {
  connect,
  type RawObjects,
  rawBelow,
  rawType,
  removeObject,
  takeId,
} from "./raw-objects.ts";
import { rawNode } from "./raw-values.ts";

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

/** Gives geometries of an FBX new weights. */
export interface SkinEdits {
  edits: GeometryWeights[];
  /** By id of a bone's model: bone to world in the bind pose. */
  binds: Map<string, number[]>;
  /** Whether the bones are new to the file: skins that were there go. */
  areNew: boolean;
}

/**
 * Gives geometries of an FBX new weights: the lists of their clusters are replaced, clusters and skins are
 * made where there were none, with their connections, and a bind pose where the file has no such thing.
 *
 * Nothing else is touched.
 */
export function editFbxSkins(draft: RawObjects, { edits, binds, areNew }: SkinEdits): void {
  const before = draft.added.length;
  for (const edit of edits) {
    if (areNew) removeSkins(draft, edit.geometry);
    editGeometry(draft, edit, binds);
  }
  const hasPose = draft.objects.children.some(
    (node) => node.name === "Pose" && rawType(node) === "BindPose",
  );
  const isNew = draft.added.length > before;
  if (isNew && (areNew || !hasPose)) draft.added.push(bindPose(draft, edits, binds));
}

function removeSkins(draft: RawObjects, geometry: string): void {
  for (const skin of rawBelow(draft, geometry, "Skin")) {
    for (const cluster of rawBelow(draft, skin, "Cluster")) removeObject(draft, cluster);
    removeObject(draft, skin);
  }
}

function editGeometry(
  draft: RawObjects,
  edit: GeometryWeights,
  binds: Map<string, number[]>,
): void {
  const { byId, below, replaced } = draft;
  const skins = rawBelow(draft, edit.geometry, "Skin");
  const clusters = skins.flatMap((skin) => rawBelow(draft, skin, "Cluster"));
  const waiting = new Map(edit.clusters);
  for (const id of clusters) {
    const node = byId.get(id);
    const bone = (below.get(id) ?? []).find((other) => byId.get(other)?.name === "Model");
    if (!node) continue;
    const weights = bone === undefined ? undefined : waiting.get(bone);
    if (bone !== undefined) waiting.delete(bone);
    replaced.set(node, withWeights(node, weights));
  }
  if (waiting.size === 0) return;
  const skin = skins[0] ?? addSkin(draft, edit.geometry);
  for (const [bone, weights] of waiting) {
    const parts = clusterParts(weights, edit.bind, binds.get(bone) ?? identityMat4());
    connect(draft, BigInt(bone), addDeformer(draft, skin, ["SubDeformer", "Cluster"], parts));
  }
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

/** Adds a deformer below another object. */
function addDeformer(
  draft: RawObjects,
  above: string,
  [kind, type]: ["Deformer" | "SubDeformer", string],
  children: RawFbxNode[],
): bigint {
  const id = takeId(draft);
  draft.added.push(rawNode("Deformer", [id, `\0\x01${kind}`, type], ...children));
  connect(draft, id, BigInt(above));
  return id;
}

function addSkin(draft: RawObjects, geometry: string): string {
  const version = rawNode("Version", [{ int: 101 }]);
  const exactness = rawNode("Link_DeformAcuracy", [{ double: 50 }]);
  return String(addDeformer(draft, geometry, ["Deformer", "Skin"], [version, exactness]));
}

/** What is in a cluster of a mesh and a bone that are bound so. */
function clusterParts(weights: ClusterWeights, bind: number[], link: number[]): RawFbxNode[] {
  const transform = product(inverseOf(link), bind);
  return [
    rawNode("Version", [{ int: 100 }]),
    rawNode("UserData", ["", ""]),
    ...lists(weights),
    rawNode("Transform", [Float64Array.from(transform)]),
    rawNode("TransformLink", [Float64Array.from(link)]),
  ];
}

/** Where meshes and bones stand when they are bound. */
function bindPose(
  draft: RawObjects,
  edits: GeometryWeights[],
  binds: Map<string, number[]>,
): RawFbxNode {
  const stands = new Map([...edits.map(({ model, bind }) => [model, bind] as const), ...binds]);
  const poses = [...stands].map(([model, matrix]) => [
    rawNode("Node", [BigInt(model)]),
    rawNode("Matrix", [Float64Array.from(matrix)]),
  ]);
  return rawNode(
    "Pose",
    [takeId(draft), "\0\x01Pose", "BindPose"],
    rawNode("Type", ["BindPose"]),
    rawNode("Version", [{ int: 100 }]),
    rawNode("NbPoseNodes", [{ int: stands.size }]),
    ...poses.map((pose) => rawNode("PoseNode", [], ...pose)),
  );
}
