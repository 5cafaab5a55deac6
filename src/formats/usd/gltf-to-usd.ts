import { zipSync } from "fflate";
import { inverseOf, product, transformDirection, transformPoint } from "../../math/mat4.ts";
import { parentsFirst } from "../../skeleton/skeleton.ts";
import { readRow } from "../../weights/skin-weights.ts";
import { type Budget, createBudget, spend } from "../budget.ts";
import type { RiggedGltf } from "../fbx/gltf-to-fbx.ts";
import { joinSurface, type NewSurface } from "../fbx/new-surface.ts";
import {
  type AnyChannel,
  clipName,
  clipPose,
  partsOf,
  readChannels,
  readClips,
  sampleChannel,
} from "../gltf/clips.ts";
import { entry, targetNames } from "../gltf/gltf-json.ts";
import { chargeMesh } from "../gltf/gltf-source.ts";
import { decomposeNode, type NodeTree, nodeTree } from "../gltf/node-tree.ts";
import { type MeshPart, partsByNode } from "../gltf/read-parts.ts";
import { type UsdMaterials, usdMaterials, uvName } from "./usd-material.ts";
import {
  described,
  identifiers,
  prim,
  sampled,
  type UsdPrim,
  usdLayer,
  usdList,
  usdMatrix,
  usdNumber,
  usdTokens,
} from "./usd-text.ts";

/** A USD layer as text, and the images it refers to, by path. */
export interface UsdFile {
  text: string;
  images: Map<string, Uint8Array>;
}

/** Frames per second: time codes of a layer are frames. */
const RATE = 30;

/** A spline between two keys has a sample per frame, at most this many. */
const MAX_PARTS = 64;

/** Bytes of text of a number, and work for a node at a time, as bytes. */
const DIGITS = 16;
const NODE_WORK = 64;

/** Metadata of attributes: a value for each vertex, or one for all. */
const BY_VERTEX = 'interpolation = "vertex"';
const RIGID = ["elementSize = 1", 'interpolation = "constant"'];

/** A step is written as two samples this far apart, in seconds. */
const STEP = 1e-3;

/**
 * Writes a glTF as a USD layer: a SkelRoot with one Skeleton, meshes in the bind pose, blend shapes, materials
 * as UsdPreviewSurface, and each animation as a SkelAnimation, the first of which is bound.
 *
 * y up, in meters. A mesh without weights below a joint follows that joint; other meshes stand still.
 *
 * @param isAlone whether images lie next to the layer, in a folder that no other layer uses
 */
export function gltfToUsd(rigged: RiggedGltf, name: string, isAlone: boolean): UsdFile {
  const { source } = rigged;
  const identifier = identifiers();
  const root = identifier(name);
  const joints = parentsFirst(rigged.rig.skeleton);
  const writer: Writer = {
    ...rigged,
    root: `/${root}`,
    budget: createBudget(source.name, source.budget?.total),
    shown: new Set(),
    tree: nodeTree(source.json),
    joints,
    indexOf: new Int32Array(joints.length),
    jointOfNode: new Map(Array.from(rigged.nodes, (node, joint) => [node, joint])),
    materials: usdMaterials(
      source,
      `/${root}/Materials`,
      isAlone ? `${root}_textures` : "textures",
    ),
    identifier: identifiers(),
    shapeName: identifiers(),
    shapes: [],
  };
  joints.forEach((joint, index) => {
    writer.indexOf[joint] = index;
  });
  for (const taken of ["Skeleton", "Materials"]) writer.identifier(taken);
  const partsOfNode = partsByNode(rigged.parts);
  const meshes = [...writer.tree.order].flatMap((node) => meshPrims(writer, node, partsOfNode));
  const animations = animationPrims(writer);
  const [first] = animations;
  const skeleton = skeletonPrim(writer, animations);
  const { prims, images } = writer.materials;
  const scope = prims.length > 0 ? [prim("Scope", "Materials", [], prims)] : [];
  const metadata = [
    `defaultPrim = "${root}"`,
    'upAxis = "Y"',
    "metersPerUnit = 1",
    `timeCodesPerSecond = ${RATE}`,
    ...(first ? ["startTimeCode = 0", `endTimeCode = ${usdNumber(first.end * RATE)}`] : []),
  ];
  const text = usdLayer(metadata, prim("SkelRoot", root, [], [skeleton, ...scope, ...meshes]));
  return { text, images };
}

