import { InputError } from "../../input-error.ts";
import { composeMat4, identityMat4, inverseOf, product } from "../../math/mat4.ts";
import { readRow, type SkinWeights } from "../../weights/skin-weights.ts";
import { type Budget, createBudget, spend } from "../budget.ts";
import type { Rig } from "../gltf/bind-space.ts";
import { entry, type GltfNode, targetNames } from "../gltf/gltf-json.ts";
import { chargeMesh, type GltfSource } from "../gltf/gltf-source.ts";
import {
  animatedNodes,
  decomposeNode,
  localMatrix,
  movedNodes,
  type NodeTree,
  nodeTree,
} from "../gltf/node-tree.ts";
import { type MeshPart, partsByNode } from "../gltf/read-parts.ts";
import { pushTo } from "../scene/values.ts";
import type { FbxPose } from "./fbx-transform.ts";
import { addTakes } from "./new-animation.ts";
import { blankFbx, fbxModel, limbAttribute, poseOfMatrix } from "./new-fbx.ts";
import { addGeometry, addShapes, type NewGeometry } from "./new-geometry.ts";
import { addCamera, newMaterials } from "./new-look.ts";
import {
  joinSurface,
  knownPoints,
  type NewSurface,
  pointsOfSurface,
  type SurfacePoints,
} from "./new-surface.ts";
import { joinRawFbx } from "./raw-fbx.ts";
import { applyObjects, connect, type FbxEditor, rawObjects, takeId } from "./raw-objects.ts";
import { type ClusterWeights, editFbxSkins, type GeometryWeights } from "./write-fbx.ts";

/** A glTF with new weights, to become an FBX. */
export interface RiggedGltf {
  /** Its JSON has all joints and skins; the weights it stores are ignored. */
  source: GltfSource;
  parts: readonly MeshPart[];
  rig: Rig;
  /** J, the node of each joint. */
  nodes: Int32Array;
  /** A row per vertex of the parts. */
  weights: SkinWeights;
}

/** What a cluster costs, in nodes: it is several objects of the file. */
const CLUSTER_NODES = 4;
/** Centimeters per meter. */
const CENTIMETERS = 100;

/**
 * Writes a glTF as binary FBX 7.4, y up, in centimeters: all nodes, meshes, materials with embedded images,
 * blend shapes, skins with their bind pose, animations as takes, cameras and lights.
 *
 * Vertices on seams are joined to points; a bone is a limb with a cluster, even without weight.
 */
export function gltfToFbx(rigged: RiggedGltf): Uint8Array {
  const { source } = rigged;
  const tree = nodeTree(source.json);
  const space = fileSpaceOf(source, tree);
  const raw = blankFbx(space.unit);
  const editor = rawObjects(source.name, raw);
  const joints = new Set(rigged.nodes);
  const animated = animatedNodes(source.json);
  const writer: Writer = {
    ...rigged,
    budget: createBudget(source.name, source.budget?.total),
    shown: new Set(),
    usedBy: new Map(),
    tree,
    space,
    editor,
    models: new Map(),
    poses: new Map(),
    partsOf: partsByNode(rigged.parts),
    joints,
    animated,
    moved: movedNodes(tree, joints, animated),
    materials: newMaterials(editor, source),
    geometries: new Map(),
    shapes: new Map(),
    skinned: [],
    edits: [],
  };
  for (const node of tree.order) if (node !== space.skipped) addNode(writer, node);
  // Clusters refer to the models of all joints.
  for (const { index, own } of writer.skinned) addSkinned(writer, index, own);
  const { edits } = writer;
  const [binds, stands] = [bindMatrices(writer), standMatrices(writer)];
  checkSizes(source.name, [...binds.values(), ...[...binds.values()].map(inverseOf)]);
  editFbxSkins(editor, { edits, binds, stands, areNew: true });
  addTakes(editor, source, { ...writer, scale: space.scale });
  return joinRawFbx(applyObjects(raw, editor));
}

