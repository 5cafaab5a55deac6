import type { GltfSource } from "./gltf-source.ts";
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
