import { takeRows } from "../../math/arrays.ts";
import { identityMat4, inverseOf } from "../../math/mat4.ts";
import {
  addAccessor,
  addSkin,
  addView,
  draftGltf,
  type GltfDraft,
  INDEX_TARGET,
  VERTEX_TARGET,
} from "../gltf/gltf-builder.ts";
import {
  addChild,
  addEntry,
  entry,
  type GltfAnimation,
  type GltfMesh,
  type GltfPrimitive,
} from "../gltf/gltf-json.ts";
import type { GltfSource } from "../gltf/gltf-source.ts";
import { decomposeNode, nodeTree } from "../gltf/node-tree.ts";
import { type StoredRows, weightSets } from "../gltf/write-part-weights.ts";
import { badExport } from "../losses.ts";
import { bakeBindPose } from "./bake-bind-pose.ts";
import { pictureType } from "./images.ts";
import type {
  Scene,
  SceneAnimation,
  SceneCamera,
  SceneLight,
  SceneMaterial,
  SceneMesh,
  SceneNode,
  SceneTexture,
} from "./scene.ts";
import { type SplitPart, splitCorners } from "./split-corners.ts";

/**
 * Turns a scene into a glTF in memory, as if it had been read from a GLB. Skinned meshes are stored in
 * their bind pose, in the world's units and axes.
 */
export function sceneToGltf(name: string, scene: Scene): BuiltScene {
  const outline = outlineOf(name, scene);
  const isSkinned = outline.json.nodes!.some((node) => node.skin !== undefined);
  if (!isSkinned) return build(name, scene);
  const { scene: baked, placed } = bakeBindPose(scene, outline);
  return build(name, baked, placed);
}

/** The nodes and skins of a scene as glTF, without any vertex: all that the bind pose depends on. */
function outlineOf(name: string, scene: Scene): GltfSource {
  const draft = draftGltf({ asset: { version: "2.0" } });
  addNodes(name, draft, scene);
  const shownBy = nodesByMesh(scene);
  scene.meshes.forEach(({ sizes, skin }, index) => {
    if (!skin || !sizes.some((size) => size >= 3)) return;
    for (const node of shownBy[index]) {
      const shown = entry(draft.json, "nodes", node);
      shown.mesh = index;
      shown.skin = addSkin(draft, skin.joints, skin.inverseBinds);
    }
  });
  const buffers = [draft.bytes.slice(0, draft.size)];
  return { name, json: draft.json, buffers, images: new Map(), notes: [], lost: new Map() };
}

