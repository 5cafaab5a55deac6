import { identityMat4, invertMat4, transformDirection, transformPoint } from "../../math/mat4.ts";
import type { CharacterFile } from "../character-file.ts";
import { product } from "../matrices.ts";
import { entry, type GltfPrimitive } from "./gltf-json.ts";
import type { GltfSource } from "./gltf-source.ts";
import { nodeTree } from "./node-tree.ts";
import { readFloats } from "./read-accessor.ts";
import {
  type LookImage,
  type LookMaterial,
  PLAIN_MATERIAL,
  readMaterials,
} from "./read-materials.ts";
import { readTriangles } from "./read-parts.ts";

/** A surface as it is drawn: vertices with what their file says of them, in character space. */
export interface LookSurface {
  /** F×3. */
  triangles: Uint32Array;
  /** Runs of corners with one material, in order; `material` is an index into `materials`. */
  groups: { start: number; count: number; material: number }[];
  /** V×2, where any part has them. */
  uvs?: Float32Array | undefined;
  /** V×4, linear; white where a part has none. */
  colours?: Float32Array | undefined;
  /** V×3, where all parts have them. */
  normals?: Float32Array | undefined;
}

/** A mesh without weights that hangs on a joint, or stands in the scene by itself. */
export interface LookAttachment extends LookSurface {
  name: string;
  /** V×3, in the bind pose. */
  positions: Float32Array;
  /** The joint that carries it, -1 where none does. */
  joint: number;
}

/** How a character looks, besides its weights; plain data. */
export interface CharacterLook extends LookSurface {
  materials: LookMaterial[];
  images: LookImage[];
  attachments: LookAttachment[];
}

/** Reads materials, pictures, coordinates, colours and normals of a character, and what hangs on its joints. */
export function readLook(file: CharacterFile): CharacterLook {
  const { source, parts, character } = file;
  const { materials, images } = readMaterials(source);
  const plain = materials.push(PLAIN_MATERIAL) - 1;
  const sheet = createSheet(character.mesh.positions.length / 3);
  for (const { mesh, primitives, first, count, toCharacter } of parts) {
    for (const p of primitives) {
      const primitive = entry(source.json, "meshes", mesh).primitives[p];
      sheet.add(source, primitive, first, toCharacter);
      const corners = readTriangles(source, mesh, p, first, count).length;
      sheet.group(corners, primitive.material ?? plain);
    }
  }
  const attachments = readAttachments(file, plain);
  return { ...sheet.surface(character.mesh.triangles), materials, images, attachments };
}

/** Collects what primitives say of the vertices they share. */
function createSheet(vertices: number) {
  const uvs = new Float32Array(vertices * 2);
  const colours = new Float32Array(vertices * 4).fill(1);
  const normals = new Float32Array(vertices * 3);
  const groups: LookSurface["groups"] = [];
  const has = { uvs: false, colours: false, normals: true };
  let corner = 0;
  return {
    add(source: GltfSource, { attributes }: GltfPrimitive, first: number, matrix: number[]) {
      if (attributes.TEXCOORD_0 !== undefined) {
        uvs.set(
          fitting(readFloats(source, attributes.TEXCOORD_0), (vertices - first) * 2),
          first * 2,
        );
        has.uvs = true;
      }
      if (attributes.COLOR_0 !== undefined) {
        const { type } = entry(source.json, "accessors", attributes.COLOR_0);
        const values = readFloats(source, attributes.COLOR_0);
        const size = type === "VEC3" ? 3 : 4;
        for (let v = 0; v * size < values.length && first + v < vertices; v++) {
          colours.set(values.subarray(v * size, v * size + size), (first + v) * 4);
        }
        has.colours = true;
      }
      if (attributes.NORMAL === undefined) has.normals = false;
      else {
        const own = turned(readFloats(source, attributes.NORMAL), matrix);
        normals.set(fitting(own, (vertices - first) * 3), first * 3);
      }
    },
    group(count: number, material: number) {
      groups.push({ start: corner, count, material });
      corner += count;
    },
    surface: (triangles: Uint32Array): LookSurface => ({
      triangles,
      groups,
      ...(has.uvs && { uvs }),
      ...(has.colours && { colours }),
      ...(has.normals && { normals }),
    }),
  };
}

function fitting(values: Float32Array, most: number): Float32Array {
  return values.length > most ? values.subarray(0, most) : values;
}

/** Directions turned by a matrix, unit length again. */
function turned(normals: Float32Array, matrix: number[]): Float32Array {
  const out = new Float32Array(normals.length);
  for (let at = 0; at < normals.length; at += 3) {
    const [x, y, z] = transformDirection(matrix, normals.subarray(at, at + 3));
    const size = Math.hypot(x, y, z) || 1;
    out.set([x / size, y / size, z / size], at);
  }
  return out;
}

/** Meshes that no weights move, where the character has others that do. */
function readAttachments(file: CharacterFile, plain: number): LookAttachment[] {
  const { source, parts, rig } = file;
  const { json } = source;
  const taken = new Set(parts.flatMap(({ nodes }) => nodes));
  const { parents, worlds } = nodeTree(json);
  const jointOf = new Map([...rig.nodes].map((node, joint) => [node, joint]));
  const shown = sceneNodes(file);
  // The joint above a node, and the matrix from the node to where the bind pose has it.
  const hanging = (node: number) => {
    let at = node;
    while (at >= 0 && !jointOf.has(at)) at = parents[at];
    const joint = at < 0 ? undefined : jointOf.get(at);
    const back = joint === undefined ? undefined : invertMat4(identityMat4(), worlds[at]);
    if (joint === undefined || !back) return { joint: -1, matrix: worlds[node] };
    return { joint, matrix: product(rig.bindMatrices[joint], product(back, worlds[node])) };
  };
  return (json.nodes ?? []).flatMap((node, index) => {
    if (node.mesh === undefined || taken.has(index) || !shown.has(index)) return [];
    const mesh = node.mesh;
    const { joint, matrix } = hanging(index);
    return entry(json, "meshes", mesh).primitives.flatMap((primitive, p) => {
      if (primitive.attributes?.POSITION === undefined) return [];
      const local = readFloats(source, primitive.attributes.POSITION);
      const positions = new Float32Array(local.length);
      for (let at = 0; at < local.length; at += 3) {
        positions.set(transformPoint(matrix, local.subarray(at, at + 3)), at);
      }
      const triangles = readTriangles(source, mesh, p, 0, local.length / 3);
      const sheet = createSheet(local.length / 3);
      sheet.add(source, primitive, 0, matrix);
      sheet.group(triangles.length, primitive.material ?? plain);
      return [{ ...sheet.surface(triangles), name: node.name ?? "", positions, joint }];
    });
  });
}

/** The nodes of the scene that is shown. */
function sceneNodes({ source: { json } }: CharacterFile): Set<number> {
  const roots = json.scenes?.[json.scene ?? 0]?.nodes ?? (json.nodes ?? []).map((_, i) => i);
  const found = new Set<number>();
  const open = [...roots];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (found.has(node)) continue;
    found.add(node);
    open.push(...(json.nodes?.[node]?.children ?? []));
  }
  return found;
}
