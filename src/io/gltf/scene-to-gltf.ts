import { identityMat4, invertMat4 } from "../../math/mat4.ts";
import { takeRows } from "../../math/take-rows.ts";
import type { Scene, SceneAnimation, SceneMaterial, SceneMesh } from "../scene.ts";
import { type SplitMesh, splitCorners } from "../split-corners.ts";
import { bakeBindPose } from "./bake-bind-pose.ts";
import { decomposeNode } from "./decompose-node.ts";
import { addAccessor, addView, draftGltf, type GltfDraft, VERTEX_TARGET } from "./gltf-draft.ts";
import { entry, type GltfMesh, type GltfPrimitive } from "./gltf-json.ts";
import type { GltfSource } from "./gltf-source.ts";
import { nodeTree } from "./node-tree.ts";
import { type StoredRows, weightSets } from "./weight-sets.ts";

const INDEX_TARGET = 34963;

/**
 * Turns a scene into a glTF in memory, as if it had been read from a GLB. Skinned meshes are stored in
 * their bind pose, in the world's units and axes.
 */
export function sceneToGltf(name: string, scene: Scene): BuiltScene {
  const built = build(name, scene);
  const isSkinned = built.json.nodes!.some((node) => node.skin !== undefined);
  return isSkinned ? build(name, bakeBindPose(scene, built)) : built;
}

/** A glTF made from a scene, and which mesh of it is which of the scene's. */
export interface BuiltScene extends GltfSource {
  /** By glTF mesh: the scene's mesh, and the point behind each vertex. */
  origins: Map<number, { mesh: number; points: Int32Array }>;
}

function build(name: string, scene: Scene): BuiltScene {
  const origins: BuiltScene["origins"] = new Map();
  const draft = draftGltf({ asset: { version: "2.0", generator: "heterskin" } });
  const { json } = draft;
  addNodes(draft, scene);
  for (const material of scene.materials) addMaterial(draft, material);
  const shownBy = scene.meshes.map((): number[] => []);
  scene.nodes.forEach(({ mesh }, node) => {
    if (mesh !== undefined) shownBy[mesh].push(node);
  });
  scene.meshes.forEach((mesh, index) => {
    const split = splitCorners(mesh);
    const built = addMesh(draft, mesh, split);
    if (built !== undefined) origins.set(built, { mesh: index, points: split.points });
    for (const node of shownBy[index]) {
      if (built === undefined) continue;
      entry(json, "nodes", node).mesh = built;
      if (mesh.skin)
        entry(json, "nodes", node).skin = addSkin(draft, mesh.skin.joints, mesh.skin.inverseBinds);
    }
  });
  if (scene.looseJoints?.length) {
    const { worlds } = nodeTree(json);
    const still = scene.looseJoints.map(
      (node) => invertMat4(identityMat4(), worlds[node]) ?? identityMat4(),
    );
    addSkin(draft, scene.looseJoints, still);
  }
  for (const animation of scene.animations) addAnimation(draft, animation);
  const bytes = draft.bytes.slice(0, draft.size);
  if (bytes.length > 0) json.buffers = [{ byteLength: bytes.length }];
  return {
    name,
    json,
    buffers: bytes.length > 0 ? [bytes] : [],
    images: new Map(),
    notes: scene.notes ?? [],
    origins,
  };
}

function addNodes({ json }: GltfDraft, scene: Scene): void {
  const animated = new Set(scene.animations.flatMap((a) => a.channels.map((c) => c.node)));
  json.nodes = scene.nodes.map((node, index) => {
    const parts = decomposeNode(node.matrix);
    // An animated node must not state a matrix; its first frame will correct the rounding.
    if (parts.matrix && animated.has(index)) delete parts.matrix;
    return { name: node.name, ...parts };
  });
  const roots: number[] = [];
  scene.nodes.forEach((node, index) => {
    if (node.parent < 0) roots.push(index);
    else {
      const parent = entry(json, "nodes", node.parent);
      parent.children ??= [];
      parent.children.push(index);
    }
  });
  json.scene = 0;
  json.scenes = [{ nodes: roots }];
}

function addMaterial(draft: GltfDraft, { name, color, texture }: SceneMaterial): void {
  const { json } = draft;
  const surface: Record<string, unknown> = {
    baseColorFactor: color,
    metallicFactor: 0,
    roughnessFactor: 0.9,
  };
  if (texture) {
    json.images ??= [];
    json.textures ??= [];
    const mimeType = texture[0] === 0x89 ? "image/png" : "image/jpeg";
    const source = json.images.push({ bufferView: addView(draft, texture), mimeType, name }) - 1;
    surface.baseColorTexture = { index: json.textures.push({ source }) - 1 };
  }
  json.materials ??= [];
  json.materials.push({
    name,
    pbrMetallicRoughness: surface,
    doubleSided: true,
    ...(color[3] < 1 ? { alphaMode: "BLEND" } : {}),
  });
}

