import { reportLoss } from "../losses.ts";
import type { ImageFinder } from "../scene/images.ts";
import {
  plainMaterial,
  type SceneCamera,
  type SceneLight,
  type SceneMaterial,
  type SceneNode,
  type SceneTexture,
  type TextureRole,
} from "../scene/scene.ts";
import { childOf } from "../scene/values.ts";
import { type DaeDocument, refer } from "./dae-document.ts";
import { type XmlElement, xmlDescendants, xmlNumbers } from "./xml.ts";

/** Parts of an effect that may have a texture, and its role in glTF; undefined if glTF has none. */
const ROLES: readonly [string, TextureRole | undefined][] = [
  ["diffuse", "color"],
  ["emission", "emissive"],
  ["transparent", "opacity"],
  ["bump", "normal"],
  ["normal", "normal"],
  ["ambient", undefined],
  ["specular", undefined],
  ["shininess", undefined],
  ["reflective", undefined],
];

/** Reads the colors and textures of a COLLADA material. */
export async function readDaeMaterial(
  document: DaeDocument,
  material: XmlElement,
  images: ImageFinder,
): Promise<SceneMaterial> {
  const effect = refer(document, childOf(material, "instance_effect")?.attributes.url);
  const name = material.attributes.name ?? material.attributes.id ?? "material";
  if (!effect) return plainMaterial(name);
  const textures = await readTextures(document, effect, images);
  const [r = 0.8, g = 0.8, b = 0.8] = textures.color ? [1, 1, 1] : colorOf(effect, "diffuse");
  const emissive = textures.emissive ? [1, 1, 1] : colorOf(effect, "emission");
  const sides = xmlDescendants(effect, "double_sided")[0]?.text.trim();
  return {
    name,
    color: [r, g, b, textures.opacity ? 1 : alphaOf(effect)],
    emissive: emissive.length >= 3 ? emissive.slice(0, 3) : undefined,
    isDoubleSided: sides !== "0" && sides !== "false",
    textures,
  };
}

async function readTextures(document: DaeDocument, effect: XmlElement, images: ImageFinder) {
  const found: Partial<Record<TextureRole, SceneTexture>> = {};
  for (const [part, role] of ROLES) {
    const sampler = xmlDescendants(effect, part)
      .map((element) => childOf(element, "texture")?.attributes.texture)
      .find((texture) => texture !== undefined);
    if (sampler === undefined) continue;
    if (!role) reportLoss(images.losses, `${part} textures`);
    const texture = role && (await imageOf(document, effect, sampler, images));
    if (role && texture) found[role] ??= texture;
  }
  return found;
}

/** Returns a color of the effect, clamped to 0..1; empty if it has none. */
function colorOf(effect: XmlElement, part: string): number[] {
  const [element] = xmlDescendants(effect, part);
  return xmlNumbers(childOf(element, "color"))
    .slice(0, 4)
    .map((value) => Math.min(Math.max(value || 0, 0), 1));
}

/** Opacity. Exporters disagree on the meaning of 0, so fully transparent values count as opaque. */
function alphaOf(effect: XmlElement): number {
  const [transparent] = xmlDescendants(effect, "transparent");
  const [amount = 1] = xmlNumbers(childOf(xmlDescendants(effect, "transparency")[0], "float"));
  const [r = 0, g = 0, b = 0, a = 1] = colorOf(effect, "transparent");
  const isInverse = /RGB_ZERO/.test(transparent?.attributes.opaque ?? "");
  const alpha = isInverse ? 1 - ((r + g + b) / 3) * amount : a * amount;
  return alpha > 0.01 ? Math.min(alpha, 1) : 1;
}

/** Follows texture → sampler → surface → image → file. */
async function imageOf(
  document: DaeDocument,
  effect: XmlElement,
  sampler: string,
  images: ImageFinder,
): Promise<SceneTexture | undefined> {
  const parameter = (sid: string | undefined) =>
    xmlDescendants(effect, "newparam").find((element) => element.attributes.sid === sid);
  const surface = childOf(childOf(parameter(sampler), "sampler2D"), "source")?.text.trim();
  const image = childOf(childOf(parameter(surface), "surface"), "init_from")?.text.trim();
  const from = childOf(refer(document, image ?? sampler), "init_from");
  // COLLADA 1.5 has the path in a child element.
  const path = (childOf(from, "ref")?.text ?? from?.text)?.trim();
  return path ? images.find(path) : undefined;
}

const DEGREE = Math.PI / 180;
/**
 * Reads the camera and the light of a COLLADA node; both look along -z, as in glTF.
 *
 * @param unit meters per unit of the file
 */
export function readDaeCamera(
  document: DaeDocument,
  node: XmlElement,
  unit: number,
): Pick<SceneNode, "camera" | "light"> {
  const shown = (kind: string) =>
    refer(document, childOf(node, `instance_${kind}`)?.attributes.url);
  const [camera, light] = [shown("camera"), shown("light")];
  const read = light && lightOf(light);
  if (light && !read) reportLoss(document.losses, "ambient lights");
  return { camera: camera && cameraOf(camera, unit), light: read };
}

function cameraOf(camera: XmlElement, unit: number): SceneCamera {
  const number = (name: string) => xmlNumbers(xmlDescendants(camera, name)[0])[0];
  const positive = (value: number | undefined, fallback: number) =>
    value !== undefined && value > 0 && value < Infinity ? value : fallback;
  const near = positive(number("znear"), 0.1) * unit;
  const far = Math.max(positive(number("zfar"), 1000) * unit, near * 10);
  const aspect = positive(number("aspect_ratio"), 1.5);
  if (xmlDescendants(camera, "orthographic").length > 0) {
    const height = positive(number("ymag"), positive(number("xmag"), aspect) / aspect);
    return { ymag: height * unit, aspect, near, far };
  }
  const wide = positive(number("xfov"), 50) * DEGREE;
  const stated = number("yfov");
  const yfov = stated > 0 ? stated * DEGREE : 2 * Math.atan(Math.tan(wide / 2) / aspect);
  return { yfov: Math.min(Math.max(yfov, 0.01), 3.1), aspect, near, far };
}

function lightOf(light: XmlElement): SceneLight | undefined {
  const common = childOf(light, "technique_common");
  const kind = common?.children.find(({ name }) => ["point", "directional", "spot"].includes(name));
  if (!kind) return undefined;
  const rgb = [0, 1, 2].map((c) => Math.max(xmlNumbers(childOf(kind, "color"))[c] || 0, 0));
  const intensity = Math.max(1, ...rgb);
  const [cone = 180] = xmlNumbers(childOf(kind, "falloff_angle"));
  return {
    type: kind.name as SceneLight["type"],
    color: rgb.map((value) => value / intensity),
    intensity: Number.isFinite(intensity) ? intensity : 1,
    angle: ((cone > 0 ? cone : 180) / 2) * DEGREE,
  };
}
