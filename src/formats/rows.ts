import { composeMat4, identityMat4, inverseOf, product, transformPoint } from "../math/mat4.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";
import type { CharacterFile } from "./character-file.ts";
import type { Rig } from "./gltf/bind-space.ts";
import type { GltfSource } from "./gltf/gltf-source.ts";
import { decomposeNode, nodeTree } from "./gltf/node-tree.ts";
import type { MeshPart } from "./gltf/read-parts.ts";

/** The rows of one part of a character. */
export function partRows(
  { influences, joints, weights }: SkinWeights,
  { first, count }: MeshPart,
): SkinWeights {
  const [from, to] = [first * influences, (first + count) * influences];
  return { influences, joints: joints.slice(from, to), weights: weights.slice(from, to) };
}

/** The joints that have weight. */
export function usedJoints({ joints, weights }: SkinWeights): Set<number> {
  return new Set(joints.filter((_, slot) => weights[slot] > 0));
}

/** The vertex of the character behind each point of a mesh that was made of points and polygons. */
export function vertexOfPoints(
  { parts, source }: CharacterFile,
  mesh: number,
): Map<number, number> {
  const vertices = new Map<number, number>();
  for (const { mesh: own, primitives, first, count } of parts) {
    const points = own === mesh ? source.points?.get(mesh)?.of[primitives[0]] : undefined;
    // A point's vertices all lie at its place and have one row.
    for (let v = 0; points && v < count; v++) {
      if (!vertices.has(points[v])) vertices.set(points[v], first + v);
    }
  }
  return new Map([...vertices].sort(([a], [b]) => a - b));
}

/**
 * The vertices of a character in the order of the file they were read from: mesh by mesh, point by
 * point. Their own order differs where a mesh has several materials.
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
 * Where the joints of another file's skeleton stand in a file that takes them in: turned as they were,
 * without scale, which the units of two files would only confuse.
 *
 * @param toFile from the character's space to the file's
 * @returns to the file's world, one per joint
 */
export function rigidJoints({ bindMatrices }: Rig, toFile: ArrayLike<number>): number[][] {
  return bindMatrices.map((bind) => {
    const whole = product(toFile, bind);
    const { rotation = [0, 0, 0, 1] } = decomposeNode(whole);
    return composeMat4(transformPoint(whole, [0, 0, 0]), rotation);
  });
}

/** The joints' matrices to their parents' space. */
export function localJoints(parents: ArrayLike<number>, worlds: number[][]): number[][] {
  return worlds.map((world, joint) => {
    const parent = parents[joint];
    return parent < 0 ? world : product(inverseOf(worlds[parent]), world);
  });
}

/** From the world as we see it, metres and y up, to that of the FBX or COLLADA file behind a glTF. */
export function fileSpace({ json }: GltfSource): number[] {
  return inverseOf(nodeTree(json).worlds[0]);
}

/** From the points of a part's mesh in such a file to the character. */
export function partPlace({ source }: CharacterFile, { mesh, toCharacter }: MeshPart): number[] {
  return product(toCharacter, source.points?.get(mesh)?.placed ?? identityMat4());
}