/** By mesh: the nodes that show it. */
function nodesByMesh(scene: Scene): number[][] {
  const shownBy = scene.meshes.map((): number[] => []);
  scene.nodes.forEach(({ mesh }, node) => {
    if (mesh !== undefined) shownBy[mesh].push(node);
  });
  return shownBy;
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
  const shownBy = nodesByMesh(scene);
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

const PATHS = [
  ["translation", "VEC3", [0, 0, 0]],
  ["rotation", "VEC4", [0, 0, 0, 1]],
  ["scale", "VEC3", [1, 1, 1]],
] as const;

/**
 * Adds an animation of nodes and shapes; nothing where it moves nothing.
 *
 * @param shownBy by mesh: the nodes that show it
 */
function addAnimation(
  draft: GltfDraft,
  { name, channels, shapes = [] }: SceneAnimation,
  shownBy: number[][],
): void {
  const built: GltfAnimation = { name, channels: [], samplers: [] };
  const add = (node: number, path: string, input: number, output: number) => {
    built.samplers.push({ input, output, interpolation: "LINEAR" });
    built.channels.push({ sampler: built.samplers.length - 1, target: { node, path } });
  };
  const timesOf = (times: Float32Array) =>
    addAccessor(draft, { data: times, type: "SCALAR", bounds: true });
  for (const { node, times, matrices } of channels) {
    if (times.length === 0) continue;
    const input = timesOf(times);
    const frames = matrices.map(decomposeNode);
    for (const [path, type, still] of PATHS) {
      const values = frames.map((frame) => (frame[path] ?? still) as readonly number[]);
      if (path === "rotation") keepShortWay(values as number[][]);
      add(node, path, input, addAccessor(draft, { data: Float32Array.from(values.flat()), type }));
    }
  }
  for (const { mesh, times, weights } of shapes) {
    if (times.length === 0 || shownBy[mesh].length === 0) continue;
    const data = Float32Array.from(weights.flat());
    const [input, output] = [timesOf(times), addAccessor(draft, { data, type: "SCALAR" })];
    for (const node of shownBy[mesh]) add(node, "weights", input, output);
  }
  if (built.channels.length > 0) addEntry(draft.json, "animations", built);
}

/** Turns the sign of quaternions so that neighbors blend the short way. */
function keepShortWay(values: number[][]): void {
  for (let i = 1; i < values.length; i++) {
    const dot = values[i].reduce((sum, value, c) => sum + value * values[i - 1][c], 0);
    if (dot < 0) values[i] = values[i].map((value) => -value);
  }
}

const LIGHTS = "KHR_lights_punctual";

/** Adds the camera and the light of a node, where it has them. */
function addCamera(draft: GltfDraft, { camera, light, name }: SceneNode, node: number): void {
  const { json } = draft;
  if (camera) {
    entry(json, "nodes", node).camera = addEntry(json, "cameras", asCamera(camera, name));
  }
  if (!light) return;
  json.extensionsUsed = [LIGHTS];
  json.extensions ??= {};
  json.extensions[LIGHTS] ??= { lights: [] };
  const { lights } = json.extensions[LIGHTS] as { lights: unknown[] };
  entry(json, "nodes", node).extensions = {
    [LIGHTS]: { light: lights.push(asLight(light, name)) - 1 },
  };
}

function asCamera({ yfov, ymag, aspect, near, far }: SceneCamera, name: string) {
  const [znear, zfar] = [near, far];
  if (yfov !== undefined) {
    return { name, type: "perspective", perspective: { yfov, aspectRatio: aspect, znear, zfar } };
  }
  const height = ymag ?? 1;
  return {
    name,
    type: "orthographic",
    orthographic: { xmag: height * aspect, ymag: height, znear, zfar },
  };
}

function asLight({ type, color, intensity, angle }: SceneLight, name: string) {
  const spot = { outerConeAngle: Math.min(Math.max(angle ?? Math.PI / 4, 1e-3), Math.PI / 2) };
  return { name, type, color, intensity, ...(type === "spot" ? { spot } : {}) };
}

const CLAMP = 33071;
const REPEAT = 10497;

/** Where pictures and textures were stored, so that materials share them. */
export interface StoredTextures {
  images: Map<Uint8Array, number>;
  textures: Map<string, number>;
}

/** Adds a material; pictures that glTF wants in one must be in one already. What is undefined is not stored. */
function addMaterial(draft: GltfDraft, material: SceneMaterial, stored: StoredTextures): void {
  const { name, color, emissive, textures = {} } = material;
  const use = (texture: SceneTexture | undefined) => addTexture(draft, texture, stored);
  const surface = {
    baseColorFactor: color,
    metallicFactor: material.metallic ?? 0,
    roughnessFactor: material.roughness ?? 0.9,
    baseColorTexture: use(textures.color),
    metallicRoughnessTexture: use(textures.metallicRoughness),
  };
  const isClear = color[3] < 1 || textures.opacity !== undefined;
  draft.json.materials ??= [];
  draft.json.materials.push({
    name,
    pbrMetallicRoughness: surface,
    normalTexture: use(textures.normal),
    occlusionTexture: use(textures.occlusion),
    emissiveTexture: use(textures.emissive),
    emissiveFactor: emissive?.some((value) => value > 0) ? emissive : undefined,
    doubleSided: material.isDoubleSided ?? true,
    alphaMode: isClear ? "BLEND" : undefined,
  });
}

function addTexture(
  draft: GltfDraft,
  texture: SceneTexture | undefined,
  stored: StoredTextures,
): { index: number; texCoord: number | undefined } | undefined {
  if (!texture) return undefined;
  const { json } = draft;
  const { picture, name, uvSet = 0, clamps = [false, false] } = texture;
  let source = stored.images.get(picture);
  if (source === undefined) {
    const mimeType = pictureType(picture) ?? "image/png";
    json.images ??= [];
    source = json.images.push({ bufferView: addView(draft, picture), mimeType, name }) - 1;
    stored.images.set(picture, source);
  }
  const key = `${source}/${clamps.join()}`;
  let index = stored.textures.get(key);
  if (index === undefined) {
    json.textures ??= [];
    const sampler = clamps.includes(true) ? addSampler(draft, clamps) : undefined;
    index = json.textures.push({ source, sampler }) - 1;
    stored.textures.set(key, index);
  }
  return { index, texCoord: uvSet > 0 ? uvSet : undefined };
}

function addSampler({ json }: GltfDraft, clamps: [boolean, boolean]): number {
  const [wrapS, wrapT] = clamps.map((clamp) => (clamp ? CLAMP : REPEAT));
  json.samplers ??= [];
  return json.samplers.push({ wrapS, wrapT }) - 1;
}