interface Writer extends RiggedGltf {
  /** For what an FBX repeats and a glTF does not. */
  budget: Budget;
  /** Meshes that are written already. */
  shown: Set<number>;
  /** The joints of the skins of a mesh, by its first part. */
  usedBy: Map<MeshPart, Set<number>>;
  tree: NodeTree;
  space: FileSpace;
  editor: FbxEditor;
  /** By node: its model, and its pose at rest. */
  models: Map<number, bigint>;
  poses: Map<number, FbxPose>;
  /** By node: the parts of the meshes it shows with weights. */
  partsOf: Map<number, MeshPart[]>;
  joints: Set<number>;
  animated: Set<number>;
  /** Nodes that a joint or an animation moves. */
  moved: Set<number>;
  materials: ReturnType<typeof newMaterials>;
  /** By mesh without weights and shapes: its geometry and materials, which several models may show. */
  geometries: Map<number, { id: bigint; used: number[] }>;
  /** By node: the channels of each of its meshes. */
  shapes: Map<number, bigint[][]>;
  /** Nodes that show a mesh with weights, and its parts. */
  skinned: { index: number; own: MeshPart[] }[];
  edits: GeometryWeights[];
}

/** The space of the new file. */
interface FileSpace {
  /** Centimeters per unit of the file, and units per unit of a glTF node's coordinates. */
  unit: number;
  scale: number;
  /** The node that only converted the unit of another format; it is not written. */
  skipped: number;
  /** Converts a matrix to the glTF world to one to the world of the file. */
  convert(matrix: ArrayLike<number>): number[];
}

/** A node above all others that converts the unit of an FBX or COLLADA file becomes the unit of the new one. */
function fileSpaceOf(source: GltfSource, { order, parents, worlds }: NodeTree): FileSpace {
  const isOnlyRoot = order.filter((node) => parents[node] < 0).length === 1 && order[0] === 0;
  if ((source.fbx || source.dae) && isOnlyRoot) {
    const { scale = [1, 1, 1], ...moved } = source.json.nodes![0];
    const isUniform = scale.every(
      (value) => value > 0 && Math.abs(value - scale[0]) < 1e-6 * value,
    );
    const isPlain = !("matrix" in moved || "rotation" in moved || "translation" in moved);
    if (isUniform && isPlain && !("mesh" in moved)) {
      const back = inverseOf(worlds[0]);
      const convert = (matrix: ArrayLike<number>) => product(back, matrix);
      return { unit: scale[0] * CENTIMETERS, scale: 1, skipped: 0, convert };
    }
  }
  const convert = (matrix: ArrayLike<number>) => scaleMoves(matrix, CENTIMETERS);
  return { unit: 1, scale: CENTIMETERS, skipped: -1, convert };
}

/** Returns a matrix with its translation multiplied. */
function scaleMoves(matrix: ArrayLike<number>, by: number): number[] {
  return Array.from(matrix, (value, i) => (i >= 12 && i < 15 ? value * by : value));
}

function addNode(writer: Writer, index: number): void {
  const { source, partsOf, joints, animated, space } = writer;
  const { json } = source;
  const node = entry(json, "nodes", index);
  const own = partsOf.get(index) ?? [];
  const shows = node.mesh !== undefined && hasFaces(source, node.mesh);
  const isPlainNode = (node.children ?? []).length === 0 && !animated.has(index);
  const skinned = shows && own.length > 0;
  // A skinned mesh ignores its node's transform, which anything else at the node needs.
  if (skinned) writer.skinned.push({ index, own });
  if (skinned && isPlainNode && !joints.has(index)) return;
  const isMesh = shows && !skinned && !joints.has(index);
  const local = scaleMoves(localMatrix(node), space.scale);
  const type = isMesh ? "Mesh" : joints.has(index) ? "LimbNode" : "Null";
  const id = addModel(writer, nameOf(node, index), type, local, parentOf(writer, index), node.mesh);
  writer.models.set(index, id);
  writer.poses.set(index, poseOfMatrix(local));
  if (type === "LimbNode") {
    const attribute = takeId(writer.editor);
    writer.editor.added.push(limbAttribute(attribute, nameOf(node, index)));
    connect(writer.editor, attribute, id);
  }
  if (isMesh) showMesh(writer, index, id);
  else if (shows && !skinned) {
    const model = addModel(writer, nameOf(node, index), "Mesh", identityMat4(), id, node.mesh);
    showMesh(writer, index, model);
  }
  addCamera(writer.editor, json, node, id, CENTIMETERS / space.unit);
}

function nameOf({ name }: GltfNode, index: number): string {
  return name ?? `node ${index}`;
}

