import { affine, identityMat4, inverseOf, product } from "../../math/mat4.ts";
import { parentsFirst } from "../../skeleton/skeleton.ts";
import type { SkinWeights } from "../../weights/skin-weights.ts";
import type { CharacterFile } from "../character-file.ts";
import { localJoints, partRows, usedJoints } from "../rows.ts";
import { readFloats } from "./accessors.ts";
import type { Rig } from "./bind-space.ts";
import { addAccessor, addSkin, type GltfBuilder } from "./gltf-builder.ts";
import { addChild, addEntry, entry, type GltfJson, type GltfNode } from "./gltf-json.ts";
import { decomposeNode, parentsOf, topOf } from "./node-tree.ts";
import type { MeshPart } from "./read-parts.ts";

/**
 * Ensures that each part has a skin with every joint of its weights: skins of the file are kept and extended
 * by missing joints; parts without one, or with a rig from another file, get new ones.
 *
 * @returns J, the node of each joint, and by part the index in its skin of each joint, -1 if the skin lacks it
 */
export function placeSkins(
  builder: GltfBuilder,
  file: CharacterFile,
  parts: MeshPart[],
  weights: SkinWeights,
): { nodes: Int32Array; indices: Map<MeshPart, Int32Array> } {
  const { json } = builder;
  const isForeign = file.rig.nodes.every((node) => node < 0);
  const nodes = isForeign ? addJoints(json, file.rig) : addMissing(json, file.rig);
  const rig = isForeign ? file.rig : { ...file.rig, nodes };
  const indices = new Map<MeshPart, Int32Array>();
  const added = new Map<string, number>();
  for (const part of parts) {
    let skin = part.skin;
    if (isForeign || skin < 0) {
      const key = part.toCharacter.map((value) => value.toPrecision(7)).join();
      skin = added.get(key) ?? newSkin(builder, rig, Array.from(nodes), part.toCharacter);
      added.set(key, skin);
    } else {
      lengthenSkin(builder, { ...file, rig }, part, usedJoints(partRows(weights, part)));
    }
    for (const node of part.nodes) entry(json, "nodes", node).skin = skin;
    const indexOf = new Map(entry(json, "skins", skin).joints.map((node, index) => [node, index]));
    indices.set(
      part,
      Int32Array.from(nodes, (node) => indexOf.get(node) ?? -1),
    );
  }
  return { nodes, indices };
}

/** Adds the joints of a rig as nodes below one root and returns their indices. */
function addJoints(json: GltfJson, rig: Rig): Int32Array {
  const { names, parents } = rig.skeleton;
  const nodes = new Int32Array(names.length);
  const roots: number[] = [];
  const locals = localJoints(parents, rig.bindMatrices);
  for (const joint of parentsFirst(rig.skeleton)) {
    const parent = parents[joint];
    nodes[joint] = addEntry(json, "nodes", { name: names[joint], ...decomposeNode(locals[joint]) });
    if (parent < 0) roots.push(nodes[joint]);
    else addChild(json, nodes[parent], nodes[joint]);
  }
  // Joints of a skin must have a common ancestor.
  const top =
    roots.length === 1 ? roots[0] : addEntry(json, "nodes", { name: "Armature", children: roots });
  json.scenes ??= [];
  json.scenes[json.scene ?? 0] ??= {};
  const scene = json.scenes[json.scene ?? 0];
  scene.nodes = [...(scene.nodes ?? []), top];
  return nodes;
}

/** Adds the joints that have no node yet, below the nodes of their parents. */
function addMissing(json: GltfJson, rig: Rig): Int32Array {
  const nodes = rig.nodes.slice();
  if (!nodes.includes(-1)) return nodes;
  const { names, parents } = rig.skeleton;
  const locals = localJoints(parents, rig.bindMatrices);
  for (const joint of parentsFirst(rig.skeleton)) {
    if (nodes[joint] >= 0) continue;
    nodes[joint] = addEntry(json, "nodes", { name: names[joint], ...decomposeNode(locals[joint]) });
    if (parents[joint] >= 0) addChild(json, nodes[parents[joint]], nodes[joint]);
  }
  return nodes;
}

function newSkin(builder: GltfBuilder, rig: Rig, nodes: number[], toCharacter: number[]): number {
  ensureCommonRoot(builder.json, nodes);
  const inverses = nodes.map((_, joint) => inverseBind(rig, joint, toCharacter));
  return addSkin(builder, nodes, inverses);
}

function inverseBind(rig: Rig, joint: number, toCharacter: number[]): number[] {
  return product(inverseOf(rig.bindMatrices[joint]), toCharacter);
}

