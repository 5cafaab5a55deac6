import { lose } from "../losses.ts";
import type { PictureFinder } from "../scene/images.ts";
import {
  plainMaterial,
  type SceneMaterial,
  type SceneTexture,
  type TextureRole,
} from "../scene/scene.ts";
import { childOf } from "../scene/values.ts";
import { type DaeDocument, refer } from "./dae-document.ts";
import { type XmlElement, xmlDescendants, xmlNumbers } from "./xml.ts";

/** Parts of an effect that may have a map, and what it is in glTF; nothing where glTF has no place for it. */
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

/** Colors and maps of a COLLADA material. */
export async function readDaeMaterial(
  document: DaeDocument,
  material: XmlElement,
  pictures: PictureFinder,
): Promise<SceneMaterial> {
  const effect = refer(document, childOf(material, "instance_effect")?.attributes.url);
  const name = material.attributes.name ?? material.attributes.id ?? "material";
  if (!effect) return plainMaterial(name);
  const textures = await readTextures(document, effect, pictures);
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

async function readTextures(
  document: DaeDocument,
  effect: XmlElement,
  pictures: PictureFinder,
): Promise<Partial<Record<TextureRole, SceneTexture>>> {
  const found: Partial<Record<TextureRole, SceneTexture>> = {};
  for (const [part, role] of ROLES) {
    const sampler = xmlDescendants(effect, part)
      .map((element) => childOf(element, "texture")?.attributes.texture)
      .find((texture) => texture !== undefined);
    if (sampler === undefined) continue;
    if (!role) lose(pictures.lost, `maps of ${part}`);
    const texture = role && (await pictureOf(document, effect, sampler, pictures));
    if (role && texture) found[role] ??= texture;
  }
  return found;
}

/** A color of the effect, each part between 0 and 1; empty where it states none. */
function colorOf(effect: XmlElement, part: string): number[] {
  const [element] = xmlDescendants(effect, part);
  return xmlNumbers(childOf(element, "color"))
    .slice(0, 4)
    .map((value) => Math.min(Math.max(value || 0, 0), 1));
}

/** Opacity; exporters disagree on what 0 means, so that all but clear values are kept. */
function alphaOf(effect: XmlElement): number {
  const [transparent] = xmlDescendants(effect, "transparent");
  const [amount = 1] = xmlNumbers(childOf(xmlDescendants(effect, "transparency")[0], "float"));
  const [r = 0, g = 0, b = 0, a = 1] = colorOf(effect, "transparent");
  const isInverse = /RGB_ZERO/.test(transparent?.attributes.opaque ?? "");
  const alpha = isInverse ? 1 - ((r + g + b) / 3) * amount : a * amount;
  return alpha > 0.01 ? Math.min(alpha, 1) : 1;
}

/** Follows texture → sampler → surface → image → file. */
async function pictureOf(
  document: DaeDocument,
  effect: XmlElement,
  sampler: string,
  pictures: PictureFinder,
): Promise<SceneTexture | undefined> {
  const parameter = (sid: string | undefined) =>
    xmlDescendants(effect, "newparam").find((element) => element.attributes.sid === sid);
  const surface = childOf(childOf(parameter(sampler), "sampler2D"), "source")?.text.trim();
  const image = childOf(childOf(parameter(surface), "surface"), "init_from")?.text.trim();
  const from = childOf(refer(document, image ?? sampler), "init_from");
  // COLLADA 1.5 has it in an element of its own.
  const path = (childOf(from, "ref")?.text ?? from?.text)?.trim();
  return path ? pictures.find(path) : undefined;
}
