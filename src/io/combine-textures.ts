import { decodePng } from "../picture/decode-png.ts";
import type { Picture } from "../picture/picture.ts";
import { encodePng } from "../picture/png.ts";
import { type Losses, lose } from "./losses.ts";
import type { SceneMaterial, SceneTexture } from "./scene.ts";

/**
 * Brings the maps of a material to those glTF has: opacity is the alpha of the colour map, metal and
 * roughness are blue and green of one map, which is painted of two PNGs. What cannot be so is lost.
 */
export function combineTextures(material: SceneMaterial, lost: Losses): SceneMaterial {
  const { color, opacity, roughness, metallic, ...rest } = material.textures ?? {};
  const out: SceneMaterial = { ...material, textures: { ...rest, ...(color ? { color } : {}) } };
  const textures = out.textures ?? {};
  if (opacity && opacity.picture === color?.picture) textures.opacity = opacity;
  else if (opacity) lose(lost, "opacity maps apart from the colour map");
  // A grey map of roughness says nothing about metal as long as the factor is 0.
  if (roughness) textures.metallicRoughness = roughness;
  if (!metallic || metallic.picture === roughness?.picture) return out;
  const both = paintBoth(metallic, roughness);
  if (both) textures.metallicRoughness = both;
  else {
    out.metallic = 0;
    lose(lost, "metal maps that are no PNG, or beside a map of roughness that is none");
  }
  return out;
}

/** One map of two: roughness in green (full where there is none), metal in blue. */
function paintBoth(
  metallic: SceneTexture,
  roughness: SceneTexture | undefined,
): SceneTexture | undefined {
  const metal = decodePng(metallic.picture);
  const rough = roughness && decodePng(roughness.picture);
  if (!metal || (roughness && !rough)) return undefined;
  const { width, height } = rough && rough.width > metal.width ? rough : metal;
  const pixels = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let p = 0; p < width * height; p++) {
    const [u, v] = [((p % width) + 0.5) / width, (Math.floor(p / width) + 0.5) / height];
    if (rough) pixels[p * 4 + 1] = redAt(rough, u, v);
    pixels[p * 4 + 2] = redAt(metal, u, v);
  }
  const name = `${metallic.name.replace(/\.\w+$/, "")}-roughness.png`;
  return { ...metallic, name, picture: encodePng({ width, height, pixels }) };
}

function redAt({ width, height, pixels }: Picture, u: number, v: number): number {
  return pixels[(Math.floor(v * height) * width + Math.floor(u * width)) * 4];
}
