import { identityMat4 } from "../../math/mat4.ts";
import { takeRows } from "../../math/take-rows.ts";
import { inverseOf } from "../matrices.ts";
import { badExport } from "../refusals.ts";
import type { Scene, SceneMesh } from "../scene.ts";
import { type SplitPart, splitCorners } from "../split-corners.ts";
import { addAnimation } from "./add-animation.ts";
import { addCamera } from "./add-camera.ts";
import { addMaterial, type StoredTextures } from "./add-material.ts";
import { bakeBindPose } from "./bake-bind-pose.ts";
import { decomposeNode } from "./decompose-node.ts";
import {
  addAccessor,
  addSkin,
  draftGltf,
  type GltfDraft,
  INDEX_TARGET,
  VERTEX_TARGET,
} from "./gltf-draft.ts";
import { addChild, addEntry, entry, type GltfMesh, type GltfPrimitive } from "./gltf-json.ts";
import type { GltfSource } from "./gltf-source.ts";
import { nodeTree } from "./node-tree.ts";
import { type StoredRows, weightSets } from "./weight-sets.ts";

/**
 * Turns a scene into a glTF in memory, as if it had been read from a GLB. Skinned meshes are stored in
 * their bind pose, in the world's units and axes.
 */
export function sceneToGltf(name: string, scene: Scene): BuiltScene {
  const built = build(name, scene);
  const isSkinned = built.json.nodes!.some((node) => node.skin !== undefined);
  if (!isSkinned) return built;
  const { scene: baked, placed } = bakeBindPose(scene, built);
  return build(name, baked, placed);
}

/** A glTF made from a scene, and which mesh of it is which of the scene's. */
export interface BuiltScene extends GltfSource {
  /** By glTF mesh: the scene's mesh. */
  origins: Map<number, number>;
}

/** @param placed by mesh: how its points were moved */
function build(name: string, scene: Scene, placed?: Map<number, number[]>): BuiltScene {
  const origins: BuiltScene["origins"] = new Map();
  const points: NonNullable<GltfSource["points"]> = new Map();
  const draft = draftGltf({ asset: { version: "2.0", generator: "heterskin" } });
  const { json } = draft;
  addNodes(name, draft, scene);
  const stored: StoredTextures = { images: new Map(), textures: new Map() };
  for (const material of scene.materials) addMaterial(draft, material, stored);
  const shownBy = scene.meshes.map((): number[] => []);
  scene.nodes.forEach(({ mesh }, node) => {
    if (mesh !== undefined) shownBy[mesh].push(node);
  });
  scene.meshes.forEach((mesh, index) => {
    const split = splitCorners(mesh);
    const built = addMesh(draft, mesh, split);
    if (built === undefined) return;
    origins.set(built, index);
    points.set(built, {
      count: mesh.points.length / 3,
      of: split.map((part) => part.points),
      placed: placed?.get(index) ?? identityMat4(),
    });
    for (const node of shownBy[index]) {
      entry(json, "nodes", node).mesh = built;
      if (mesh.skin)
        entry(json, "nodes", node).skin = addSkin(draft, mesh.skin.joints, mesh.skin.inverseBinds);
    }
  });
  if (scene.looseJoints?.length) {
    const { worlds } = nodeTree(json);
    const still = scene.looseJoints.map((node) => inverseOf(worlds[node]));
    addSkin(draft, scene.looseJoints, still);
  }
  for (const animation of scene.animations) addAnimation(draft, animation, shownBy);
  const bytes = draft.bytes.slice(0, draft.size);
  if (bytes.length > 0) json.buffers = [{ byteLength: bytes.length }];
  return {
    name,
    json,
    buffers: bytes.length > 0 ? [bytes] : [],
    images: new Map(),
    notes: scene.notes ?? [],
    lost: scene.lost ?? new Map(),
    points,
    origins,
  };
}

