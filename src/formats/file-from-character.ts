import type { Character } from "../character/character.ts";
import { composeMat4 } from "../math/mat4.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { vertexNormals } from "../mesh/normals.ts";
import { childrenOf, endOf, type Skeleton } from "../skeleton/skeleton.ts";
import { emptyWeights } from "../weights/skin-weights.ts";
import type { CharacterFile } from "./character-file.ts";
import { characterFromGltf } from "./gltf/character-from-gltf.ts";
import {
  addAccessor,
  addSkin,
  createGltfBuilder,
  type GltfBuilder,
  INDEX_TARGET,
  VERTEX_TARGET,
} from "./gltf/gltf-builder.ts";
import type { GltfNode } from "./gltf/gltf-json.ts";
import { writeCharacter } from "./write-character.ts";

/**
 * Builds a file in memory for a character made by code: one mesh with smooth normals, one skin.
 *
 * Vertices and joints keep their order; write it with `writeCharacter`.
 *
 * @param decorate adds materials, attachments and animations; mesh 0 is the character's, the first nodes its joints
 */
export function fileFromCharacter(
  character: Character,
  decorate?: (builder: GltfBuilder) => void,
): CharacterFile {
  const builder = createGltfBuilder({ asset: { version: "2.0", generator: "heterskin" } });
  const { json } = builder;
  const joints = jointNodes(character.skeleton);
  const { parents } = character.skeleton;
  const roots = Array.from(parents.keys()).filter((joint) => parents[joint] < 0);
  json.nodes = [...joints, { name: character.name, mesh: 0, skin: 0 }];
  addEnds(json.nodes, character.skeleton);
  // A skin needs a common root of all its joints.
  if (roots.length > 1) {
    json.nodes.push({ name: "skeleton", children: roots.splice(0) });
    roots.push(json.nodes.length - 1);
  }
  json.scene = 0;
  json.scenes = [{ nodes: [joints.length, ...roots] }];
  addMesh(builder, character);
  addSkin(builder, [...parents.keys()], inverseBinds(character.skeleton));
  decorate?.(builder);
  json.buffers = [{ byteLength: builder.size }];
  const source = {
    name: `${character.name}.glb`,
    json,
    buffers: [builder.bytes.slice(0, builder.size)],
    images: new Map<string, Uint8Array>(),
  };
  return { ...characterFromGltf(source, "glb"), character };
}

const MAX_INFLUENCES = 8;
/** Encodes a character as a GLB; without weights, all vertices follow joint 0. */
export function glbFromCharacter(character: Character): Uint8Array {
  const rigid = emptyWeights(character.mesh.positions.length / 3, 1);
  rigid.weights.fill(1);
  const weights = character.weights ?? rigid;
  const maxInfluences = Math.min(weights.influences, MAX_INFLUENCES);
  return writeCharacter(fileFromCharacter(character), weights, { maxInfluences }).bytes;
}

/** Nodes without rotation, translated relative to their parents. */
function jointNodes(skeleton: Skeleton): GltfNode[] {
  const { names, parents, positions } = skeleton;
  return childrenOf(skeleton).map((children, joint) => ({
    name: names[joint],
    translation: [0, 1, 2].map((axis) => {
      const above = parents[joint] < 0 ? 0 : positions[parents[joint] * 3 + axis];
      return positions[joint * 3 + axis] - above;
    }),
    ...(children.length > 0 ? { children } : {}),
  }));
}

/** Adds a node for the end of each leaf joint that has one, named so that readers know it. */
function addEnds(nodes: GltfNode[], skeleton: Skeleton): void {
  childrenOf(skeleton).forEach((children, joint) => {
    const end = children.length === 0 ? endOf(skeleton, joint) : undefined;
    if (!end) return;
    const translation = Array.from(
      end,
      (value, axis) => value - skeleton.positions[joint * 3 + axis],
    );
    nodes[joint].children = [nodes.push({ name: `${skeleton.names[joint]}_end`, translation }) - 1];
  });
}

function addMesh(builder: GltfBuilder, { name, mesh }: Character): void {
  const { positions, triangles } = mesh;
  const vertexData = { type: "VEC3" as const, target: VERTEX_TARGET };
  const attributes = {
    POSITION: addAccessor(builder, { ...vertexData, data: positions, bounds: true }),
    NORMAL: addAccessor(builder, { ...vertexData, data: unitNormals(mesh) }),
  };
  const data = positions.length / 3 < 65536 ? Uint16Array.from(triangles) : triangles;
  const indices = addAccessor(builder, { data, type: "SCALAR", target: INDEX_TARGET });
  builder.json.materials = [
    { name: "clay", pbrMetallicRoughness: { metallicFactor: 0, roughnessFactor: 0.8 } },
  ];
  builder.json.meshes = [{ name, primitives: [{ attributes, indices, material: 0 }] }];
}

/** Unit normals; straight up where the direction is undefined. */
function unitNormals(mesh: Mesh): Float32Array {
  const normals = vertexNormals(mesh);
  for (let i = 0; i < normals.length; i += 3) {
    if (normals[i] === 0 && normals[i + 1] === 0 && normals[i + 2] === 0) normals[i + 1] = 1;
  }
  return normals;
}

function inverseBinds({ parents, positions }: Skeleton): number[][] {
  return Array.from(parents, (_, joint) => {
    const [x, y, z] = positions.subarray(joint * 3, joint * 3 + 3);
    return composeMat4([-x, -y, -z], [0, 0, 0, 1]);
  });
}
