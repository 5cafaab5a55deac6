import { identityMat4 } from "../math/mat4.ts";
import type { CharacterFile } from "./character-file.ts";
import type { GltfSource } from "./gltf/gltf-source.ts";
import type { MeshPart } from "./gltf/mesh-part.ts";
import { nodeTree } from "./gltf/node-tree.ts";
import { inverseOf, product } from "./matrices.ts";

/** From the world as we see it, metres and y up, to that of the FBX or COLLADA file behind a glTF. */
export function fileSpace({ json }: GltfSource): number[] {
  return inverseOf(nodeTree(json).worlds[0]);
}

/** From the points of a part's mesh in such a file to the character. */
export function partPlace({ source }: CharacterFile, { mesh, toCharacter }: MeshPart): number[] {
  return product(toCharacter, source.points?.get(mesh)?.placed ?? identityMat4());
}
