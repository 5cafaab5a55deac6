import {
  identityMat4,
  invertMat4,
  product,
  transformDirection,
  transformPoint,
} from "../../math/mat4.ts";
import type { CharacterFile } from "../character-file.ts";
import { imageType } from "../scene/images.ts";
import { readFloats } from "./accessors.ts";
import { entry, type GltfPrimitive } from "./gltf-json.ts";
import { decodeDataUri, type GltfSource, viewBytes } from "./gltf-source.ts";
import { nodeTree } from "./node-tree.ts";
import { readTriangles } from "./read-parts.ts";

/** A surface as it is drawn: vertex attributes of the file, in character space. */
export interface LookSurface {
  /** F×3. */
  triangles: Uint32Array;
  /** Runs of corners with one material, in order; `material` is an index into `materials`. */
  groups: { start: number; count: number; material: number }[];
  /** V×2, if any part has them. */
  uvs?: Float32Array | undefined;
  /** V×4, linear; white where a part has none. */
  colors?: Float32Array | undefined;
  /** V×3, if all parts have them. */
  normals?: Float32Array | undefined;
}

/** A mesh without weights, attached to a joint or part of the scene. */
export interface LookAttachment extends LookSurface {
  name: string;
  /** V×3, in the bind pose. */
  positions: Float32Array;
  /** The joint that carries it, -1 if none does. */
  joint: number;
}

/** The appearance of a character; plain data. */
export interface CharacterLook extends LookSurface {
  materials: LookMaterial[];
  images: LookImage[];
  attachments: LookAttachment[];
}

/** Reads materials, images, UVs, colors and normals of a character, and its attachments. */
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

/** Collects the attributes of primitives that share vertices. */
function createSheet(vertices: number) {
  const uvs = new Float32Array(vertices * 2);
  const colors = new Float32Array(vertices * 4).fill(1);
  const normals = new Float32Array(vertices * 3);
  const groups: LookSurface["groups"] = [];
  const has = { uvs: false, colors: false, normals: true };
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
          colors.set(values.subarray(v * size, v * size + size), (first + v) * 4);
        }
        has.colors = true;
      }
      if (attributes.NORMAL === undefined) has.normals = false;
      else {
        const own = rotateNormals(readFloats(source, attributes.NORMAL), matrix);
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
      ...(has.colors && { colors }),
      ...(has.normals && { normals }),
    }),
  };
}

function fitting(values: Float32Array, max: number): Float32Array {
  return values.length > max ? values.subarray(0, max) : values;
}

/** Rotates normals by a matrix and normalizes them. */
function rotateNormals(normals: Float32Array, matrix: number[]): Float32Array {
  const out = new Float32Array(normals.length);
  for (let at = 0; at < normals.length; at += 3) {
    const [x, y, z] = transformDirection(matrix, normals.subarray(at, at + 3));
    const size = Math.hypot(x, y, z) || 1;
    out.set([x / size, y / size, z / size], at);
  }
  return out;
}