/** Packs a USD layer and its images as USDZ: a ZIP without compression, each file at a multiple of 64 bytes. */
export function packUsdz({ text, images }: UsdFile): Uint8Array {
  const files = [["model.usda", new TextEncoder().encode(text)] as const, ...images];
  const entries: Parameters<typeof zipSync>[0] = {};
  let offset = 0;
  for (const [name, bytes] of files) {
    // A local header has 30 bytes and the name; an extra field four and its content.
    const start = offset + 30 + name.length + 4;
    const padding = (64 - (start % 64)) % 64;
    entries[name] = [bytes, { extra: { 6534: new Uint8Array(padding) }, mtime: "1980-01-01" }];
    offset = start + padding + bytes.length;
  }
  return zipSync(entries, { level: 0 });
}

interface Writer extends RiggedGltf {
  root: string;
  budget: Budget;
  shown: Set<number>;
  tree: NodeTree;
  /** J, the joints in the order of the file, parents first, and the index of each joint there. */
  joints: Int32Array | number[];
  indexOf: Int32Array;
  jointOfNode: Map<number, number>;
  materials: UsdMaterials;
  identifier: (name: string) => string;
  shapeName: (name: string) => string;
  /** All blend shapes: their token, the node and the index there, and the weight at rest. */
  shapes: { token: string; node: number; index: number; weight: number }[];
}

function skeletonPrim(writer: Writer, animations: { prim: UsdPrim; name: string }[]): UsdPrim {
  const { rig, joints, nodes, tree, root } = writer;
  const { names, parents } = rig.skeleton;
  const paths: string[] = [];
  const unique = identifiers();
  for (const joint of joints) {
    const above = parents[joint] < 0 ? "" : `${paths[parents[joint]]}/`;
    paths[joint] = `${above}${unique(names[joint])}`;
    // A chain of joints takes space quadratic in its length, once per animation.
    spend(writer.budget, 4 * paths[joint].length * (1 + animations.length));
  }
  const world = (joint: number) => tree.worlds[nodes[joint]];
  const rests = Array.from(joints, (joint) => {
    const parent = parents[joint];
    return parent < 0 ? world(joint) : product(inverseOf(world(parent)), world(joint));
  });
  const matrices = (list: ArrayLike<number>[]) => `[${list.map(usdMatrix).join(", ")}]`;
  spend(writer.budget, joints.length * 32 * DIGITS);
  const lines = [
    `uniform token[] joints = ${usdTokens(Array.from(joints, (joint) => paths[joint]))}`,
    `uniform token[] jointNames = ${usdTokens(Array.from(joints, (joint) => names[joint]))}`,
    `uniform matrix4d[] bindTransforms = ${matrices(Array.from(joints, (j) => rig.bindMatrices[j]))}`,
    `uniform matrix4d[] restTransforms = ${matrices(rests)}`,
  ];
  if (animations.length > 0) {
    lines.push(`rel skel:animationSource = <${root}/Skeleton/${animations[0].name}>`);
  }
  const jointTokens = lines[0];
  for (const { prim: each } of animations) each.lines.unshift(jointTokens);
  const below = animations.map((each) => each.prim);
  return prim("Skeleton", "Skeleton", lines, below, ["SkelBindingAPI"]);
}

