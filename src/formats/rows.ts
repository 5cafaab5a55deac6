import { composeMat4, identityMat4, inverseOf, product, transformPoint } from "../math/mat4.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";
import type { CharacterFile } from "./character-file.ts";
import type { Rig } from "./gltf/bind-space.ts";
import type { GltfSource } from "./gltf/gltf-source.ts";
import { decomposeNode, nodeTree } from "./gltf/node-tree.ts";
import type { MeshPart } from "./gltf/read-parts.ts";

/**
 * Influences read per point, the largest first: rows are stored at equal length, so one long row must not lengthen
 * all. No program writes more.
 */
export const MAX_ROW = 64;

/** Returns the weight rows of one part of a character. */
export function partRows(
  { influences, joints, weights }: SkinWeights,
  { first, count }: MeshPart,
): SkinWeights {
  const [from, to] = [first * influences, (first + count) * influences];
  return { influences, joints: joints.slice(from, to), weights: weights.slice(from, to) };
}

/** Returns the joints with a nonzero weight. */
export function usedJoints({ joints, weights }: SkinWeights): Set<number> {
  return new Set(joints.filter((_, slot) => weights[slot] > 0));
}

/** Maps each point of a mesh made of points and polygons to a vertex of the character. */
export function vertexOfPoints(
  { parts, source }: CharacterFile,
  mesh: number,
): Map<number, number> {
  const vertices = new Map<number, number>();
  for (const { mesh: own, primitives, first, count } of parts) {
    const points = own === mesh ? source.points?.get(mesh)?.of[primitives[0]] : undefined;
    // All vertices of a point have its position and its weights.
    for (let v = 0; points && v < count; v++) {
      if (!vertices.has(points[v])) vertices.set(points[v], first + v);
    }
  }
  return new Map([...vertices].sort(([a], [b]) => a - b));
}

/**
 * Returns the vertices of a character in the order of its file: mesh by mesh, point by point. The
 * character's order differs if a mesh has several materials.
 */
export function fileOrder({ parts, source }: Pick<CharacterFile, "parts" | "source">): Int32Array {
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  const order = Int32Array.from({ length: total }, (_, v) => v);
  const [meshOf, pointOf] = [new Int32Array(total), new Int32Array(total)];
  for (const { mesh, primitives, first, count } of parts) {
    const points = source.points?.get(mesh)?.of[primitives[0]];
    if (!points) return order;
    meshOf.fill(mesh, first, first + count);
    pointOf.set(points, first);
  }
  return order.sort((a, b) => meshOf[a] - meshOf[b] || pointOf[a] - pointOf[b] || a - b);
}

/**
 * Bind matrices of another file's joints in the space of a file they are added to: rotated as they were,
 * without scale, because the units of the two files may differ.
 *
 * @param toFile from the character's space to the file's
 * @returns to the file's world, one per joint
 */
export function rigidJoints({ bindMatrices }: Rig, toFile: ArrayLike<number>): number[][] {
  return bindMatrices.map((bind) => {
    const world = product(toFile, bind);
    const { rotation = [0, 0, 0, 1] } = decomposeNode(world);
    return composeMat4(transformPoint(world, [0, 0, 0]), rotation);
  });
}

/** Returns the joints' matrices relative to their parents. */
export function localJoints(parents: ArrayLike<number>, worlds: number[][]): number[][] {
  return worlds.map((world, joint) => {
    const parent = parents[joint];
    return parent < 0 ? world : product(inverseOf(worlds[parent]), world);
  });
}

/** Matrix from the glTF world (meters, y up) to the world of the FBX or COLLADA file behind it. */
export function fileSpace({ json }: GltfSource): number[] {
  return inverseOf(nodeTree(json).worlds[0]);
}

/** Matrix from the points of a part's mesh in such a file to the character. */
export function pointsToCharacter(
  { source }: CharacterFile,
  { mesh, toCharacter }: MeshPart,
): number[] {
  return product(toCharacter, source.points?.get(mesh)?.placed ?? identityMat4());
}
