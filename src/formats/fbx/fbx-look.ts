import { composeMat4 } from "../../math/mat4.ts";
import { quaternionFromAxisAngle } from "../../math/quaternion.ts";
import { baseName } from "../endings.ts";
import { reportLoss } from "../losses.ts";
import { type ImageFinder, isPngOrJpeg, reportImage } from "../scene/images.ts";
import type {
  SceneCamera,
  SceneLight,
  SceneMaterial,
  SceneNode,
  SceneTexture,
  TextureRole,
} from "../scene/scene.ts";
import { childOf } from "../scene/values.ts";
import {
  belowOf,
  embeddedBytes,
  type FbxDocument,
  type FbxNode,
  type FbxObject,
  numberOf,
  textOf,
  vectorOf,
} from "./fbx-node.ts";

/** The role of a texture, by exporters' names for the material property it drives. */
const ROLES: readonly [TextureRole, RegExp][] = [
  ["normal", /normal|bump/i],
  ["opacity", /transparen|opacity|cutout/i],
  ["emissive", /emissive|emission|emit_color/i],
  ["metallic", /metal|^ReflectionFactor$/i],
  ["roughness", /rough|^Shininess/i],
  ["occlusion", /ao_map|occlusion/i],
  ["color", /^$|diffuse|base_?color|color_map|\|basecolor/i],
];

/** The color of a surface whose texture is not there: a light gray. */
const NEUTRAL = [0.6, 0.6, 0.6];

type Textures = Partial<Record<TextureRole, SceneTexture>>;

/** Reads a material of an FBX and its textures that glTF supports. */
export async function readFbxMaterial(
  document: FbxDocument,
  material: FbxObject,
  findImage: FindImage,
  uvNames: string[],
): Promise<SceneMaterial> {
  const { node, name } = material;
  const { textures, missing } = await readTextures(document, material, findImage, uvNames);
  const clamp = (value: number) => Math.min(Math.max(value, 0), 1);
  const [r, g, b] = vectorOf(node, "DiffuseColor", vectorOf(node, "Diffuse", [0.8, 0.8, 0.8]));
  const opacity = numberOf(node, "Opacity", 1 - numberOf(node, "TransparencyFactor", 0));
  // Exporters disagree on the meaning of TransparencyFactor 1, so fully transparent counts as opaque.
  const alpha = opacity > 0.01 && !textures.opacity ? Math.min(opacity, 1) : 1;
  // In FBX a texture replaces the color, which is often black then; glTF would multiply them.
  const plain = missing.has("color") ? NEUTRAL : [clamp(r), clamp(g), clamp(b)];
  const color = textures.color ? [1, 1, 1] : plain;
  const glow = numberOf(node, "EmissiveFactor", 1);
  const emissive = textures.emissive
    ? [1, 1, 1]
    : vectorOf(node, "EmissiveColor", vectorOf(node, "Emissive", [0, 0, 0])).map((value) =>
        clamp(value * glow),
      );
  return {
    name,
    color: [color[0], color[1], color[2], alpha],
    emissive,
    ...surfaceOf(material, textures),
    textures,
  };
}

/** Metallic and roughness: as stated by physically based materials, else derived from the shininess. */
function surfaceOf({ node }: FbxObject, textures: Textures) {
  const stated = (names: string[]) =>
    names.map((name) => numberOf(node, name, Number.NaN)).find((value) => value >= 0 && value <= 1);
  const shine = numberOf(node, "ShininessExponent", numberOf(node, "Shininess", Number.NaN));
  const isDull = /lambert/i.test(textOf(node, "ShadingModel"));
  // Blender's conversion of roughness to shininess.
  const byShine = shine >= 0 && !isDull ? 1 - Math.sqrt(Math.min(shine, 100)) / 10 : undefined;
  const roughness = stated(["Maya|roughness", "3dsMax|Parameters|roughness"]) ?? byShine;
  const metallic = stated(["Maya|metallic", "3dsMax|Parameters|metalness"]);
  return {
    roughness: textures.roughness ? 1 : roughness,
    metallic: textures.metallic ? 1 : metallic,
  };
}

async function readTextures(
  document: FbxDocument,
  material: FbxObject,
  findImage: FindImage,
  uvNames: string[],
): Promise<{ textures: Textures; missing: Set<TextureRole> }> {
  const found: Textures = {};
  const missing = new Set<TextureRole>();
  const driven = (document.below.get(material.id) ?? []).flatMap(({ object, property }) => {
    if (object.kind === "Texture") return [{ object, property }];
    if (object.kind !== "LayeredTexture") return [];
    const layers = (document.below.get(object.id) ?? []).filter(
      (layer) => layer.object.kind === "Texture",
    );
    reportLoss(document.losses, "texture layers beyond the first", layers.length - 1);
    return layers.slice(0, 1).map((layer) => ({ object: layer.object, property }));
  });
  for (const { object, property } of driven) {
    const role = ROLES.find(([, words]) => words.test(property))?.[0];
    if (!role || found[role]) {
      reportLoss(document.losses, role ? `second ${role} textures` : `${property} textures`);
      continue;
    }
    const picture = await findImage(object);
    if (!picture) {
      missing.add(role);
      continue;
    }
    const uvSet = Math.max(0, uvNames.indexOf(textOfProperty(object, "UVSet")));
    const clamps: [boolean, boolean] = [
      numberOf(object.node, "WrapModeU", 0) === 1,
      numberOf(object.node, "WrapModeV", 0) === 1,
    ];
    if (isPlaced(object)) reportLoss(document.losses, "texture transforms");
    found[role] = { ...picture, uvSet, clamps };
  }
  return { textures: found, missing };
}