function hasFaces({ json }: GltfSource, mesh: number): boolean {
  return entry(json, "meshes", mesh).primitives.some(
    ({ mode = 4, attributes }) => mode >= 4 && attributes?.POSITION !== undefined,
  );
}

function parentOf({ tree, models }: Writer, node: number): bigint {
  return models.get(tree.parents[node]) ?? 0n;
}

function addModel(
  { editor, materials, source }: Writer,
  name: string,
  type: string,
  local: number[],
  parent: bigint,
  mesh: number | undefined,
): bigint {
  const id = takeId(editor);
  const shown =
    type === "Mesh" && mesh !== undefined ? entry(source.json, "meshes", mesh) : undefined;
  const isDoubleSided =
    !shown || shown.primitives.some(({ material = -1 }) => materials.isDoubleSided(material));
  editor.added.push(fbxModel({ id, name, type, isDoubleSided, ...poseOfMatrix(local) }));
  connect(editor, id, parent);
  return id;
}

/** Adds a mesh with weights: at its node's parent if that keeps still, else at the top of the scene. */
function addSkinned(writer: Writer, index: number, parts: MeshPart[]): void {
  const { tree, space, source, weights, moved } = writer;
  const node = entry(source.json, "nodes", index);
  let bind = space.convert(parts[0].toCharacter);
  let baked = identityMat4();
  if (space.skipped >= 0 || decomposeNode(bind).matrix) [baked, bind] = [bind, identityMat4()];
  let parent = tree.parents[index];
  const inside = parent < 0 ? bind : product(inverseOf(space.convert(tree.worlds[parent])), bind);
  const isFree = !moved.has(parent) && !decomposeNode(inside).matrix;
  if (!isFree) parent = -1;
  const at = isFree ? inside : bind;
  const above = parent < 0 ? 0n : (writer.models.get(parent) ?? 0n);
  const model = addModel(writer, nameOf(node, index), "Mesh", at, above, node.mesh);
  const partOf: MeshPart[] = [];
  for (const part of parts) for (const primitive of part.primitives) partOf[primitive] ??= part;
  chargeMesh(writer, node.mesh!);
  const surface = joinSurface(source, node.mesh!);
  const rowAt = (vertex: number) =>
    partOf[surface.primitiveOf[vertex]].first + surface.vertexOf[vertex];
  const key = (vertex: number) => {
    const { joints, values } = readRow(weights, rowAt(vertex));
    return `${joints.join()} ${values.join()}`;
  };
  const geometry: NewGeometry = {
    name: nameOf(node, index),
    surface,
    ...pointsOf(writer, node.mesh!, surface, key),
    matrix: product(baked, uniform(space.scale)),
  };
  const id = placeGeometry(writer, index, geometry, model);
  const clusters = clustersOf(writer, parts, geometry, rowAt);
  writer.edits.push({ geometry: String(id), model: String(model), bind, clusters });
}

/** The points that the mesh had in its file, or else those that its vertices make. */
function pointsOf(
  { source }: Writer,
  mesh: number,
  surface: NewSurface,
  key: (vertex: number) => string,
): SurfacePoints {
  const own = source.points?.get(mesh);
  return own ? knownPoints(surface, own.of) : pointsOfSurface(surface, key);
}

/** Adds a mesh without weights; a mesh without shapes is stored once. */
function showMesh(writer: Writer, index: number, model: bigint): void {
  const { source, space, editor, geometries } = writer;
  const node = entry(source.json, "nodes", index);
  const known = geometries.get(node.mesh!);
  if (known !== undefined) {
    connect(editor, known.id, model);
    connectMaterials(writer, known.used, model);
    return;
  }
  chargeMesh(writer, node.mesh!);
  const surface = joinSurface(source, node.mesh!);
  const points = pointsOf(writer, node.mesh!, surface, () => "");
  const name = nameOf(node, index);
  const geometry = { name, surface, ...points, matrix: uniform(space.scale) };
  const id = placeGeometry(writer, index, geometry, model);
  if (surface.shapes.length === 0) geometries.set(node.mesh!, { id, used: surface.materials });
}

