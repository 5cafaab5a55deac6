import { identityMat4, inverseOf, product } from "../../math/mat4.ts";
import type { Skeleton } from "../../skeleton/skeleton.ts";
import { readRow, type SkinWeights } from "../../weights/skin-weights.ts";
import type { CharacterFile } from "../character-file.ts";
import type { FbxOrigin } from "../gltf/gltf-source.ts";
import { otherFormat } from "../losses.ts";
import { fileSpace, localJoints, pointsToCharacter, rigidJoints, vertexOfPoints } from "../rows.ts";
import { fbxModel, limbAttribute, poseOfMatrix } from "./new-fbx.ts";
import { parseFbxText, rawFromText } from "./parse-fbx.ts";
import {
  joinRawFbx,
  leadingValues,
  type RawFbx,
  type RawFbxNode,
  rawNode,
  splitRawFbx,
  withText,
} from "./raw-fbx.ts";
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
 * connections; bones with weights become limbs, and every other byte of the file stays as it is. A text FBX
 * becomes a binary one; a skeleton from another file is added.
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
  makeLimbs(
    editor,
    [...edits.values()].flatMap(({ clusters }) => [...clusters.keys()]),
  );
  declareMaxProperties(editor);
  return joinRawFbx(applyObjects(raw, editor));
}

function rawOf(name: string, { bytes, isText }: FbxOrigin): RawFbx {
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
    const model = { id: ids[joint], name, type: "LimbNode", ...poseOfMatrix(locals[joint]) };
    editor.added.push(fbxModel(model), limbAttribute(attribute, name));
    connect(editor, attribute, ids[joint]);
    connect(editor, ids[joint], parents[joint] < 0 ? 0n : ids[parents[joint]]);
  });
  return ids.map(String);
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
interface SkinEdits {
  edits: GeometryWeights[];
  /** By id of a bone's model: bone to world in the bind pose. */
  binds: Map<string, number[]>;
  /** By id of a bone's model: the matrix of what its skeleton stands in, for Blender; by default none. */
  stands?: Map<string, number[]>;
  /** Whether the bones are new to the file; existing skins are then removed. */
  areNew: boolean;
}

/**
 * Sets the weights of geometries in an FBX: the lists of their clusters are replaced, missing clusters and
 * skins are added with their connections, and a bind pose if the file has none.
 */
export function editFbxSkins(editor: FbxEditor, all: SkinEdits): void {
  const { edits, binds, areNew } = all;
  const before = editor.added.length;
  for (const edit of edits) {
    if (areNew) removeSkins(editor, edit.geometry);
    editGeometry(editor, edit, all);
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

function editGeometry(editor: FbxEditor, edit: GeometryWeights, { binds, stands }: SkinEdits) {
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
    const stand = stands?.get(bone);
    if (stand) parts.push(rawNode("TransformAssociateModel", [Float64Array.from(stand)]));
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
  if (points.length === 0) return [];
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

/**
 * Declares the user properties of 3ds Max as text (`KString`), as 3ds Max does. MotionBuilder writes them as
 * `charptr`, the same bytes under another name, on which the FBX reader of Blender 3.4 stops.
 */
function declareMaxProperties({ objects, replaced }: FbxEditor): void {
  for (const node of objects.children) {
    const now = replaced.has(node) ? replaced.get(node) : node;
    const list = now?.children.find(({ name }) => name === "Properties70");
    if (!now || !list?.children.some(isUndeclared)) continue;
    const declared = {
      ...list,
      children: list.children.map((each) =>
        isUndeclared(each) ? withText(each, 1, "KString") : each,
      ),
    };
    const children = now.children.map((child) => (child === list ? declared : child));
    replaced.set(node, { ...now, children });
  }
}

function isUndeclared(node: RawFbxNode): boolean {
  const [name, type] = leadingValues(node);
  return name === "UDP3DSMAX" && type === "charptr";
}

/**
 * Subtypes of models that Blender's importer takes for an object, not for a bone, so that it drops their
 * weights. A mesh, light or camera that is a bone stays one: as a limb it would lose what it shows.
 */
const OBJECTS = new Set(["Root", "Null"]);

/** Where the subtype is among the values of a model and of an attribute: after id and name. */
const TYPE_AT = 2;

/**
 * Turns models of subtype Root and Null, with their attributes, into limbs, so that every program reads the
 * weights on them. Other models stay.
 *
 * @param models ids of the models that have weights
 */
function makeLimbs(editor: FbxEditor, models: Iterable<string>): void {
  for (const id of models) {
    const model = editor.byId.get(id);
    if (model?.name !== "Model" || !OBJECTS.has(rawType(model))) continue;
    editor.replaced.set(model, withText(model, TYPE_AT, "LimbNode"));
    makeLimbAttribute(editor, id, model);
  }
}

function makeLimbAttribute(editor: FbxEditor, model: string, node: RawFbxNode): void {
  const attributes = (editor.below.get(model) ?? []).flatMap((id) => {
    const node = editor.byId.get(id);
    return node?.name === "NodeAttribute" ? [{ id, node }] : [];
  });
  const [number, label] = leadingValues(node);
  if (attributes.length === 0 && typeof number === "bigint") {
    const added = takeId(editor);
    editor.added.push(limbAttribute(added, String(label).split("\0")[0]));
    connect(editor, added, number);
  }
  for (const { id, node } of attributes) {
    if (!OBJECTS.has(rawType(node)) || isShared(editor, id)) continue;
    const children = node.children.map((child) =>
      child.name === "TypeFlags" ? rawNode("TypeFlags", ["Skeleton"]) : child,
    );
    editor.replaced.set(node, { ...withText(node, TYPE_AT, "LimbNode"), children });
  }
}

/** Whether several models have an attribute, so that it cannot follow one of them. */
function isShared({ connections }: FbxEditor, attribute: string): boolean {
  const uses = connections.children.filter((link) => String(leadingValues(link)[1]) === attribute);
  return uses.length > 1;
}