function lengthenSkin(
  builder: GltfBuilder,
  { rig, source }: CharacterFile,
  part: MeshPart,
  used: Set<number>,
): void {
  const skin = entry(builder.json, "skins", part.skin);
  const missing = [...used].filter((joint) => !skin.joints.includes(rig.nodes[joint]));
  if (missing.length === 0) return;
  skin.joints = [...skin.joints, ...missing.map((joint) => rig.nodes[joint])];
  const { joints: own, inverseBindMatrices } = entry(source.json, "skins", part.skin);
  const known =
    inverseBindMatrices === undefined
      ? own.flatMap(identityMat4)
      : readFloats(source, inverseBindMatrices).subarray(0, own.length * 16);
  // Another part may have added joints before.
  const added = skin.joints
    .slice(own.length)
    .flatMap((node) => affine(inverseBind(rig, rig.nodes.indexOf(node), part.toCharacter)));
  const data = Float32Array.from([...known, ...added]);
  skin.inverseBindMatrices = addAccessor(builder, { data, type: "MAT4" });
  delete skin.skeleton;
  ensureCommonRoot(builder.json, skin.joints);
}

function ensureCommonRoot(json: GltfJson, joints: number[]): void {
  const parents = parentsOf(json);
  const tops = new Set(joints.map((node) => topOf(parents, node)));
  if (tops.size < 2) return;
  const root = addEntry(json, "nodes", { name: "Armature", children: [...tops] });
  for (const scene of json.scenes ?? []) {
    if (!scene.nodes?.some((node) => tops.has(node))) continue;
    scene.nodes = [...scene.nodes.filter((node) => !tops.has(node)), root];
  }
}

/**
 * Moves nodes that show a skinned mesh to the top of their scene and removes their transform; returns how many.
 *
 * A skinned mesh ignores its node's transform (glTF 2.0, 3.7.3.3), so nothing changes visibly, but viewers
 * that get this wrong agree and the validator does not warn. Indices and names stay. A node with children
 * moves its mesh to a new node instead; a node below one with extensions (which may hide it), or of a VRM 1.0
 * that refers to nodes, stays.
 */
export function liftSkinnedNodes(json: GltfJson, shown: Iterable<number>): number {
  const nodes = json.nodes!;
  const parents = parentsOf(json);
  let count = 0;
  for (const index of new Set(shown)) {
    const node = nodes[index];
    const isMoved = node.translation || node.rotation || node.scale || node.matrix;
    if (parents[index] < 0 && !isMoved) continue;
    if (isBelowExtension(nodes, parents, index)) continue;
    const hasChildren = (node.children?.length ?? 0) > 0;
    if (hasChildren && json.extensions?.VRMC_vrm) continue;
    if (hasChildren) split(json, parents, index);
    else lift(json, parents, index);
    count++;
  }
  return count;
}

function lift(json: GltfJson, parents: Int32Array, index: number): void {
  const node = entry(json, "nodes", index);
  for (const key of ["translation", "rotation", "scale", "matrix"]) delete node[key];
  const parent = parents[index];
  if (parent < 0) return;
  const top = topOf(parents, index);
  const siblings = entry(json, "nodes", parent).children!.filter((child) => child !== index);
  if (siblings.length > 0) entry(json, "nodes", parent).children = siblings;
  else delete entry(json, "nodes", parent).children;
  parents[index] = -1;
  addToScenes(json, top, index);
}

function split(json: GltfJson, parents: Int32Array, index: number): void {
  const node = entry(json, "nodes", index);
  const shown: GltfNode = { ...(node.name === undefined ? {} : { name: node.name }) };
  for (const key of ["mesh", "skin", "weights"]) {
    if (node[key] === undefined) continue;
    shown[key] = node[key];
    delete node[key];
  }
  const added = addEntry(json, "nodes", shown);
  addToScenes(json, topOf(parents, index), added);
  for (const animation of json.animations ?? []) {
    for (const { target } of animation.channels) {
      if (target.node === index && target.path === "weights") target.node = added;
    }
  }
}

function addToScenes(json: GltfJson, top: number, index: number): void {
  for (const scene of json.scenes ?? []) {
    if (scene.nodes?.includes(top)) scene.nodes = [...scene.nodes, index];
  }
}

function isBelowExtension(nodes: GltfNode[], parents: Int32Array, index: number): boolean {
  for (let at = parents[index]; at >= 0; at = parents[at]) {
    if (nodes[at].extensions) return true;
  }
  return false;
}