/** Whether a texture is translated, rotated or scaled on its surface. */
function isPlaced({ node }: FbxObject): boolean {
  const still = (name: string, value: number) =>
    vectorOf(node, name, [value, value, value])
      .slice(0, 2)
      .every((v) => Math.abs(v - value) < 1e-6);
  return !(still("Scaling", 1) && still("Translation", 0) && still("Rotation", 0));
}

function textOfProperty({ node }: FbxObject, name: string): string {
  const properties = node.children.find((child) => child.name === "Properties70");
  const value = properties?.children.find(({ values }) => values[0] === name)?.values[4];
  return typeof value === "string" ? value : "";
}

/** Finds the image of a texture; the same file yields the same array. */
type FindImage = (texture: FbxObject) => Promise<SceneTexture | undefined>;

/** Finds images embedded in an FBX or next to it; reports missing and unsupported ones. */
export function fbxImages(document: FbxDocument, external: ImageFinder): FindImage {
  const embedded = embeddedImages(document);
  return async (texture) => {
    const sources = [...belowOf(document, texture, "Video"), texture];
    const paths = sources.flatMap(pathsOf);
    const name = baseName(paths[0] ?? texture.name);
    const inside =
      sources.map(contentOf).find((content) => content !== undefined) ??
      paths.map((path) => embedded.get(baseName(path))).find((content) => content !== undefined);
    if (inside && isPngOrJpeg(inside)) return { picture: inside, name };
    let isThere = inside !== undefined;
    for (const path of new Set(paths)) {
      const bytes = await external.fetch(encodeURI(path.replaceAll("\\", "/")));
      if (bytes && isPngOrJpeg(bytes)) return { picture: bytes, name };
      isThere ||= bytes !== undefined;
    }
    if (isThere || paths.length > 0) reportImage(external, paths[0] ?? name, isThere);
    return undefined;
  };
}

/** Image paths of a texture or video; some exporters write a mere "..". */
function pathsOf({ node }: FbxObject): string[] {
  return ["RelativeFilename", "FileName", "Filename"]
    .map((key) => textOf(node, key))
    .filter((path) => /[^./\\]/.test(path));
}

function contentOf({ node }: FbxObject): Uint8Array | undefined {
  const content = childOf(node, "Content");
  return content && embeddedBytes(content);
}

/** Maps file names to embedded images; only one of several videos of an image may hold it. */
function embeddedImages({ objects }: FbxDocument): Map<string, Uint8Array> {
  const found = new Map<string, Uint8Array>();
  for (const object of objects.values()) {
    const content = object.kind === "Video" ? contentOf(object) : undefined;
    if (content) for (const path of pathsOf(object)) found.set(baseName(path), content);
  }
  return found;
}

const LIGHT_TYPES: readonly SceneLight["type"][] = ["point", "directional", "spot"];

const DEGREE = Math.PI / 180;

/** Whether a model is one of the built-in viewport cameras of FBX files. */
export function isProducer({ type, name }: FbxObject): boolean {
  return type === "CameraSwitcher" || (type === "Camera" && /^Producer /.test(name));
}

/**
 * Reads the camera or light of a model as a child node: FBX cameras look along x and lights along -y,
 * in glTF both look along -z.
 *
 * @param unit meters per unit of the file
 */
export function readFbxCamera(
  document: FbxDocument,
  model: FbxObject,
  parent: number,
  unit: number,
): SceneNode | undefined {
  if (model.type !== "Camera" && model.type !== "Light") return undefined;
  const node = belowOf(document, model, "NodeAttribute")[0]?.node ?? model.node;
  const isCamera = model.type === "Camera";
  const rotation = quaternionFromAxisAngle(isCamera ? [0, 1, 0] : [1, 0, 0], -Math.PI / 2);
  const matrix = composeMat4([0, 0, 0], rotation);
  if (isCamera) return { name: model.name, parent, matrix, camera: cameraOf(node, unit) };
  const light = lightOf(node);
  if (!light) reportLoss(document.losses, "area and volume lights");
  return light && { name: model.name, parent, matrix, light };
}

function cameraOf(node: FbxNode, unit: number): SceneCamera {
  const near = Math.max(numberOf(node, "NearPlane", 10) * unit, 1e-4);
  const far = Math.max(numberOf(node, "FarPlane", 4000) * unit, near * 10);
  const height = positive(numberOf(node, "FilmHeight", 0));
  const aspect = positive(numberOf(node, "FilmWidth", 0)) / height || 1.5;
  if (numberOf(node, "CameraProjectionType", 0) === 1) {
    return { ymag: (positive(numberOf(node, "OrthoZoom", 1)) || 1) / 2, aspect, near, far };
  }
  const focal = positive(numberOf(node, "FocalLength", 0));
  const wide = numberOf(node, "FieldOfView", 40) * DEGREE;
  // The film is in inches, the focal length in millimeters.
  const yfov =
    focal && height
      ? 2 * Math.atan((height * 25.4) / 2 / focal)
      : 2 * Math.atan(Math.tan(wide / 2) / aspect);
  return { yfov: Math.min(Math.max(yfov, 0.01), 3.1), aspect, near, far };
}

function lightOf(node: FbxNode): SceneLight | undefined {
  const type = LIGHT_TYPES[numberOf(node, "LightType", 0)];
  if (!type) return undefined;
  const cone = numberOf(node, "OuterAngle", numberOf(node, "Cone angle", 45));
  return {
    type,
    color: vectorOf(node, "Color", [1, 1, 1]).map((value) => Math.min(Math.max(value, 0), 1)),
    // FBX intensities are percentages.
    intensity: Math.max(numberOf(node, "Intensity", 100), 0) / 100,
    angle: (cone / 2) * DEGREE,
  };
}

function positive(value: number): number {
  return value > 0 ? value : 0;
}
