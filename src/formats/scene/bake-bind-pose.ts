import type { Steps } from "../../event-loop.ts";
import { identityMat4, invertMat4, product, transformDirection } from "../../math/mat4.ts";
import { bindSpace } from "../gltf/bind-space.ts";
import { entry } from "../gltf/gltf-json.ts";
import type { GltfSource } from "../gltf/gltf-source.ts";
import { nodeTree } from "../gltf/node-tree.ts";
import type { Scene, SceneMesh } from "./scene.ts";

/**
 * In steps: transforms the skinned meshes of a scene into the world of their bind pose (meters, y up), onto nodes
 * without transform, so that the glTF states the bind pose.
 *
 * @param built the same scene as glTF; its meshes and nodes are in the scene's order
 * @returns the scene, and the transform of each mesh
 */
export function* bakeSteps(
  scene: Scene,
  built: GltfSource,
): Steps<{ scene: Scene; placed: Map<number, number[]> }> {
  const placed = new Map<number, number[]>();
  const { json } = built;
  const skins = [...new Set((json.nodes ?? []).flatMap((node) => node.skin ?? []))];
  const { toCharacter } = bindSpace(built, nodeTree(json), skins);
  const nodes = scene.nodes.map((node) => ({ ...node }));
  const meshes: SceneMesh[] = scene.meshes.slice();
  const parents = new Set(scene.nodes.map(({ parent }) => parent));
  for (const [index, node] of scene.nodes.entries()) {
    const skin = entry(json, "nodes", index).skin;
    if (node.mesh === undefined || skin === undefined) continue;
    const matrix = toCharacter.get(skin)!;
    const inverse = invertMat4(identityMat4(), matrix);
    if (!inverse) continue;
    placed.set(node.mesh, matrix);
    meshes[node.mesh] = moveMesh(scene.meshes[node.mesh], matrix, inverse);
    yield;
    if (parents.has(index)) {
      delete nodes[index].mesh;
      nodes.push({ name: node.name, parent: -1, matrix: identityMat4(), mesh: node.mesh });
    } else Object.assign(nodes[index], { parent: -1, matrix: identityMat4() });
  }
  return { scene: { ...scene, nodes, meshes }, placed };
}

function moveMesh(mesh: SceneMesh, matrix: number[], inverse: number[]): SceneMesh {
  const rotate = (rows: Float32Array, m: number[]) => {
    const out = new Float32Array(rows.length);
    for (let at = 0; at < rows.length; at += 3)
      out.set(transformDirection(m, rows.subarray(at, at + 3)), at);
    return out;
  };
  const points = rotate(mesh.points, matrix);
  for (let i = 0; i < points.length; i++) points[i] += matrix[12 + (i % 3)];
  // Normals are transformed by the inverse transpose.
  const transpose = inverse.map((_, i) => inverse[(i % 4) * 4 + Math.floor(i / 4)]);
  return {
    ...mesh,
    points,
    normals: mesh.normals && rotate(mesh.normals, transpose),
    shapes: mesh.shapes?.map((shape) => ({ ...shape, deltas: rotate(shape.deltas, matrix) })),
    skin: {
      ...mesh.skin!,
      inverseBinds: mesh.skin!.inverseBinds.map((m) => product(m, inverse)),
    },
  };
}
