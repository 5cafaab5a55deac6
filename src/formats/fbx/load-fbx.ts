import { createPacer, type Pacer } from "../../event-loop.ts";
import { identityMat4, invertMat4, product } from "../../math/mat4.ts";
import { type Budget, spend, TEXT_GROWTH } from "../budget.ts";
import { stemOf } from "../endings.ts";
import { type GltfSource, OLDEST_WRITTEN, type ResolveUri } from "../gltf/gltf-source.ts";
import type { LoadContext } from "../load-context.ts";
import { badExport, reportLoss } from "../losses.ts";
import { combineTextures, createImageFinder, missingNotes } from "../scene/images.ts";
import type { Scene } from "../scene/scene.ts";
import { gltfSteps } from "../scene/scene-to-gltf.ts";
import { childOf } from "../scene/values.ts";
import { readFbxAnimations } from "./fbx-animation.ts";
import { fbxImages, isProducer, readFbxCamera, readFbxMaterial } from "./fbx-look.ts";
import { readFbxMesh, spareSets, uvSetNames } from "./fbx-mesh.ts";
import {
  belowOf,
  type FbxDocument,
  type FbxNode,
  type FbxObject,
  fbxDocument,
  numberOf,
  numbersOf,
  textOf,
  vectorOf,
} from "./fbx-node.ts";
import {
  type FbxCluster,
  fbxSkin,
  meshBind,
  readClusters,
  readShapes,
  type ShapeChannel,
} from "./fbx-skin.ts";
import { axisMatrix, geometricMatrix, localFbxMatrix } from "./fbx-transform.ts";
import { fbxBinarySteps, fbxTextSteps, isBinaryFbx } from "./parse-fbx.ts";
import { VERSION_AT } from "./raw-fbx.ts";

const JOINT_TYPES = new Set(["Limb", "LimbNode", "Root"]);

type FbxScene = ReturnType<typeof beginScene>;

/** Whether the bytes begin like an FBX, binary or text. */
export function isFbx(bytes: Uint8Array): boolean {
  return isBinaryFbx(bytes) || /^;\s*FBX/.test(new TextDecoder().decode(bytes.subarray(0, 64)));
}

/**
 * Reads an FBX (binary 7.x, text 6.x and 7.x) as glTF: meshes, all skin influences, blend shapes (animated
 * in 7.x), materials, hierarchy, animations, cameras and lights.
 */
export async function loadFbx(
  file: string,
  bytes: Uint8Array,
  { resolve, budget, pacer = createPacer() }: LoadContext,
): Promise<GltfSource> {
  const isText = !isBinaryFbx(bytes);
  if (isText) spend(budget, TEXT_GROWTH * bytes.length);
  const steps = isText
    ? fbxTextSteps(file, new TextDecoder().decode(bytes))
    : fbxBinarySteps(file, bytes, budget);
  const root = await pacer.run(steps);
  const document = fbxDocument(file, root);
  const fbx = beginScene(document, budget);
  addNodes(fbx);
  const { shown, binds } = await addMeshes(fbx, resolve, pacer);
  fbx.scene.animations = readFbxAnimations(document, fbx);
  await pacer.pause();
  addCameras(fbx);
  reportUnread(document);
  const { origins, ...source } = await pacer.run(gltfSteps(file, fbx.scene));
  const meshes = new Map([...origins].map(([mesh, index]) => [mesh, shown[index]]));
  const modelOf = new Map([...fbx.nodeOf].map(([id, node]) => [node, id]));
  return {
    ...source,
    budget,
    fbx: { bytes, isText, version: versionOf(bytes, isText, root), meshes, models: modelOf, binds },
  };
}

