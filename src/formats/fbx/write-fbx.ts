import { InputError } from "../../input-error.ts";
import { identityMat4, inverseOf, product } from "../../math/mat4.ts";
import type { Skeleton } from "../../skeleton/skeleton.ts";
import { readRow, type SkinWeights } from "../../weights/skin-weights.ts";
import type { CharacterFile } from "../character-file.ts";
import { otherFormat } from "../losses.ts";
import { type FbxOrigin, OLDEST_WRITTEN } from "../origins.ts";
import { fileSpace, localJoints, pointsToCharacter, rigidJoints, vertexOfPoints } from "../rows.ts";
import { parseFbxText } from "./parse-fbx.ts";
import { joinRawFbx, type RawFbx, type RawFbxNode, rawNode, splitRawFbx } from "./raw-fbx.ts";
import { rawFromText } from "./raw-from-text.ts";
import {
  applyObjects,
  connect,
  type FbxEditor,
  rawBelow,
  rawObjects,
  rawType,
  removeObject,
  takeId,
} from "./raw-objects.ts";

/**
 * Writes weights into the FBX a character was read from: clusters, and missing skins, with their
 * connections; every other byte of the file stays as it is. A text FBX becomes a binary one; a skeleton from
 * another file is added.
 *
 * @param weights a row per vertex of the character, already limited to the maximum influences
 */
export function writeFbx(file: CharacterFile, weights: SkinWeights): Uint8Array {
  const { name, fbx } = file.source;
  if (!fbx) throw otherFormat(name, "an .fbx");
  const raw = rawOf(name, fbx);
  const editor = rawObjects(name, raw);
  const { models, binds, areNew } = bones(file, fbx, editor);
  const edits = new Map<string, GeometryWeights>();
  for (const part of file.parts) {
    const origin = fbx.meshes.get(part.mesh);
    if (!origin || edits.has(origin.geometry)) continue;
    const clusters = clustersOf(weights, vertexOfPoints(file, part.mesh), models);
    const bind = areNew
      ? product(fileSpace(file.source), pointsToCharacter(file, part))
      : origin.bind;
    edits.set(origin.geometry, { ...origin, bind, clusters });
  }
  editFbxSkins(editor, { edits: [...edits.values()], binds, areNew });
  return joinRawFbx(applyObjects(raw, editor));
}

function rawOf(name: string, { bytes, isText, version }: FbxOrigin): RawFbx {
  if (version < OLDEST_WRITTEN) {
    throw new InputError(
      `${name}: FBX ${version / 1000} cannot be written as FBX; write a .glb, or save it as FBX 7 first.`,
    );
  }
  return isText
    ? rawFromText(parseFbxText(name, new TextDecoder().decode(bytes)))
    : splitRawFbx(name, bytes);
}

/** Returns the model and bind matrix of each joint; joints of another file are added. */
function bones({ rig, source }: CharacterFile, fbx: FbxOrigin, editor: FbxEditor) {
  const own = Array.from(rig.nodes, (node) => fbx.models.get(node));
  const models = own.filter((model) => model !== undefined);
  if (models.length === own.length) return { models, binds: fbx.binds, areNew: false };
  const worlds = rigidJoints(rig, fileSpace(source));
  const added = addFbxBones(editor, rig.skeleton, worlds);
  return { models: added, binds: new Map(added.map((id, j) => [id, worlds[j]])), areNew: true };
}

function clustersOf(weights: SkinWeights, vertexOf: Map<number, number>, models: string[]) {
  const lists = new Map<string, { points: number[]; weights: number[] }>();
  for (const [point, vertex] of vertexOf) {
    const { joints, values } = readRow(weights, vertex);
    joints.forEach((joint, i) => {
      const list = lists.get(models[joint]) ?? { points: [], weights: [] };
      lists.set(models[joint], list);
      list.points.push(point);
      list.weights.push(values[i]);
    });
  }
  return new Map(
    [...lists].map(([model, list]) => [
      model,
      { points: Int32Array.from(list.points), weights: Float64Array.from(list.weights) },
    ]),
  );
}

const DEGREES = 180 / Math.PI;

/**
 * Adds the joints of another file's skeleton to an FBX, as limbs below its root.
 *
 * @param worlds to the FBX's world, one per joint, without scale
 * @returns ids of the new models
 */
function addFbxBones(editor: FbxEditor, skeleton: Skeleton, worlds: number[][]): string[] {
  const { names, parents } = skeleton;
  const locals = localJoints(parents, worlds);
  const ids = names.map(() => takeId(editor));
  names.forEach((name, joint) => {
    const attribute = takeId(editor);
    editor.added.push(limb(ids[joint], name, locals[joint]), limbAttribute(attribute, name));
    connect(editor, attribute, ids[joint]);
    connect(editor, ids[joint], parents[joint] < 0 ? 0n : ids[parents[joint]]);
  });
  return ids.map(String);
}

function limb(id: bigint, name: string, matrix: number[]): RawFbxNode {
  const vector = (label: string, values: number[]) =>
    rawNode("P", [label, label, "", "A", ...values.map((double) => ({ double }))]);
  const properties = [
    rawNode("P", ["InheritType", "enum", "", "", { int: 1 }]),
    vector("Lcl Translation", matrix.slice(12, 15)),
    vector("Lcl Rotation", eulerOf(matrix)),
    vector("Lcl Scaling", [1, 1, 1]),
  ];
  return rawNode(
    "Model",
    [id, `${name}\0\x01Model`, "LimbNode"],
    rawNode("Version", [{ int: 232 }]),
    rawNode("Properties70", [], ...properties),
    rawNode("Shading", [{ flag: true }]),
    rawNode("Culling", ["CullingOff"]),
  );
}

