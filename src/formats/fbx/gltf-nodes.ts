import type { GltfSource } from "../gltf/gltf-source.ts";
import type { NodeTree } from "../gltf/node-tree.ts";
import type { MeshPart } from "../gltf/read-parts.ts";
import { pushTo } from "../scene/values.ts";

/** Returns the nodes that animations move. */
export function animatedNodes({ json }: GltfSource): Set<number> {
  const targets = (json.animations ?? []).flatMap(({ channels }) =>
    channels.filter(({ target }) => target.path !== "weights").map(({ target }) => target.node),
  );
  return new Set(targets.filter((node) => node !== undefined));
}

/** Returns the parts of the meshes with weights that each node shows. */
export function partsByNode(parts: readonly MeshPart[]): Map<number, MeshPart[]> {
  const map = new Map<number, MeshPart[]>();
  for (const part of parts) for (const node of part.nodes) pushTo(map, node, part);
  return map;
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
