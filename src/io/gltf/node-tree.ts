import { composeMat4 } from "../../math/mat4.ts";
import { product } from "../matrices.ts";
import type { GltfJson, GltfNode } from "./gltf-json.ts";

/** Who hangs under whom in a glTF, and where each node is at rest. */
export interface NodeTree {
  /** N, parent of each node, -1 at a root. */
  parents: Int32Array;
  /** N matrices of 16 numbers, from each node's space to the world, column by column. */
  worlds: number[][];
  /** N nodes, each after its parent. */
  order: Int32Array;
}

/** The parent of each node, -1 at a root. */
export function parentsOf({ nodes = [] }: GltfJson): Int32Array {
  const parents = new Int32Array(nodes.length).fill(-1);
  nodes.forEach((node, index) => {
    for (const child of node.children ?? []) parents[child] = index;
  });
  return parents;
}

/** The root above a node, or itself. */
export function topOf(parents: Int32Array, node: number): number {
  let top = node;
  while (parents[top] >= 0) top = parents[top];
  return top;
}

/** Works out parents and rest-pose world matrices; the JSON must have passed `checkGltf`. */
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

/** A node's own matrix. */
export function localMatrix(node: GltfNode): number[] {
  if (node.matrix?.length === 16) return node.matrix.slice();
  return composeMat4(
    node.translation ?? [0, 0, 0],
    node.rotation ?? [0, 0, 0, 1],
    node.scale ?? [1, 1, 1],
  );
}