function addNodes(file: string, draft: GltfDraft, scene: Scene): void {
  const { json } = draft;
  const animated = new Set(scene.animations.flatMap((a) => a.channels.map((c) => c.node)));
  json.nodes = scene.nodes.map((node, index) => {
    if (!node.matrix.every(Number.isFinite)) {
      throw badExport(
        file,
        `node "${node.name}" is turned or moved by something that is not a number`,
      );
    }
    const parts = decomposeNode(node.matrix);
    // An animated node must not state a matrix; its first frame will correct the rounding.
    if (parts.matrix && animated.has(index)) delete parts.matrix;
    return { name: node.name, ...parts };
  });
  const roots: number[] = [];
  scene.nodes.forEach((node, index) => {
    addCamera(draft, node, index);
    if (node.parent < 0) roots.push(index);
    else addChild(json, node.parent, index);
  });
  json.scene = 0;
  json.scenes = [{ nodes: roots }];
}

/** Adds a mesh, one primitive per material, each with its own vertices; undefined where it has no face. */
function addMesh(draft: GltfDraft, mesh: SceneMesh, split: SplitPart[]): number | undefined {
  if (split.length === 0) return undefined;
  const built: GltfMesh = {
    name: mesh.name,
    primitives: split.map((p) => addPart(draft, mesh, p)),
  };
  if (mesh.shapes?.length) {
    built.extras = { targetNames: mesh.shapes.map((shape) => shape.name) };
    if (mesh.shapes.some(({ weight }) => weight)) {
      built.weights = mesh.shapes.map(({ weight = 0 }) => weight);
    }
  }
  return addEntry(draft.json, "meshes", built);
}

function addPart(draft: GltfDraft, mesh: SceneMesh, part: SplitPart): GltfPrimitive {
  const material = mesh.materials[part.slot];
  const primitive: GltfPrimitive = {
    attributes: addAttributes(draft, mesh, part),
    indices: addAccessor(draft, { data: part.triangles, type: "SCALAR", target: INDEX_TARGET }),
    ...(material === undefined ? {} : { material }),
  };
  if (mesh.shapes?.length) {
    primitive.targets = mesh.shapes.map(({ deltas }) => ({
      POSITION: addPositions(draft, takeRows(deltas, part.points, 3)),
    }));
  }
  return primitive;
}

function addPositions(draft: GltfDraft, data: Float32Array): number {
  return addAccessor(draft, { data, type: "VEC3", target: VERTEX_TARGET, bounds: true });
}

function addAttributes(draft: GltfDraft, mesh: SceneMesh, part: SplitPart): Record<string, number> {
  const vertex = (data: Float32Array | Uint16Array | Uint8Array, type: "VEC2" | "VEC3" | "VEC4") =>
    addAccessor(draft, { data, type, target: VERTEX_TARGET });
  const attributes: Record<string, number> = {
    POSITION: addPositions(draft, takeRows(mesh.points, part.points, 3)),
  };
  if (part.normals) attributes.NORMAL = vertex(part.normals, "VEC3");
  part.uvSets.forEach((uvs, set) => {
    attributes[`TEXCOORD_${set}`] = vertex(uvs, "VEC2");
  });
  part.colors.forEach((colors, set) => {
    attributes[`COLOR_${set}`] = vertex(colors, "VEC4");
  });
  if (!mesh.skin) return attributes;
  const rows = skinRows(mesh.skin.influences, part.points);
  weightSets(rows, (joint) => joint).forEach(({ joints, weights }, set) => {
    attributes[`JOINTS_${set}`] = vertex(joints, "VEC4");
    attributes[`WEIGHTS_${set}`] = vertex(weights, "VEC4");
  });
  return attributes;
}

/** The influences of each vertex's point, as rows. */
function skinRows(
  lists: NonNullable<SceneMesh["skin"]>["influences"],
  points: Int32Array,
): StoredRows {
  const influences = lists.reduce((longest, row) => Math.max(longest, row.length), 1);
  const joints = new Int32Array(points.length * influences);
  const weights = new Float32Array(points.length * influences);
  points.forEach((point, v) => {
    lists[point].forEach(([joint, weight], slot) => {
      joints[v * influences + slot] = joint;
      weights[v * influences + slot] = weight;
    });
  });
  return { influences, joints, weights };
}