/** Returns the mesh that a node shows, if any; it is in the bind pose, in the space of the character. */
function meshPrims(writer: Writer, node: number, partsOfNode: Map<number, MeshPart[]>): UsdPrim[] {
  const { source, tree, rig, nodes, jointOfNode, materials } = writer;
  const { mesh, name, weights } = entry(source.json, "nodes", node);
  if (mesh === undefined) return [];
  chargeMesh(writer, mesh);
  const surface = joinSurface(source, mesh);
  if (surface.corners.length === 0) return [];
  spend(writer.budget, surface.positions.length * 4 * DIGITS);
  const parts = partsOfNode.get(node);
  let above = node;
  while (above >= 0 && !jointOfNode.has(above)) above = tree.parents[above];
  const joint = jointOfNode.get(above);
  const place = parts
    ? parts[0].toCharacter
    : joint === undefined
      ? tree.worlds[node]
      : product(
          rig.bindMatrices[joint],
          product(inverseOf(tree.worlds[nodes[joint]]), tree.worlds[node]),
        );
  const label = writer.identifier(
    name ?? entry(source.json, "meshes", mesh).name ?? `mesh ${mesh}`,
  );
  const lines = surfaceLines(surface, place);
  if (parts) lines.push(...weightLines(writer, surface, parts));
  else if (joint !== undefined) {
    lines.push(
      described(`int[] primvars:skel:jointIndices = [${writer.indexOf[joint]}]`, ...RIGID),
      described("float[] primvars:skel:jointWeights = [1]", ...RIGID),
    );
  }
  const isSkinned = parts !== undefined || joint !== undefined;
  if (isSkinned) lines.push(`rel skel:skeleton = <${writer.root}/Skeleton>`);
  const isDoubleSided = surface.materials.some(
    (index) => (source.json.materials?.[index] as { doubleSided?: boolean })?.doubleSided,
  );
  if (isDoubleSided) lines.push("uniform bool doubleSided = 1");
  const children: UsdPrim[] = [];
  const used = surface.materials.map((index) =>
    index < 0
      ? undefined
      : `rel material:binding = <${writer.root}/Materials/${materials.nameOf(index)}>`,
  );
  if (used.length === 1) lines.push(...used.filter((line) => line !== undefined));
  else children.push(...subsets(surface, used));
  const path = `${writer.root}/${label}`;
  children.push(
    ...shapePrims(
      writer,
      { node, mesh, weights: weights as number[] | undefined, path, place, surface },
      lines,
    ),
  );
  const schemas = [...(isSkinned ? ["SkelBindingAPI"] : []), "MaterialBindingAPI"];
  return [prim("Mesh", label, lines, children, schemas)];
}

function surfaceLines(surface: NewSurface, place: number[]): string[] {
  const { positions, normals, uvSets, colors, corners } = surface;
  const points = moved(positions, (point) => transformPoint(place, point));
  const lines = [
    'uniform token subdivisionScheme = "none"',
    `int[] faceVertexCounts = ${usdList(new Uint8Array(corners.length / 3).fill(3))}`,
    `int[] faceVertexIndices = ${usdList(corners)}`,
    `point3f[] points = ${usdList(points, 3)}`,
  ];
  if (normals) {
    const back = inverseOf(place);
    const turned = moved(normals, ([x, y, z]) => {
      // By the transposed inverse, which keeps normals perpendicular.
      const n = [0, 4, 8].map((row) => back[row] * x + back[row + 1] * y + back[row + 2] * z);
      const size = Math.hypot(...n) || 1;
      return n.map((value) => value / size);
    });
    lines.push(described(`normal3f[] normals = ${usdList(turned, 3)}`, BY_VERTEX));
  }
  uvSets.forEach((uvs, set) => {
    const flipped = uvs.map((value, i) => (i % 2 === 1 ? 1 - value : value));
    lines.push(
      described(`texCoord2f[] primvars:${uvName(set)} = ${usdList(flipped, 2)}`, BY_VERTEX),
    );
  });
  const [first] = colors;
  if (first) {
    const opaque = first.filter((_, i) => i % 4 < 3);
    lines.push(described(`color3f[] primvars:displayColor = ${usdList(opaque, 3)}`, BY_VERTEX));
  }
  return lines;
}