function beginScene(document: FbxDocument, budget: Budget | undefined) {
  const models = [...document.objects.values()].filter(
    (object) => object.kind === "Model" && !isProducer(object),
  );
  spend(budget, models.length, "nodes");
  const { losses } = document;
  const scene: Scene = { nodes: [], meshes: [], materials: [], animations: [], losses };
  return {
    document,
    models,
    /** By model id: its scene node. */
    nodeOf: new Map<string, number>(),
    /** By node: to the FBX world, before axes and unit are changed. */
    worlds: [] as number[][],
    scene,
    /** By scene mesh: its shape channels. */
    channels: new Map<number, ShapeChannel[]>(),
    budget,
  };
}

/** Text files without a version count as FBX 7. */
function versionOf(bytes: Uint8Array, isText: boolean, root: FbxNode): number {
  if (!isText) return new DataView(bytes.buffer, bytes.byteOffset).getUint32(VERSION_AT, true);
  const stated = childOf(childOf(root, "FBXHeaderExtension"), "FBXVersion")?.values[0];
  return typeof stated === "number" ? stated : OLDEST_WRITTEN;
}

/** Node 0 converts axes and unit; all models follow, parents before children. */
function addNodes({ document, models, nodeOf, worlds, scene }: FbxScene): void {
  const { file } = document;
  const settings =
    childOf(document.root, "GlobalSettings") ??
    childOf(childOf(document.root, "Objects"), "GlobalSettings");
  scene.nodes.push({ name: stemOf(file), parent: -1, matrix: axisMatrix(settings) });
  worlds.push(identityMat4());
  const isModel = new Set(models);
  const parentOf = (model: FbxObject) =>
    (document.above.get(model.id) ?? []).find((above) => isModel.has(above));
  const add = (model: FbxObject, parent: number): number => {
    const matrix = localFbxMatrix(model.node);
    const node = scene.nodes.push({ name: model.name, parent, matrix }) - 1;
    nodeOf.set(model.id, node);
    worlds.push(product(worlds[parent], matrix));
    return node;
  };
  for (const model of models) {
    const line: FbxObject[] = [];
    for (let at: FbxObject | undefined = model; at && !nodeOf.has(at.id); at = parentOf(at)) {
      if (line.push(at) > models.length)
        throw badExport(file, `model "${model.name}" is its own ancestor`);
    }
    const top = line.at(-1) && parentOf(line.at(-1)!);
    line.reduceRight((parent, each) => add(each, parent), (top && nodeOf.get(top.id)) ?? 0);
  }
}

/** Adds cameras and lights last, so that nodes keep their indices. */
function addCameras({ document, models, nodeOf, scene }: FbxScene): void {
  const unit = Math.hypot(...scene.nodes[0].matrix.slice(0, 3));
  for (const model of models) {
    const node = readFbxCamera(document, model, nodeOf.get(model.id)!, unit);
    if (node) scene.nodes.push(node);
  }
}

