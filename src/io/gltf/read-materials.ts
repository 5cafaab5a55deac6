import { pictureType } from "../is-picture.ts";
import { decodeDataUri } from "./data-uri.ts";
import { type GltfSource, viewBytes } from "./gltf-source.ts";

/** A picture of a file: its bytes and their kind. */
export interface LookImage {
  bytes: Uint8Array;
  type: string;
}

/** A picture on a surface, and how it lies there. */
export interface LookTexture {
  /** Index into `images`. */
  image: number;
  /** Whether it repeats, mirrors or ends beyond its border, along u and v. */
  wrap: ["repeat" | "mirror" | "clamp", "repeat" | "mirror" | "clamp"];
  offset: [number, number];
  scale: [number, number];
  /** Radians, counter-clockwise. */
  rotation: number;
}

/** What of a glTF material can be seen without lamps of its own. */
export interface LookMaterial {
  /** Red, green, blue, opacity, linear. */
  colour: [number, number, number, number];
  texture?: LookTexture | undefined;
  /** Red, green, blue, linear. */
  glow: [number, number, number];
  glowTexture?: LookTexture | undefined;
  opacity: "opaque" | "mask" | "blend";
  /** Where a mask cuts, 0 to 1. */
  cutoff: number;
  roughness: number;
  isTwoSided: boolean;
}

/** A surface that names no material. */
export const PLAIN_MATERIAL: LookMaterial = {
  colour: [0.8, 0.8, 0.8, 1],
  glow: [0, 0, 0],
  opacity: "opaque",
  cutoff: 0.5,
  roughness: 0.9,
  isTwoSided: true,
};

type Json = Record<string, unknown>;

/** The materials of a file and the pictures they use; what is damaged or of an unknown kind is left out. */
export function readMaterials(source: GltfSource): {
  materials: LookMaterial[];
  images: LookImage[];
} {
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
  const materials = list(source.json.materials).map((material) =>
    readMaterial(source, material, imageAt),
  );
  return { materials, images };
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
    colour: numbers(surface.baseColorFactor, [1, 1, 1, 1]),
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
  // A second set of coordinates is not read.
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

function readImage(source: GltfSource, index: number): LookImage | undefined {
  const { json } = source;
  const image = json.images?.[index];
  if (!image) return undefined;
  let bytes: Uint8Array | undefined;
  const view = image.bufferView === undefined ? undefined : json.bufferViews?.[image.bufferView];
  if (view) bytes = viewBytes(source, view).slice();
  else if (typeof image.uri === "string") {
    bytes = source.images.get(image.uri) ?? decodeDataUri(image.uri);
  }
  const type = bytes && pictureType(bytes);
  return bytes && type && /png|jpeg|webp|avif/.test(type) ? { bytes, type } : undefined;
}

function object(value: unknown): Json {
  return typeof value === "object" && value !== null ? (value as Json) : {};
}

function list(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(object) : [];
}

function numbers<T extends number[]>(value: unknown, usual: T): T {
  const isGood =
    Array.isArray(value) && value.length === usual.length && value.every(Number.isFinite);
  return (isGood ? value : usual) as T;
}