function moved(
  values: Float32Array,
  move: (value: Float32Array) => ArrayLike<number>,
): Float32Array {
  const out = new Float32Array(values.length);
  for (let at = 0; at < values.length; at += 3) out.set(move(values.subarray(at, at + 3)), at);
  return out;
}

function weightLines(writer: Writer, surface: NewSurface, parts: MeshPart[]): string[] {
  const { weights, indexOf } = writer;
  const partOf: MeshPart[] = [];
  for (const part of parts) for (const primitive of part.primitives) partOf[primitive] ??= part;
  const count = surface.vertexOf.length;
  const rows = Array.from({ length: count }, (_, v) =>
    readRow(weights, partOf[surface.primitiveOf[v]].first + surface.vertexOf[v]),
  );
  const size = rows.reduce((max, { joints }) => Math.max(max, joints.length), 1);
  const [own, values] = [new Int32Array(count * size), new Float32Array(count * size)];
  rows.forEach((row, v) => {
    row.joints.forEach((joint, i) => {
      own[v * size + i] = indexOf[joint];
      values[v * size + i] = row.values[i];
    });
  });
  const metadata = [`elementSize = ${size}`, BY_VERTEX];
  return [
    described(`int[] primvars:skel:jointIndices = ${usdList(own)}`, ...metadata),
    described(`float[] primvars:skel:jointWeights = ${usdList(values)}`, ...metadata),
  ];
}

/** Returns the faces of each material of a mesh that has several. */
function subsets({ slots }: NewSurface, bindings: (string | undefined)[]): UsdPrim[] {
  const faces: number[][] = bindings.map(() => []);
  slots.forEach((slot, face) => {
    faces[slot].push(face);
  });
  return bindings.flatMap((binding, slot) => {
    if (binding === undefined) return [];
    const lines = [
      'uniform token elementType = "face"',
      'uniform token familyName = "materialBind"',
      `int[] indices = ${usdList(faces[slot])}`,
      binding,
    ];
    return [prim("GeomSubset", `part${slot}`, lines, [], ["MaterialBindingAPI"])];
  });
}

type JointPose = ReturnType<typeof partsOf>;

interface ShapeOwner {
  node: number;
  mesh: number;
  weights: number[] | undefined;
  path: string;
  place: number[];
  surface: NewSurface;
}

/** Returns the blend shapes of a mesh, and adds their relationships to its lines. */
function shapePrims(
  { source, shapes, shapeName }: Writer,
  { node, mesh, weights, path, place, surface }: ShapeOwner,
  lines: string[],
): UsdPrim[] {
  const holder = entry(source.json, "meshes", mesh);
  const names = targetNames(holder);
  const rest = (weights ?? holder.weights ?? []) as number[];
  const tokens: string[] = [];
  const prims = surface.shapes.map((deltas, index) => {
    const token = shapeName(names[index] ?? `shape ${index + 1}`);
    tokens.push(token);
    shapes.push({ token, node, index, weight: rest[index] ?? 0 });
    const points = Array.from(surface.vertexOf.keys()).filter((v) =>
      deltas.subarray(v * 3, v * 3 + 3).some((value) => value !== 0),
    );
    const offsets = points.flatMap((v) => [
      ...transformDirection(place, deltas.subarray(v * 3, v * 3 + 3)),
    ]);
    return prim("BlendShape", token, [
      `uniform vector3f[] offsets = ${usdList(offsets, 3)}`,
      `uniform int[] pointIndices = ${usdList(points)}`,
    ]);
  });
  if (tokens.length > 0) {
    const targets = tokens.map((token) => `<${path}/${token}>`).join(", ");
    lines.push(`uniform token[] skel:blendShapes = ${usdTokens(tokens)}`);
    lines.push(`rel skel:blendShapeTargets = [${targets}]`);
  }
  return prims;
}