/** Adds all meshes; returns their origins and the bind matrices of their bones. */
async function addMeshes(fbx: FbxScene, resolve: ResolveUri | undefined, { pause }: Pacer) {
  const { document, scene, nodeOf } = fbx;
  const { losses } = document;
  const shown = fbx.models.flatMap((model) => {
    // FBX 6 stores the geometry in the model.
    const inside = childOf(model.node, "Vertices") ? [model] : [];
    const geometry = [...belowOf(document, model, "Geometry", "Mesh"), ...inside][0];
    return geometry ? [{ model, geometry }] : [];
  });
  const clusters: FbxCluster[][] = [];
  for (const { model, geometry } of shown) {
    clusters.push(readClusters(document, geometry, fbx.worlds[nodeOf.get(model.id)!]));
    await pause();
  }
  const rig = collectJoints(fbx, clusters.flat());
  const materialOf = new Map<string, number>();
  const notes = new Set<string>();
  const missing = new Set<string>();
  const geometries = new Set<FbxObject>();
  const findImage = fbxImages(document, createImageFinder(resolve, { losses, missing }));
  for (const [index, { model, geometry }] of shown.entries()) {
    const matrix = geometricMatrix(model.node);
    if (geometries.has(geometry)) {
      spend(fbx.budget, 1, "copies");
      spend(fbx.budget, numbersOf(geometry.node, "PolygonVertexIndex").length, "copiedCorners");
    }
    geometries.add(geometry);
    spend(fbx.budget, cornerCount(geometry.node), "vertices");
    const mesh = readFbxMesh(document, model.name, geometry.node, matrix);
    await pause();
    if (mesh.isOpen)
      notes.add(`The last polygon of "${model.name}" is incomplete and was skipped.`);
    reportLoss(losses, "UV and color sets beyond eight", spareSets(geometry.node));
    const points = mesh.points.length / 3;
    const { shapes, channels } = readShapes(document, geometry, points, matrix, fbx.budget);
    if (shapes.length > 0) mesh.shapes = shapes;
    fbx.channels.set(scene.meshes.length, channels);
    const uvNames = uvSetNames(geometry.node);
    const isDoubleSided = !/^CullingOnC/.test(textOf(model.node, "Culling"));
    for (const material of belowOf(document, model, "Material")) {
      if (!materialOf.has(material.id)) {
        const read = await readFbxMaterial(document, material, findImage, uvNames);
        const combined = combineTextures({ ...read, isDoubleSided }, losses);
        materialOf.set(material.id, scene.materials.push(combined) - 1);
      }
      mesh.materials.push(materialOf.get(material.id)!);
    }
    if (clusters[index].length > 0) {
      spend(fbx.budget, rig.nodes.length * 256);
      mesh.skin = fbxSkin(clusters[index], points, rig.joints, rig.nodes, rig.binds);
      await pause();
    }
    scene.nodes[nodeOf.get(model.id)!].mesh = scene.meshes.push(mesh) - 1;
  }
  scene.notes = [...missingNotes("image", missing), ...notes];
  if (clusters.flat().length === 0) scene.looseJoints = rig.nodes;
  return {
    shown: shown.map(({ model, geometry }, index) => ({
      geometry: geometry.id,
      model: model.id,
      bind: meshBind(clusters[index]) ?? fbx.worlds[nodeOf.get(model.id)!],
    })),
    binds: new Map([...rig.joints].map(([id, joint]) => [id, rig.binds[joint]])),
  };
}

/**
 * Returns all joints of the file: bones with a cluster, and the limbs between and above them. Limbs below
 * the last bone only mark its end. Without any cluster, all limbs are joints.
 */
function collectJoints({ models, nodeOf, worlds, scene }: FbxScene, clusters: FbxCluster[]) {
  const links = new Map<string, number[]>();
  for (const { bone, link } of clusters) if (!links.has(bone.id)) links.set(bone.id, link);
  const modelOf = new Map(models.map((model) => [nodeOf.get(model.id)!, model]));
  const linkOf = (node: number) => links.get(modelOf.get(node)?.id ?? "");
  const isLimb = (node: number) => JOINT_TYPES.has(modelOf.get(node)?.type ?? "");
  const isJoint = new Set([...modelOf.keys()].filter(links.size > 0 ? linkOf : isLimb));
  const walked = new Set<number>();
  for (const node of [...isJoint]) {
    let at = scene.nodes[node].parent;
    while (at >= 0 && !walked.has(at)) {
      walked.add(at);
      if (isLimb(at)) isJoint.add(at);
      at = scene.nodes[at].parent;
    }
  }
  const nodes = [...isJoint].sort((a, b) => a - b);
  const joints = new Map(nodes.map((node, index) => [modelOf.get(node)!.id, index]));
  const below = firstBelow(scene, linkOf);
  // The bind matrix of a bone; a limb without a cluster keeps its rest pose relative to its nearest bone.
  const binds = nodes.map((node) => {
    let near = node;
    while (near >= 0 && !linkOf(near)) near = scene.nodes[near].parent;
    if (near < 0) near = below.get(node) ?? -1;
    const link = near >= 0 ? linkOf(near) : undefined;
    const inverse = link && invertMat4(identityMat4(), worlds[near]);
    return link && inverse ? product(link, product(inverse, worlds[node])) : worlds[node];
  });
  return { nodes, joints, binds };
}

