import type { Picture } from "../../picture/picture.ts";
import { decodePng, encodePng } from "../../picture/png.ts";
import type { GltfSource } from "../gltf/gltf-source.ts";
import {
  type GltfMaterial,
  type MaterialImage,
  materialImages,
  type TextureInfo,
} from "../gltf/material-images.ts";
import { numbers, properties, property } from "./new-fbx.ts";
import { uvSetName } from "./new-geometry.ts";
import { rawNode } from "./raw-fbx.ts";
import { addObject, connect, type FbxEditor } from "./raw-objects.ts";

/** Materials and images of a new FBX, each added once. */
export interface NewMaterials {
  /** Returns the id of a glTF material; -1 is a plain one. */
  idOf(material: number): bigint;
  isDoubleSided(material: number): boolean;
}

/** Prepares the materials of a glTF: Phong, with embedded images; what is not carried over is reported. */
export function newMaterials(editor: FbxEditor, source: GltfSource): NewMaterials {
  const materials = (source.json.materials ?? []) as GltfMaterial[];
  const ids = new Map<number, bigint>();
  const images = newImages(editor, source);
  return {
    isDoubleSided: (index) => materials[index]?.doubleSided ?? index < 0,
    idOf(index) {
      const known = ids.get(index);
      if (known !== undefined) return known;
      const id = addMaterial(editor, materials[index] ?? {}, index, images);
      ids.set(index, id);
      return id;
    },
  };
}

function addMaterial(
  editor: FbxEditor,
  material: GltfMaterial,
  index: number,
  images: ReturnType<typeof newImages>,
): bigint {
  const { pbrMetallicRoughness: surface = {}, emissiveFactor = [0, 0, 0] } = material;
  const { baseColorFactor = [1, 1, 1, 1], roughnessFactor = 1 } = surface;
  // What has no material is not meant to be metal, though glTF says so.
  const { metallicFactor = index < 0 ? 0 : 1 } = surface;
  const [r, g, b, a] = baseColorFactor;
  const isClear = material.alphaMode === "BLEND" || material.alphaMode === "MASK";
  const alpha = material.alphaMode === "BLEND" ? a : 1;
  const color = (name: string, values: number[]) => numbers(name, ["Color", "", "A"], ...values);
  const number = (name: string, value: number) => numbers(name, ["Number", "", "A"], value);
  // Blender's conversion of roughness.
  const shininess = (10 * (1 - roughnessFactor)) ** 2;
  const name = material.name ?? (index < 0 ? "plain" : `material ${index + 1}`);
  const id = addObject(
    editor,
    "Material",
    [name, "Material", ""],
    rawNode("Version", [{ int: 102 }]),
    rawNode("ShadingModel", ["phong"]),
    rawNode("MultiLayer", [{ int: 0 }]),
    properties(
      color("DiffuseColor", [r, g, b]),
      number("DiffuseFactor", 1),
      color("EmissiveColor", emissiveFactor),
      number("EmissiveFactor", 1),
      number("TransparencyFactor", 1 - alpha),
      number("Opacity", alpha),
      number("SpecularFactor", 0.25),
      number("Shininess", shininess),
      number("ShininessExponent", shininess),
      number("ReflectionFactor", metallicFactor),
      number("BumpFactor", material.normalTexture?.scale ?? 1),
      number("Maya|metallic", metallicFactor),
      number("Maya|roughness", roughnessFactor),
    ),
  );
  const add = (
    property: string,
    info: TextureInfo | undefined,
    image: MaterialImage | undefined,
  ) => {
    if (info && image) connect(editor, images.textureOf(info, image), id, property);
  };
  const { baseColorTexture, metallicRoughnessTexture } = surface;
  const picture = images.imageOf(baseColorTexture);
  add("DiffuseColor", baseColorTexture, picture);
  if (isClear) add("TransparentColor", baseColorTexture, picture);
  add("NormalMap", material.normalTexture, images.imageOf(material.normalTexture));
  add("EmissiveColor", material.emissiveTexture, images.imageOf(material.emissiveTexture));
  const both = images.imageOf(metallicRoughnessTexture);
  const split = both && images.splitSurface(both, metallicFactor, roughnessFactor);
  add("ShininessExponent", metallicRoughnessTexture, split?.roughness);
  add("ReflectionFactor", metallicRoughnessTexture, split?.metallic);
  return id;
}