function placeGeometry(
  writer: Writer,
  index: number,
  geometry: NewGeometry,
  model: bigint,
): bigint {
  const { editor, source, shapes, space } = writer;
  const node = entry(source.json, "nodes", index);
  checkSizes(source.name, [geometry.surface.positions], space.scale);
  const id = addGeometry(editor, geometry);
  connect(editor, id, model);
  connectMaterials(writer, geometry.surface.materials, model);
  const mesh = entry(source.json, "meshes", node.mesh!);
  const weights = (node.weights ?? mesh.weights ?? []) as number[];
  const names = targetNames(mesh);
  const targets = geometry.surface.shapes.map((_, s) => ({
    name: names[s] ?? `shape ${s + 1}`,
    weight: weights[s] ?? 0,
  }));
  if (targets.length > 0) pushTo(shapes, index, addShapes(editor, id, geometry, targets));
  return id;
}

function connectMaterials({ editor, materials }: Writer, used: number[], model: bigint): void {
  for (const material of used) connect(editor, materials.idOf(material), model);
}

function jointsOfSkins({ json }: GltfSource, parts: MeshPart[]): Set<number> {
  const skins = new Set(parts.flatMap((part) => part.nodes.map((node) => json.nodes![node].skin!)));
  return new Set([...skins].flatMap((skin) => entry(json, "skins", skin).joints));
}

/** Returns the weights of each joint of a mesh's skin, by the joint's model. */
function clustersOf(
  { source, nodes, models, weights, budget, usedBy }: Writer,
  parts: MeshPart[],
  { first }: NewGeometry,
  rowAt: (vertex: number) => number,
): Map<string, ClusterWeights> {
  const lists = new Map<number, { points: number[]; weights: number[] }>();
  const used = usedBy.get(parts[0]) ?? jointsOfSkins(source, parts);
  usedBy.set(parts[0], used);
  spend(budget, CLUSTER_NODES * used.size, "nodes");
  nodes.forEach((node, joint) => {
    if (used.has(node)) lists.set(joint, { points: [], weights: [] });
  });
  first.forEach((vertex, point) => {
    const { joints, values } = readRow(weights, rowAt(vertex));
    joints.forEach((joint, i) => {
      const list = lists.get(joint)!;
      list.points.push(point);
      list.weights.push(values[i]);
    });
  });
  return new Map(
    [...lists].map(([joint, list]) => [
      String(models.get(nodes[joint])),
      { points: Int32Array.from(list.points), weights: Float64Array.from(list.weights) },
    ]),
  );
}

/** Bind matrices of the joints by model, and the rest matrices of the nodes above them. */
function bindMatrices({ nodes, rig, models, space, tree }: Writer): Map<string, number[]> {
  const binds = new Map<string, number[]>();
  for (const node of nodes) {
    for (let at = tree.parents[node]; models.has(at); at = tree.parents[at]) {
      const model = String(models.get(at));
      // All above it are known too.
      if (binds.has(model)) break;
      binds.set(model, space.convert(tree.worlds[at]));
    }
  }
  nodes.forEach((node, joint) => {
    binds.set(String(models.get(node)), space.convert(rig.bindMatrices[joint]));
  });
  return binds;
}

/** By joint's model: the rest matrix of the node that its skeleton hangs in, which Blender makes an armature. */
function standMatrices({ nodes, models, space, tree, joints }: Writer): Map<string, number[]> {
  const standOf = new Map<number, number[]>();
  for (const node of tree.order) {
    const above = tree.parents[node];
    const known = standOf.get(above);
    if (known) standOf.set(node, known);
    else if (joints.has(node)) {
      const isWritten = above >= 0 && above !== space.skipped;
      standOf.set(node, isWritten ? space.convert(tree.worlds[above]) : identityMat4());
    }
  }
  return new Map(Array.from(nodes, (node) => [String(models.get(node)), standOf.get(node)!]));
}

/** Largest coordinate that other programs, and our reader, calculate with. */
const LARGEST = 1e15;

/** Refuses numbers that an FBX can hold and no program can read; `scale` is applied to all of them. */
function checkSizes(name: string, lists: readonly ArrayLike<number>[], scale = 1): void {
  for (const list of lists) {
    for (let i = 0; i < list.length; i++) {
      if (Math.abs(list[i]) * scale <= LARGEST) continue;
      throw new InputError(`${name}: its coordinates are too large for an FBX; scale it down.`);
    }
  }
}

function uniform(scale: number): number[] {
  return composeMat4([0, 0, 0], [0, 0, 0, 1], [scale, scale, scale]);
}