/** Reads meshes without weights, if the character has others with weights. */
function readAttachments(file: CharacterFile, plain: number): LookAttachment[] {
  const { source, parts, rig } = file;
  const { json } = source;
  const taken = new Set(parts.flatMap(({ nodes }) => nodes));
  const { parents, worlds } = nodeTree(json);
  const jointOf = new Map([...rig.nodes].map((node, joint) => [node, joint]));
  const shown = sceneNodes(file);
  // The nearest joint above a node, and the node's matrix in the bind pose.
  const attach = (node: number) => {
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
    const { joint, matrix } = attach(index);
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

/** An image of a file and its MIME type. */
export interface LookImage {
  bytes: Uint8Array;
  type: string;
}

/** A texture: an image and its placement. */
export interface LookTexture {
  /** Index into `images`. */
  image: number;
  wrap: ["repeat" | "mirror" | "clamp", "repeat" | "mirror" | "clamp"];
  offset: [number, number];
  scale: [number, number];
  /** Radians, counterclockwise. */
  rotation: number;
}

/** The part of a glTF material that is displayed. */
export interface LookMaterial {
  /** Red, green, blue, opacity, linear. */
  color: [number, number, number, number];
  texture?: LookTexture | undefined;
  /** Red, green, blue, linear. */
  glow: [number, number, number];
  glowTexture?: LookTexture | undefined;
  opacity: "opaque" | "mask" | "blend";
  /** Alpha cutoff of a mask, 0 to 1. */
  cutoff: number;
  roughness: number;
  isTwoSided: boolean;
}

const PLAIN_MATERIAL: LookMaterial = {
  color: [0.8, 0.8, 0.8, 1],
  glow: [0, 0, 0],
  opacity: "opaque",
  cutoff: 0.5,
  roughness: 0.9,
  isTwoSided: true,
};

type Json = Record<string, unknown>;

/** Reads the materials of a file and their images; damaged or unknown images are ignored. */
function readMaterials(source: GltfSource): { materials: LookMaterial[]; images: LookImage[] } {
  const images: LookImage[] = [];
  const known = new Map<number, number>();
  const imageAt = (index: number): number | undefined => {
    if (!known.has(index)) {
      const image = readImage(source, index);
      known.set(index, image ? images.push(image) - 1 : -1);
    }
    const found = known.get(index) ?? -1;
    return found < 0 ? undefined : found;
  };
  const read = (material: Json) => readMaterial(source, material, imageAt);
  return { materials: list(source.json.materials).map(read), images };
}

function readMaterial(
  source: GltfSource,
  material: Json,
  imageAt: (index: number) => number | undefined,
): LookMaterial {
  const surface = object(material.pbrMetallicRoughness);
  const texture = (value: unknown) => readTexture(source, object(value), imageAt);
  const alpha = material.alphaMode;
  return {
    color: numbers(surface.baseColorFactor, [1, 1, 1, 1]),
    texture: texture(surface.baseColorTexture),
    glow: numbers(material.emissiveFactor, [0, 0, 0]),
    glowTexture: texture(material.emissiveTexture),
    opacity: alpha === "BLEND" ? "blend" : alpha === "MASK" ? "mask" : "opaque",
    cutoff: typeof material.alphaCutoff === "number" ? material.alphaCutoff : 0.5,
    roughness: typeof surface.roughnessFactor === "number" ? surface.roughnessFactor : 1,
    isTwoSided: material.doubleSided === true,
  };
}

function readTexture(
  { json }: GltfSource,
  info: Json,
  imageAt: (index: number) => number | undefined,
): LookTexture | undefined {
  // Only the first UV set is read.
  if (typeof info.index !== "number" || (info.texCoord ?? 0) !== 0) return undefined;
  const texture = object(list(json.textures)[info.index]);
  const webp = object(object(texture.extensions).EXT_texture_webp).source;
  const image = [webp, texture.source]
    .filter((index) => typeof index === "number")
    .map(imageAt)
    .find((found) => found !== undefined);
  if (image === undefined) return undefined;
  const sampler = object(list(json.samplers)[texture.sampler as number]);
  const moved = object(object(info.extensions).KHR_texture_transform);
  return {
    image,
    wrap: [wrapOf(sampler.wrapS), wrapOf(sampler.wrapT)],
    offset: numbers(moved.offset, [0, 0]),
    scale: numbers(moved.scale, [1, 1]),
    rotation: typeof moved.rotation === "number" ? moved.rotation : 0,
  };
}

function wrapOf(code: unknown): LookTexture["wrap"][number] {
  return code === 33071 ? "clamp" : code === 33648 ? "mirror" : "repeat";
}

/** Reads an image of a file; undefined if it is missing, damaged or in a format of textures on graphics cards. */
export function readImage(source: GltfSource, index: number): LookImage | undefined {
  const { json } = source;
  const image = json.images?.[index];
  if (!image) return undefined;
  let bytes: Uint8Array | undefined;
  const view = image.bufferView === undefined ? undefined : json.bufferViews?.[image.bufferView];
  if (view) bytes = viewBytes(source, view).slice();
  else if (typeof image.uri === "string") {
    bytes = source.images.get(image.uri) ?? decodeDataUri(image.uri);
  }
  const type = bytes && imageType(bytes);
  return bytes && type && /png|jpeg|webp|avif/.test(type) ? { bytes, type } : undefined;
}

function object(value: unknown): Json {
  return typeof value === "object" && value !== null ? (value as Json) : {};
}

function list(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(object) : [];
}

function numbers<T extends number[]>(value: unknown, fallback: T): T {
  const isValid =
    Array.isArray(value) && value.length === fallback.length && value.every(Number.isFinite);
  return (isValid ? value : fallback) as T;
}
