import { composeMat4, determinantMat4, product } from "../../math/mat4.ts";
import { quaternionFromMat4 } from "../../math/quaternion.ts";
import type { GltfJson, GltfNode } from "./gltf-json.ts";

/** Parents and rest-pose matrices of the nodes of a glTF. */
export interface NodeTree {
  /** N, parent of each node, -1 at a root. */
  parents: Int32Array;
  /** N matrices of 16 numbers, from each node's space to the world, column-major. */
  worlds: number[][];
  /** N nodes, each after its parent. */
  order: Int32Array;
}

/** Returns the parent of each node, -1 at a root. */
export function parentsOf({ nodes = [] }: GltfJson): Int32Array {
  const parents = new Int32Array(nodes.length).fill(-1);
  nodes.forEach((node, index) => {
    for (const child of node.children ?? []) parents[child] = index;
  });
  return parents;
}

/** Returns the root above a node, or the node itself. */
export function topOf(parents: Int32Array, node: number): number {
  let top = node;
  while (parents[top] >= 0) top = parents[top];
  return top;
}

/** Computes parents and rest-pose world matrices; the JSON must have passed `checkGltf`. */
export function nodeTree(json: GltfJson): NodeTree {
  const nodes = json.nodes ?? [];
  const parents = parentsOf(json);
  const worlds: number[][] = new Array(nodes.length);
  const order = nodes.map((_, index) => index).filter((index) => parents[index] < 0);
  for (let at = 0; at < order.length; at++) {
    const index = order[at];
    const local = localMatrix(nodes[index]);
    const parent = parents[index];
    worlds[index] = parent < 0 ? local : product(worlds[parent], local);
    for (const child of nodes[index].children ?? []) order.push(child);
  }
  return { parents, worlds, order: Int32Array.from(order) };
}

/** Returns a node's local matrix. */
export function localMatrix(node: GltfNode): number[] {
  if (node.matrix?.length === 16) return node.matrix.slice();
  return composeMat4(
    node.translation ?? [0, 0, 0],
    node.rotation ?? [0, 0, 0, 1],
    node.scale ?? [1, 1, 1],
  );
}

/**
 * Converts a matrix to node properties: translation, rotation and scale if that is exact (so that
 * animations can drive it), else the matrix. Identity components are omitted.
 */
export function decomposeNode(matrix: ArrayLike<number>): GltfNode {
  const m = Array.from(matrix);
  const translation = [m[12], m[13], m[14]];
  const scale = [0, 4, 8].map((c) => Math.hypot(m[c], m[c + 1], m[c + 2]));
  if (determinantMat4(m) < 0) scale[0] = -scale[0];
  const unmirrored = m.slice();
  for (let i = 0; i < 3; i++) unmirrored[i] *= Math.sign(scale[0]) || 1;
  const rotation = scale.every((s) => s !== 0) ? quaternionFromMat4(unmirrored) : [0, 0, 0, 1];
  const back = composeMat4(translation, rotation, scale);
  const size = Math.max(...scale.map(Math.abs), 1e-30);
  if (m.slice(0, 12).some((value, i) => Math.abs(value - back[i]) > 1e-5 * size)) {
    return {
      matrix: [...m.slice(0, 3), 0, ...m.slice(4, 7), 0, ...m.slice(8, 11), 0, ...translation, 1],
    };
  }
  const node: GltfNode = {};
  if (translation.some((value) => value !== 0)) node.translation = translation;
  if (rotation.slice(0, 3).some((value) => Math.abs(value) > 1e-9)) node.rotation = [...rotation];
  if (scale.some((value) => Math.abs(value - 1) > 1e-7)) node.scale = scale;
  return node;
}

/** Returns the nodes that animations move. */
export function animatedNodes({ animations = [] }: GltfJson): Set<number> {
  const targets = animations.flatMap(({ channels }) =>
    channels.filter(({ target }) => target.path !== "weights").map(({ target }) => target.node),
  );
  return new Set(targets.filter((node) => node !== undefined));
}

/** Returns the nodes that are joints or animated, and all below them. */
export function movedNodes(
  { order, parents }: NodeTree,
  joints: Set<number>,
  animated: Set<number>,
): Set<number> {
  const moved = new Set<number>();
  for (const node of order) {
    if (joints.has(node) || animated.has(node) || moved.has(parents[node])) moved.add(node);
  }
  return moved;
}