/** Copies one channel of an image, times a factor, into a gray image. */
function grayImage(picture: Picture, offset: number, factor: number): Uint8Array {
  const gray = new Uint8ClampedArray(picture.pixels.length).fill(255);
  for (let at = 0; at < gray.length; at += 4) {
    gray.fill(Math.round(picture.pixels[at + offset] * factor), at, at + 3);
  }
  return encodePng({ ...picture, pixels: gray });
}

/** Images and textures added so far. */
function newImages(editor: FbxEditor, source: GltfSource) {
  const { imageOf, samplerOf, fileName } = materialImages(source);
  const splits = new Map<
    string,
    { roughness: MaterialImage; metallic: MaterialImage | undefined }
  >();
  const videos = new Map<string, bigint>();
  const added = new Map<string, bigint>();
  return {
    imageOf,
    /** Splits glTF's image of two channels into a gray one each; only PNGs can be split. */
    splitSurface(both: MaterialImage, metallic: number, roughness: number) {
      const key = `${both.name}/${metallic}/${roughness}`;
      const old = splits.get(key);
      if (old) return old;
      const picture = decodePng(both.bytes);
      if (!picture) return undefined;
      const one = (what: string, channel: number, factor: number): MaterialImage => ({
        name: fileName(`${both.name.replace(/\.\w+$/, "")}-${what}.png`),
        bytes: grayImage(picture, channel, factor),
      });
      const split = {
        roughness: one("roughness", 1, roughness),
        // A factor of 0 needs no image.
        metallic: metallic > 0 ? one("metallic", 2, metallic) : undefined,
      };
      splits.set(key, split);
      return split;
    },
    textureOf(info: TextureInfo, image: MaterialImage): bigint {
      const { wrapS, wrapT } = samplerOf(info);
      const key = `${image.name}/${wrapS}/${wrapT}/${info.texCoord ?? 0}`;
      const old = added.get(key);
      if (old !== undefined) return old;
      if (!videos.has(image.name)) videos.set(image.name, addVideo(editor, image));
      const id = addTexture(editor, image.name, info.texCoord ?? 0, [wrapS, wrapT]);
      connect(editor, videos.get(image.name)!, id);
      added.set(key, id);
      return id;
    },
  };
}

function addVideo(editor: FbxEditor, { name, bytes }: MaterialImage): bigint {
  return addObject(
    editor,
    "Video",
    [name, "Video", "Clip"],
    rawNode("Type", ["Clip"]),
    properties(property(["Path", "KString", "XRefUrl"], name)),
    rawNode("UseMipMap", [{ int: 0 }]),
    rawNode("Filename", [name]),
    rawNode("RelativeFilename", [name]),
    rawNode("Content", [bytes]),
  );
}

const CLAMP = 33071;

function addTexture(
  editor: FbxEditor,
  name: string,
  uvSet: number,
  wraps: (number | undefined)[],
): bigint {
  const [u, v] = wraps.map((wrap) => ({ int: wrap === CLAMP ? 1 : 0 }));
  return addObject(
    editor,
    "Texture",
    [name, "Texture", ""],
    rawNode("Type", ["TextureVideoClip"]),
    rawNode("Version", [{ int: 202 }]),
    rawNode("TextureName", [`${name}\0\x01Texture`]),
    properties(
      property(["UVSet", "KString"], uvSetName(uvSet)),
      property(["WrapModeU", "enum"], u),
      property(["WrapModeV", "enum"], v),
      property(["UseMaterial", "bool"], { int: 1 }),
    ),
    rawNode("Media", [`${name}\0\x01Video`]),
    rawNode("FileName", [name]),
    rawNode("RelativeFilename", [name]),
  );
}