function limbAttribute(id: bigint, name: string): RawFbxNode {
  const size = rawNode("P", ["Size", "double", "Number", "", { double: 1 }]);
  return rawNode(
    "NodeAttribute",
    [id, `${name}\0\x01NodeAttribute`, "LimbNode"],
    rawNode("Properties70", [], size),
    rawNode("TypeFlags", ["Skeleton"]),
  );
}

/** Angles in degrees about x, then y, then z, of a matrix without scale. */
function eulerOf(m: number[]): number[] {
  const y = Math.asin(Math.min(Math.max(-m[2], -1), 1));
  // In gimbal lock x and z rotate about the same axis: all of the angle is assigned to x.
  const isLocked = Math.abs(m[2]) > 1 - 1e-9;
  const x = isLocked ? Math.atan2(Math.sign(-m[2]) * m[4], m[5]) : Math.atan2(m[6], m[10]);
  const z = isLocked ? 0 : Math.atan2(m[1], m[0]);
  return [x, y, z].map((angle) => angle * DEGREES);
}

/** The weights of one bone in a geometry. */
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
  clusters: Map<string, ClusterWeights>;
}

/** New weights of all geometries. */
export interface SkinEdits {
  edits: GeometryWeights[];
  /** By id of a bone's model: bone to world in the bind pose. */
  binds: Map<string, number[]>;
  /** Whether the bones are new to the file; existing skins are then removed. */
  areNew: boolean;
}

/**
 * Sets the weights of geometries in an FBX: the lists of their clusters are replaced, missing clusters and
 * skins are added with their connections, and a bind pose if the file has none.
 */
function editFbxSkins(editor: FbxEditor, { edits, binds, areNew }: SkinEdits): void {
  const before = editor.added.length;
  for (const edit of edits) {
    if (areNew) removeSkins(editor, edit.geometry);
    editGeometry(editor, edit, binds);
  }
  const hasPose = editor.objects.children.some(
    (node) => node.name === "Pose" && rawType(node) === "BindPose",
  );
  const isNew = editor.added.length > before;
  if (isNew && (areNew || !hasPose)) editor.added.push(bindPose(editor, edits, binds));
}

function removeSkins(editor: FbxEditor, geometry: string): void {
  for (const skin of rawBelow(editor, geometry, "Skin")) {
    for (const cluster of rawBelow(editor, skin, "Cluster")) removeObject(editor, cluster);
    removeObject(editor, skin);
  }
}

function editGeometry(editor: FbxEditor, edit: GeometryWeights, binds: Map<string, number[]>) {
  const { byId, below, replaced } = editor;
  const skins = rawBelow(editor, edit.geometry, "Skin");
  const clusters = skins.flatMap((skin) => rawBelow(editor, skin, "Cluster"));
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
  const skin = skins[0] ?? addSkin(editor, edit.geometry);
  for (const [bone, weights] of waiting) {
    const parts = clusterParts(weights, edit.bind, binds.get(bone) ?? identityMat4());
    connect(editor, BigInt(bone), addDeformer(editor, skin, ["SubDeformer", "Cluster"], parts));
  }
}

function withWeights(node: RawFbxNode, weights: ClusterWeights | undefined): RawFbxNode {
  const kept = node.children.filter(({ name }) => name !== "Indexes" && name !== "Weights");
  if (!weights) return { ...node, children: kept };
  const at = kept.findIndex(({ name }) => name === "Transform");
  const index = at < 0 ? kept.length : at;
  return { ...node, children: [...kept.slice(0, index), ...lists(weights), ...kept.slice(index)] };
}

function lists({ points, weights }: ClusterWeights): RawFbxNode[] {
  return [rawNode("Indexes", [points]), rawNode("Weights", [weights])];
}

function addDeformer(
  editor: FbxEditor,
  above: string,
  [kind, type]: ["Deformer" | "SubDeformer", string],
  children: RawFbxNode[],
): bigint {
  const id = takeId(editor);
  editor.added.push(rawNode("Deformer", [id, `\0\x01${kind}`, type], ...children));
  connect(editor, id, BigInt(above));
  return id;
}

function addSkin(editor: FbxEditor, geometry: string): string {
  const version = rawNode("Version", [{ int: 101 }]);
  const exactness = rawNode("Link_DeformAcuracy", [{ double: 50 }]);
  return String(addDeformer(editor, geometry, ["Deformer", "Skin"], [version, exactness]));
}

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

function bindPose(editor: FbxEditor, edits: GeometryWeights[], binds: Map<string, number[]>) {
  const matrices = new Map([...edits.map(({ model, bind }) => [model, bind] as const), ...binds]);
  const poses = [...matrices].map(([model, matrix]) => [
    rawNode("Node", [BigInt(model)]),
    rawNode("Matrix", [Float64Array.from(matrix)]),
  ]);
  return rawNode(
    "Pose",
    [takeId(editor), "\0\x01Pose", "BindPose"],
    rawNode("Type", ["BindPose"]),
    rawNode("Version", [{ int: 100 }]),
    rawNode("NbPoseNodes", [{ int: matrices.size }]),
    ...poses.map((pose) => rawNode("PoseNode", [], ...pose)),
  );
}