/** Maps each ancestor of a bone with a link to the first such bone. */
function firstBelow({ nodes }: Scene, linkOf: (node: number) => number[] | undefined) {
  const first = new Map<number, number>();
  nodes.forEach((_, node) => {
    if (!linkOf(node)) return;
    // A node visited before has visited ancestors.
    for (let at = node; at >= 0 && !first.has(at); at = nodes[at].parent) first.set(at, node);
  });
  return first;
}

function cornerCount(node: FbxNode): number {
  return Math.max(
    numbersOf(node, "Vertices").length / 3,
    numbersOf(node, "PolygonVertexIndex").length / 4,
  );
}

/** Objects that are read, or hold nothing beyond what is read. */
const READ =
  /^(?:Model|Geometry|NodeAttribute|Deformer|Material|Texture|LayeredTexture|Video|Pose|AnimationStack|AnimationLayer|AnimationCurveNode|AnimationCurve|GlobalSettings|SceneInfo|Document|GlobalInfo)$/;

const GEOMETRIES = new Set(["Mesh", "Shape", ""]);

const DEFORMERS = new Set(["Skin", "Cluster", "BlendShape", "BlendShapeChannel"]);

const ATTRIBUTES = /^(?:LimbNode|Limb|Root|Null|Mesh|Light|Camera|CameraSwitcher|)$/;

/** Layers that are read, follow from the mesh, or only matter for editing. */
const LAYERS =
  /^LayerElement(?:Normal|UV|Color|Material|Smoothing|Tangent|Binormal|Texture|Hole|PolygonGroup|Visibility)$/;

/** Counts the content of an FBX that is not read: other objects, layers, custom properties. */
export function reportUnread(document: FbxDocument): void {
  const { losses } = document;
  reportInheritance(document);
  for (const { kind, type, node } of document.objects.values()) {
    if (!READ.test(kind)) reportLoss(losses, `${kind} objects`);
    else if (kind === "Geometry" && !GEOMETRIES.has(type)) reportLoss(losses, `${type} geometries`);
    else if (kind === "Deformer" && !DEFORMERS.has(type)) reportLoss(losses, `${type} deformers`);
    else if (kind === "NodeAttribute" && !ATTRIBUTES.test(type))
      reportLoss(losses, `${type} objects`);
    for (const { name } of node.children) {
      if (name.startsWith("LayerElement") && !LAYERS.test(name)) {
        reportLoss(losses, `${name.slice("LayerElement".length)} layers`);
      }
    }
    const properties = childOf(node, "Properties70")?.children ?? [];
    const custom = properties.filter(({ values }) => /U/.test(String(values[3] ?? "")));
    reportLoss(losses, "custom properties", custom.length);
  }
}

/**
 * Counts models that inherit scale in another way than in glTF: not at all (2), or after their own rotation
 * (0). It only matters if a model is scaled, or scaled unevenly.
 */
function reportInheritance({ objects, losses }: FbxDocument): void {
  const models = [...objects.values()].filter(({ kind }) => kind === "Model");
  const scales = models.map(({ node }) => vectorOf(node, "Lcl Scaling", [1, 1, 1]));
  const differ = (a: number, b: number) => Math.abs(a - b) > 1e-4;
  const isScaled = scales.some((scale) => scale.some((value) => differ(value, 1)));
  const isUneven = scales.some(([x, y, z]) => differ(x, y) || differ(y, z));
  const odd = models.filter(({ node }) => {
    const way = numberOf(node, "InheritType", 1);
    return (way === 0 && isUneven) || (way === 2 && isScaled);
  });
  reportLoss(losses, "models with a scale inheritance glTF lacks", odd.length);
}
