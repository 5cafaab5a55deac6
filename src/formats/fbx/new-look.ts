import type { Picture } from "../../picture/picture.ts";
import { decodePng, encodePng } from "../../picture/png.ts";
import type { GltfJson, GltfNode } from "../gltf/gltf-json.ts";
import type { GltfSource } from "../gltf/gltf-source.ts";
import {
  type GltfMaterial,
  type MaterialImage,
  materialImages,
  type TextureInfo,
} from "../gltf/material-images.ts";
import { fbxModel, numbers, properties, property } from "./new-fbx.ts";
import { uvSetName } from "./new-geometry.ts";
import { type RawFbxNode, rawNode } from "./raw-fbx.ts";
import { addObject, connect, type FbxEditor, takeId } from "./raw-objects.ts";

/** Materials and images of a new FBX, each added once. */
interface NewMaterials {
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

interface GltfCamera {
  perspective?: { yfov: number; aspectRatio?: number; znear: number; zfar?: number };
  orthographic?: { xmag: number; ymag: number; znear: number; zfar: number };
}

interface GltfLight {
  type: string;
  color?: number[];
  intensity?: number;
  spot?: { outerConeAngle?: number };
}

const LIGHTS = "KHR_lights_punctual";
const LIGHT_TYPES = ["point", "directional", "spot"];
const DEGREES = 180 / Math.PI;

/** Height of the film, in millimeters and in inches. */
const FILM = 24;
const INCH = 25.4;

/**
 * Adds the camera or light of a node as a child of its model: FBX cameras look along x and lights along -y,
 * in glTF both look along -z.
 *
 * @param scale units of the file per unit of the glTF
 */
export function addCamera(
  editor: FbxEditor,
  json: GltfJson,
  node: GltfNode,
  parent: bigint,
  scale: number,
): void {
  const camera = (json.cameras as GltfCamera[] | undefined)?.[node.camera as number];
  const lights = json.extensions?.[LIGHTS] as { lights?: GltfLight[] } | undefined;
  const own = node.extensions?.[LIGHTS] as { light?: number } | undefined;
  const light = lights?.lights?.[own?.light ?? -1];
  const add = (type: string, rotation: number[], ...content: RawFbxNode[]) => {
    const name = node.name ?? type;
    const id = takeId(editor);
    const still = { translation: [0, 0, 0], scale: [1, 1, 1] };
    editor.added.push(fbxModel({ id, name, type, rotation, ...still }));
    const attribute = addObject(editor, "NodeAttribute", [name, "NodeAttribute", type], ...content);
    connect(editor, attribute, id);
    connect(editor, id, parent);
  };
  if (camera) add("Camera", [0, 90, 0], cameraProperties(camera, scale), flags("Camera"));
  if (light) add("Light", [90, 0, 0], lightProperties(light), flags("Light"));
}

function flags(type: string): RawFbxNode {
  return rawNode("TypeFlags", [type]);
}

function cameraProperties({ perspective, orthographic }: GltfCamera, scale: number): RawFbxNode {
  const number = (name: string, value: number) => numbers(name, ["double", "Number", ""], value);
  const { znear = 0.1, zfar = 1000 } = perspective ?? orthographic ?? {};
  const aspect = orthographic
    ? orthographic.xmag / orthographic.ymag
    : (perspective?.aspectRatio ?? 1.5);
  const yfov = perspective?.yfov ?? 0.8;
  return properties(
    property(["CameraProjectionType", "enum"], { int: orthographic ? 1 : 0 }),
    number("AspectWidth", aspect),
    number("AspectHeight", 1),
    number("FilmWidth", (FILM * aspect) / INCH),
    number("FilmHeight", FILM / INCH),
    number("FilmAspectRatio", aspect),
    number("FocalLength", FILM / 2 / Math.tan(yfov / 2)),
    number("FieldOfView", 2 * Math.atan(aspect * Math.tan(yfov / 2)) * DEGREES),
    number("OrthoZoom", 2 * (orthographic?.ymag ?? 0.5)),
    number("NearPlane", znear * scale),
    number("FarPlane", zfar * scale),
  );
}

function lightProperties({ type, color = [1, 1, 1], intensity = 1, spot }: GltfLight): RawFbxNode {
  const cone = 2 * (spot?.outerConeAngle ?? Math.PI / 4) * DEGREES;
  return properties(
    property(["LightType", "enum"], { int: Math.max(LIGHT_TYPES.indexOf(type), 0) }),
    numbers("Color", ["Color", "", "A"], ...color),
    // FBX intensities are percentages.
    numbers("Intensity", ["Number", "", "A"], intensity * 100),
    numbers("OuterAngle", ["Number", "", "A"], cone),
  );
}