/** Returns each animation of the file; without one, the weights of blend shapes at rest. */
function animationPrims(writer: Writer): { prim: UsdPrim; name: string; end: number }[] {
  const { source, rig, nodes, shapes, budget, joints } = writer;
  const identifier = identifiers();
  const set = readClips({ source, rig: { ...rig, nodes } });
  const animations = (source.json.animations ?? []).flatMap((animation, index) => {
    const channels = readChannels(source, animation);
    return channels.length > 0 ? [{ name: clipName(animation, index), channels }] : [];
  });
  if (animations.length === 0 && shapes.some(({ weight }) => weight !== 0)) {
    animations.push({ name: "rest", channels: [] });
  }
  return animations.map(({ name, channels }) => {
    const times = sampleTimes(channels);
    spend(budget, times.length * (joints.length * 10 + shapes.length) * DIGITS);
    spend(budget, times.length * set.locals.length * NODE_WORK);
    const clip = {
      name,
      duration: times[times.length - 1],
      channels: channels.filter(
        (channel) => channel.path !== "weights",
      ) as (typeof set.clips)[number]["channels"],
    };
    const poses = times.map((time) => localPoses(writer, clipPose(set, clip, time)));
    const codes = times.map((time) => time * RATE);
    const samples = (attribute: string, size: number, numbersOf: (pose: JointPose) => number[]) =>
      sampled(
        attribute,
        codes,
        poses.map((pose) => usdList(pose.flatMap(numbersOf), size)),
      );
    const lines = [
      samples("float3[] translations", 3, ({ translation }) => translation),
      // Real part first.
      samples("quatf[] rotations", 4, ({ rotation: [x, y, z, w] }) => [w, x, y, z]),
      samples("half3[] scales", 3, ({ scale }) => scale),
    ];
    if (shapes.length > 0) {
      const weights = times.map((time) => usdList(shapeWeights(writer, channels, time)));
      lines.push(`uniform token[] blendShapes = ${usdTokens(shapes.map(({ token }) => token))}`);
      lines.push(sampled("float[] blendShapeWeights", codes, weights));
    }
    const label = identifier(name);
    return { prim: prim("SkelAnimation", label, lines), name: label, end: clip.duration };
  });
}

/** Times of all keys; splines are sampled between them, and steps have a sample just before them. */
function sampleTimes(channels: AnyChannel[]): number[] {
  const times = new Set<number>([0]);
  for (const { times: own, interpolation } of channels) {
    for (const [key, time] of own.entries()) {
      times.add(time);
      if (interpolation === "STEP" && key > 0) times.add(Math.max(own[key - 1], time - STEP));
    }
    if (interpolation !== "CUBICSPLINE") continue;
    for (let key = 1; key < own.length; key++) {
      const [from, span] = [own[key - 1], own[key] - own[key - 1]];
      const parts = Math.min(Math.ceil(span * RATE), MAX_PARTS);
      for (let part = 1; part < parts; part++) times.add(from + (span * part) / parts);
    }
  }
  return [...times].filter((time) => time >= 0).sort((a, b) => a - b);
}

/** Returns the pose of each joint below its parent, in the order of the file. */
function localPoses({ rig, joints }: Writer, matrices: Float32Array): JointPose[] {
  const worlds = rig.bindMatrices.map((bind, joint) =>
    product(matrices.subarray(joint * 16, joint * 16 + 16), bind),
  );
  return Array.from(joints, (joint) => {
    const parent = rig.skeleton.parents[joint];
    const local = parent < 0 ? worlds[joint] : product(inverseOf(worlds[parent]), worlds[joint]);
    return partsOf(decomposeNode(local));
  });
}

function shapeWeights({ shapes }: Writer, channels: AnyChannel[], time: number): number[] {
  const byNode = new Map<number, number[]>();
  for (const channel of channels) {
    if (channel.path === "weights") byNode.set(channel.node, sampleChannel(channel, time));
  }
  return shapes.map(({ node, index, weight }) => byNode.get(node)?.[index] ?? weight);
}