/** Adds a mesh, one primitive per material over one set of vertices; undefined where it has no face. */
function addMesh(draft: GltfDraft, mesh: SceneMesh, split: SplitMesh): number | undefined {
  if (split.points.length === 0) return undefined;
  const attributes = addAttributes(draft, mesh, split);
  const primitives: GltfPrimitive[] = [];
  for (const [slot, indices] of split.triangles) {
    const material = mesh.materials[slot];
    primitives.push({
      attributes: { ...attributes },
      indices: addAccessor(draft, { data: indices, type: "SCALAR", target: INDEX_TARGET }),
      ...(material === undefined ? {} : { material }),
    });
  }
  const built: GltfMesh = { name: mesh.name, primitives };
  if (mesh.shapes?.length) {
    const targets = mesh.shapes.map(({ deltas }) => ({
      POSITION: addAccessor(draft, {
        data: takeRows(deltas, split.points, 3),
        type: "VEC3",
        target: VERTEX_TARGET,
        bounds: true,
      }),
    }));
    for (const primitive of primitives)
      primitive.targets = targets.map((target) => ({ ...target }));
    built.extras = { targetNames: mesh.shapes.map((shape) => shape.name) };
  }
  draft.json.meshes ??= [];
  return draft.json.meshes.push(built) - 1;
}

function addAttributes(
  draft: GltfDraft,
  mesh: SceneMesh,
  split: SplitMesh,
): Record<string, number> {
  const vertex = (data: Float32Array | Uint16Array | Uint8Array, type: "VEC2" | "VEC3" | "VEC4") =>
    addAccessor(draft, { data, type, target: VERTEX_TARGET });
  const attributes: Record<string, number> = {
    POSITION: addAccessor(draft, {
      data: takeRows(mesh.points, split.points, 3),
      type: "VEC3",
      target: VERTEX_TARGET,
      bounds: true,
    }),
  };
  if (split.normals) attributes.NORMAL = vertex(split.normals, "VEC3");
  if (split.uvs) attributes.TEXCOORD_0 = vertex(split.uvs, "VEC2");
  if (!mesh.skin) return attributes;
  const rows = skinRows(mesh.skin.influences, split.points);
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

function addSkin(draft: GltfDraft, joints: number[], inverseBinds: number[][]): number {
  draft.json.skins ??= [];
  const inverses = inverseBinds.map((m) => {
    // Rounding must not leave a last row that is not 0 0 0 1.
    const row = m.slice();
    [row[3], row[7], row[11], row[15]] = [0, 0, 0, 1];
    return row;
  });
  const data = Float32Array.from(inverses.flat());
  return (
    draft.json.skins.push({
      joints,
      inverseBindMatrices: addAccessor(draft, { data, type: "MAT4" }),
    }) - 1
  );
}

const PATHS = [
  ["translation", "VEC3", [0, 0, 0]],
  ["rotation", "VEC4", [0, 0, 0, 1]],
  ["scale", "VEC3", [1, 1, 1]],
] as const;

function addAnimation(draft: GltfDraft, { name, channels }: SceneAnimation): void {
  const built = { name, channels: [] as unknown[], samplers: [] as unknown[] };
  for (const { node, times, matrices } of channels) {
    if (times.length === 0) continue;
    const input = addAccessor(draft, { data: times, type: "SCALAR", bounds: true });
    const frames = matrices.map(decomposeNode);
    for (const [path, type, still] of PATHS) {
      const values = frames.map((frame) => (frame[path] ?? still) as readonly number[]);
      if (path === "rotation") keepShortWay(values as number[][]);
      const output = addAccessor(draft, { data: Float32Array.from(values.flat()), type });
      built.samplers.push({ input, output, interpolation: "LINEAR" });
      built.channels.push({ sampler: built.samplers.length - 1, target: { node, path } });
    }
  }
  if (built.channels.length === 0) return;
  draft.json.animations ??= [];
  draft.json.animations.push(built as never);
}

/** Turns the sign of quaternions so that neighbours blend the short way. */
function keepShortWay(values: number[][]): void {
  for (let i = 1; i < values.length; i++) {
    const dot = values[i].reduce((sum, value, c) => sum + value * values[i - 1][c], 0);
    if (dot < 0) values[i] = values[i].map((value) => -value);
  }
}
