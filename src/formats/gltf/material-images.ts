import { imageType } from "../scene/images.ts";
import type { GltfImage, GltfJson } from "./gltf-json.ts";
import { type GltfSource, isDataUri } from "./gltf-source.ts";
import { readImage } from "./read-look.ts";

export interface TextureInfo {
  index?: number;
  texCoord?: number;
  extensions?: Record<string, unknown>;
}

/** The part of a glTF material that other formats can hold. */
export interface GltfMaterial {
  name?: string;
  pbrMetallicRoughness?: {
    baseColorFactor?: number[];
    metallicFactor?: number;
    roughnessFactor?: number;
    baseColorTexture?: TextureInfo;
    metallicRoughnessTexture?: TextureInfo;
  };
  normalTexture?: TextureInfo & { scale?: number };
  occlusionTexture?: TextureInfo;
  emissiveTexture?: TextureInfo;
  emissiveFactor?: number[];
  alphaMode?: string;
  alphaCutoff?: number;
  doubleSided?: boolean;
  extensions?: Record<string, unknown>;
}

/** An image of a material, with a file name that no other image of the file has. */
export interface MaterialImage {
  name: string;
  bytes: Uint8Array;
}

/** How a texture is repeated, as glTF's codes. */
export interface TextureSampler {
  wrapS?: number;
  wrapT?: number;
}

/** Reads the images of a glTF's materials, each once, and gives them names for files. */
export function materialImages(source: GltfSource): {
  imageOf(info: TextureInfo | undefined): MaterialImage | undefined;
  samplerOf(info: TextureInfo): TextureSampler;
  /** Returns a name that was not returned before; file systems that ignore case included. */
  fileName(name: string): string;
} {
  const { json } = source;
  const textures = (json.textures ?? []) as {
    source?: number;
    sampler?: number;
    extensions?: Record<string, { source?: number }>;
  }[];
  const samplers = (json.samplers ?? []) as TextureSampler[];
  const known = new Map<number, MaterialImage | undefined>();
  const names = new Set<string>();
  /** Images of one name may differ, and programs unpack them into one folder. */
  const fileName = (name: string) => {
    let unique = name;
    for (let n = 2; names.has(unique.toLowerCase()); n++) {
      unique = name.replace(/(?=\.\w+$)/, `-${n}`);
    }
    names.add(unique.toLowerCase());
    return unique;
  };
  const read = (index: number): MaterialImage | undefined => {
    const image = readImage(source, index);
    if (!image) return undefined;
    const { name, uri } = json.images?.[index] ?? {};
    const ending = image.type.replace("image/", ".").replace("jpeg", "jpg");
    const stem = (name || uri?.replace(/^data:.*|^.*\//s, "") || `image ${index + 1}`)
      .replace(/\.\w+$/, "")
      .replace(/[\\/:*?"<>|]/g, "_");
    return { name: fileName(`${stem}${ending}`), bytes: image.bytes };
  };
  return {
    imageOf(info) {
      const texture = textures[info?.index ?? -1];
      if (!texture) return undefined;
      const extended = Object.values(texture.extensions ?? {}).map((each) => each?.source);
      const index = [texture.source, ...extended].find((each) => typeof each === "number");
      if (index === undefined) return undefined;
      if (!known.has(index)) known.set(index, read(index));
      return known.get(index);
    },
    samplerOf: ({ index }) => samplers[textures[index ?? -1]?.sampler ?? -1] ?? {},
    fileName,
  };
}

/** PNGs of one pixel: white, and the flat normal. */
const WHITE =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4//8/AAX+Av4N70a4AAAAAElFTkSuQmCC";
const FLAT =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNoaPgPAAODAgAApfuJAAAAAElFTkSuQmCC";

/**
 * Replaces each missing image by one pixel, so that the output has no dangling references, and no viewer
 * requests a URL from an untrusted file.
 *
 * @param store stores a pixel, a data URI, in the file
 */
export function fillMissingImages(
  json: GltfJson,
  source: GltfSource,
  store: (image: GltfImage, pixel: string) => void,
): void {
  const flat = normalImages(json);
  for (const [index, image] of (json.images ?? []).entries()) {
    if (image.uri === undefined || image.bufferView !== undefined) continue;
    if (typeof image.uri === "string" && (isDataUri(image.uri) || source.images.has(image.uri))) {
      continue;
    }
    delete image.uri;
    image.mimeType = "image/png";
    store(image, flat.has(index) ? FLAT : WHITE);
  }
}

/** Indices of images that are normal maps. */
function normalImages({ materials = [], textures = [] }: GltfJson): Set<unknown> {
  const list = <T>(value: T[]): T[] => (Array.isArray(value) ? value : []);
  const used = list(materials as { normalTexture?: { index?: number } }[]).map(
    (material) => list(textures)[material?.normalTexture?.index ?? -1],
  );
  return new Set((used as ({ source?: number } | undefined)[]).map((texture) => texture?.source));
}

/**
 * Returns the sidecar images of a .gltf by URI; images with absolute or suspicious paths get plain names in
 * the JSON.
 */
export function imageSidecars(json: GltfJson, source: GltfSource): Map<string, Uint8Array> {
  const sidecars = new Map<string, Uint8Array>();
  for (const image of json.images ?? []) {
    const uri = image.uri;
    const bytes = typeof uri === "string" ? source.images.get(uri) : undefined;
    if (uri === undefined || !bytes) continue;
    let name = withEnding(isPlainPath(uri) ? uri : plainName(uri), bytes);
    for (let n = 2; sidecars.has(name) && sidecars.get(name) !== bytes; n++) {
      name = plainName(uri).replace(/(?=\.[^.]*$|$)/, `-${n}`);
    }
    image.uri = name;
    sidecars.set(name, bytes);
  }
  return sidecars;
}

/** Corrects the extension of an image that was converted to PNG or JPEG. */
function withEnding(name: string, bytes: Uint8Array): string {
  const ending = imageType(bytes) === "image/jpeg" ? ".jpg" : ".png";
  return name.replace(/\.(?:tga|bmp|gif|tiff?|psd|exr)$/i, ending);
}

/** Whether a URI is a relative path of plain names, none of which begins with a dot. */
function isPlainPath(uri: string): boolean {
  try {
    const path = decodeURIComponent(uri);
    const parts = path.split("/");
    return !/[\\:\0]/.test(path) && parts.every((part) => part !== "" && !part.startsWith("."));
  } catch {
    return false;
  }
}

function plainName(uri: string): string {
  const base = uri.replace(/^.*(?:[\\/:]|%2f|%5c)/is, "").replace(/^(?:\.|%2e)+/i, "");
  return /^[\w%. -]+$/.test(base) && isPlainPath(base) ? base : "picture";
}
