import { addEntry, entry, type GltfJson, type GltfNode } from "./gltf-json.ts";
import type { MeshPart } from "./mesh-part.ts";
import { parentsOf, topOf } from "./node-tree.ts";

/**
 * Moves nodes that show a skinned mesh to the top of their scene and drops their own transform.
 *
 * A skin alone places its mesh (glTF 2.0, 3.7.3.3), so nothing is seen to change, but viewers that get this
 * wrong agree again and the validator has nothing to warn of. Indices and names stay. A node
 * with children hands its mesh to a new node instead; one below a node with extensions
 * (which may hide it), or of a VRM 1.0 that refers to nodes, stays.
 */
export function liftSkinnedNodes(json: GltfJson, parts: MeshPart[]): void {
  const nodes = json.nodes!;
  const parents = parentsOf(json);
  for (const index of new Set(parts.flatMap((part) => part.nodes))) {
    const node = nodes[index];
    if (parents[index] < 0 && !hasTransform(node)) continue;
    if (isBelowExtension(nodes, parents, index)) continue;
    if (!node.children?.length) lift(json, parents, index);
    else if (!json.extensions?.VRMC_vrm) split(json, parents, index);
  }
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

function hasTransform(node: GltfNode): boolean {
  return !!(node.translation || node.rotation || node.scale || node.matrix);
}
