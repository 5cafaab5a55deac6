import type { Steps } from "../../event-loop.ts";
import { takeRows } from "../../math/arrays.ts";
import { identityMat4, inverseOf } from "../../math/mat4.ts";
import {
  addAccessor,
  addSkin,
  addView,
  createGltfBuilder,
  type GltfBuilder,
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
import { weightSets } from "../gltf/write-part-weights.ts";
import { badExport } from "../losses.ts";
import { MAX_ROW } from "../rows.ts";
import { bakeSteps } from "./bake-bind-pose.ts";
import { imageType } from "./images.ts";
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
import { type SplitPart, splitSteps } from "./split-corners.ts";

/** Converts a scene to a glTF in memory, in steps; skinned meshes are stored in their bind pose, in world space. */
export function* gltfSteps(name: string, scene: Scene): Steps<BuiltScene> {
  const outline = outlineOf(name, scene);
  const isSkinned = outline.json.nodes!.some((node) => node.skin !== undefined);
  if (!isSkinned) return yield* buildSteps(name, scene);
  yield;
  const { scene: baked, placed } = yield* bakeSteps(scene, outline);
  return yield* buildSteps(name, baked, placed);
}

/** The nodes and skins of a scene as glTF, without any vertex: all that the bind pose depends on. */
function outlineOf(name: string, scene: Scene): GltfSource {
  const builder = createGltfBuilder({ asset: { version: "2.0" } });
  addNodes(name, builder, scene);
  const shownBy = nodesByMesh(scene);
  scene.meshes.forEach(({ sizes, skin }, index) => {
    if (!skin || !sizes.some((size) => size >= 3)) return;
    for (const node of shownBy[index]) {
      const shown = entry(builder.json, "nodes", node);
      shown.mesh = index;
      shown.skin = addSkin(builder, skin.joints, skin.inverseBinds);
    }
  });
  const buffers = [builder.bytes.slice(0, builder.size)];
  return { name, json: builder.json, buffers, images: new Map(), notes: [], losses: new Map() };
}

/** By mesh: the nodes that show it. */
function nodesByMesh(scene: Scene): number[][] {
  const shownBy = scene.meshes.map((): number[] => []);
  scene.nodes.forEach(({ mesh }, node) => {
    if (mesh !== undefined) shownBy[mesh].push(node);
  });
  return shownBy;
}

/** A glTF made from a scene, and the origins of its meshes. */
export interface BuiltScene extends GltfSource {
  /** By glTF mesh: the scene's mesh. */
  origins: Map<number, number>;
}

/** @param placed by mesh: the transform applied to its points */
function* buildSteps(
  name: string,
  scene: Scene,
  placed?: Map<number, number[]>,
): Steps<BuiltScene> {
  const origins: BuiltScene["origins"] = new Map();
  const points: NonNullable<GltfSource["points"]> = new Map();
  const builder = createGltfBuilder({ asset: { version: "2.0", generator: "heterskin" } });
  const { json } = builder;
  addNodes(name, builder, scene);
  const stored: StoredTextures = { images: new Map(), textures: new Map() };
  for (const material of scene.materials) addMaterial(builder, material, stored);
  const shownBy = nodesByMesh(scene);
  for (const [index, mesh] of scene.meshes.entries()) {
    const split = yield* splitSteps(mesh);
    yield;
    const built = addMesh(builder, mesh, split);
    yield;
    if (built === undefined) continue;
    origins.set(built, index);
    points.set(built, {
      count: mesh.points.length / 3,
      of: split.map((part) => part.points),
      placed: placed?.get(index) ?? identityMat4(),
    });
    for (const node of shownBy[index]) {
      entry(json, "nodes", node).mesh = built;
      if (mesh.skin)
        entry(json, "nodes", node).skin = addSkin(
          builder,
          mesh.skin.joints,
          mesh.skin.inverseBinds,
        );
    }
  }
  if (scene.looseJoints?.length) {
    const { worlds } = nodeTree(json);
    const still = scene.looseJoints.map((node) => inverseOf(worlds[node]));
    addSkin(builder, scene.looseJoints, still);
  }
  for (const animation of scene.animations) addAnimation(builder, animation, shownBy);
  const bytes = builder.bytes.slice(0, builder.size);
  if (bytes.length > 0) json.buffers = [{ byteLength: bytes.length }];
  return {
    name,
    json,
    buffers: bytes.length > 0 ? [bytes] : [],
    images: new Map(),
    notes: scene.notes ?? [],
    losses: scene.losses ?? new Map(),
    points,
    origins,
  };
}

function addNodes(file: string, builder: GltfBuilder, scene: Scene): void {
  const { json } = builder;
  const animated = new Set(scene.animations.flatMap((a) => a.channels.map((c) => c.node)));
  json.nodes = scene.nodes.map((node, index) => {
    if (!node.matrix.every(Number.isFinite)) {
      throw badExport(file, `the transform of node "${node.name}" is not finite`);
    }
    const parts = decomposeNode(node.matrix);
    // An animated node must not have a matrix; its first frame corrects the rounding.
    if (parts.matrix && animated.has(index)) delete parts.matrix;
    return { name: node.name, ...parts };
  });
  const roots: number[] = [];
  scene.nodes.forEach((node, index) => {
    addCamera(builder, node, index);
    if (node.parent < 0) roots.push(index);
    else addChild(json, node.parent, index);
  });
  json.scene = 0;
  json.scenes = [{ nodes: roots }];
}

/** Adds a mesh, one primitive per material, each with its own vertices; undefined if it has no faces. */
function addMesh(builder: GltfBuilder, mesh: SceneMesh, split: SplitPart[]): number | undefined {
  if (split.length === 0) return undefined;
  const primitives = split.map((part) => addPart(builder, mesh, part));
  const built: GltfMesh = { name: mesh.name, primitives };
  if (mesh.shapes?.length) {
    built.extras = { targetNames: mesh.shapes.map((shape) => shape.name) };
    if (mesh.shapes.some(({ weight }) => weight)) {
      built.weights = mesh.shapes.map(({ weight = 0 }) => weight);
    }
  }
  return addEntry(builder.json, "meshes", built);
}

function addPart(builder: GltfBuilder, mesh: SceneMesh, part: SplitPart): GltfPrimitive {
  const material = mesh.materials[part.slot];
  const primitive: GltfPrimitive = {
    attributes: addAttributes(builder, mesh, part),
    indices: addAccessor(builder, { data: part.triangles, type: "SCALAR", target: INDEX_TARGET }),
    ...(material === undefined ? {} : { material }),
  };
  if (mesh.shapes?.length) {
    primitive.targets = mesh.shapes.map(({ deltas }) => ({
      POSITION: addPositions(builder, takeRows(deltas, part.points, 3)),
    }));
  }
  return primitive;
}

function addPositions(builder: GltfBuilder, data: Float32Array): number {
  return addAccessor(builder, { data, type: "VEC3", target: VERTEX_TARGET, bounds: true });
}

function addAttributes(builder: GltfBuilder, mesh: SceneMesh, part: SplitPart) {
  const vertex = (data: Float32Array | Uint16Array | Uint8Array, type: "VEC2" | "VEC3" | "VEC4") =>
    addAccessor(builder, { data, type, target: VERTEX_TARGET });
  const attributes: Record<string, number> = {
    POSITION: addPositions(builder, takeRows(mesh.points, part.points, 3)),
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

/** Returns the influences of each vertex's point, as rows. */
function skinRows(lists: NonNullable<SceneMesh["skin"]>["influences"], points: Int32Array) {
  const rows = lists.map((row) => (row.length > MAX_ROW ? heaviest(row) : row));
  const influences = rows.reduce((longest, row) => Math.max(longest, row.length), 1);
  const joints = new Int32Array(points.length * influences);
  const weights = new Float32Array(points.length * influences);
  points.forEach((point, v) => {
    rows[point].forEach(([joint, weight], slot) => {
      joints[v * influences + slot] = joint;
      weights[v * influences + slot] = weight;
    });
  });
  return { influences, joints, weights };
}

/** Merges repeated joints and keeps the heaviest. */
function heaviest(row: [number, number][]): [number, number][] {
  const sums = new Map<number, number>();
  for (const [joint, weight] of row) sums.set(joint, (sums.get(joint) ?? 0) + weight);
  return [...sums].sort((a, b) => b[1] - a[1]).slice(0, MAX_ROW);
}

const PATHS = [
  ["translation", "VEC3", [0, 0, 0]],
  ["rotation", "VEC4", [0, 0, 0, 1]],
  ["scale", "VEC3", [1, 1, 1]],
] as const;

/**
 * Adds an animation of nodes and shapes, unless it is empty.
 *
 * @param shownBy by mesh: the nodes that show it
 */
function addAnimation(
  builder: GltfBuilder,
  { name, channels, shapes = [] }: SceneAnimation,
  shownBy: number[][],
): void {
  const built: GltfAnimation = { name, channels: [], samplers: [] };
  const add = (node: number, path: string, input: number, output: number) => {
    built.samplers.push({ input, output, interpolation: "LINEAR" });
    built.channels.push({ sampler: built.samplers.length - 1, target: { node, path } });
  };
  const timesOf = (times: Float32Array) =>
    addAccessor(builder, { data: times, type: "SCALAR", bounds: true });
  for (const { node, times, matrices } of channels) {
    if (times.length === 0) continue;
    const input = timesOf(times);
    const frames = matrices.map(decomposeNode);
    for (const [path, type, still] of PATHS) {
      const values = frames.map((frame) => (frame[path] ?? still) as readonly number[]);
      if (path === "rotation") alignSigns(values as number[][]);
      add(
        node,
        path,
        input,
        addAccessor(builder, { data: Float32Array.from(values.flat()), type }),
      );
    }
  }
  for (const { mesh, times, weights } of shapes) {
    if (times.length === 0 || shownBy[mesh].length === 0) continue;
    const data = Float32Array.from(weights.flat());
    const [input, output] = [timesOf(times), addAccessor(builder, { data, type: "SCALAR" })];
    for (const node of shownBy[mesh]) add(node, "weights", input, output);
  }
  if (built.channels.length > 0) addEntry(builder.json, "animations", built);
}

/** Flips the signs of quaternions so that neighbors interpolate along the shorter arc. */
function alignSigns(values: number[][]): void {
  for (let i = 1; i < values.length; i++) {
    const dot = values[i].reduce((sum, value, c) => sum + value * values[i - 1][c], 0);
    if (dot < 0) values[i] = values[i].map((value) => -value);
  }
}

const LIGHTS = "KHR_lights_punctual";

function addCamera(builder: GltfBuilder, { camera, light, name }: SceneNode, node: number): void {
  const { json } = builder;
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

/** Images and textures stored so far, shared by materials. */
export interface StoredTextures {
  images: Map<Uint8Array, number>;
  textures: Map<string, number>;
}

/** Adds a material whose textures have been combined by `combineTextures`. */
function addMaterial(builder: GltfBuilder, material: SceneMaterial, stored: StoredTextures): void {
  const { name, color, emissive, textures = {} } = material;
  const use = (texture: SceneTexture | undefined) => addTexture(builder, texture, stored);
  const surface = {
    baseColorFactor: color,
    metallicFactor: material.metallic ?? 0,
    roughnessFactor: material.roughness ?? 0.9,
    baseColorTexture: use(textures.color),
    metallicRoughnessTexture: use(textures.metallicRoughness),
  };
  const isClear = color[3] < 1 || textures.opacity !== undefined;
  builder.json.materials ??= [];
  builder.json.materials.push({
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
  builder: GltfBuilder,
  texture: SceneTexture | undefined,
  stored: StoredTextures,
): { index: number; texCoord: number | undefined } | undefined {
  if (!texture) return undefined;
  const { json } = builder;
  const { picture, name, uvSet = 0, clamps = [false, false] } = texture;
  let source = stored.images.get(picture);
  if (source === undefined) {
    const mimeType = imageType(picture) ?? "image/png";
    json.images ??= [];
    source = json.images.push({ bufferView: addView(builder, picture), mimeType, name }) - 1;
    stored.images.set(picture, source);
  }
  const key = `${source}/${clamps.join()}`;
  let index = stored.textures.get(key);
  if (index === undefined) {
    json.textures ??= [];
    const sampler = clamps.includes(true) ? addSampler(builder, clamps) : undefined;
    index = json.textures.push({ source, sampler }) - 1;
    stored.textures.set(key, index);
  }
  return { index, texCoord: uvSet > 0 ? uvSet : undefined };
}

function addSampler({ json }: GltfBuilder, clamps: [boolean, boolean]): number {
  const [wrapS, wrapT] = clamps.map((clamp) => (clamp ? CLAMP : REPEAT));
  json.samplers ??= [];
  return json.samplers.push({ wrapS, wrapT }) - 1;
}
