import { type Losses, lose } from "./losses.ts";
import type { SceneMaterial } from "./scene.ts";

/**
 * Brings the maps of a material to those glTF has: opacity is the alpha of the colour map, metal and
 * roughness are blue and green of one map. Maps that would have to be painted together are lost.
 */
export function combineTextures(material: SceneMaterial, lost: Losses): SceneMaterial {
  const { color, opacity, roughness, metallic, ...rest } = material.textures ?? {};
  const out: SceneMaterial = { ...material, textures: { ...rest, ...(color ? { color } : {}) } };
  const textures = out.textures ?? {};
  if (opacity && opacity.picture === color?.picture) textures.opacity = opacity;
  else if (opacity) lose(lost, "opacity maps apart from the colour map");
  // A grey map of roughness says nothing about metal as long as the factor is 0.
  if (roughness) textures.metallicRoughness = roughness;
  if (metallic && metallic.picture !== roughness?.picture) {
    out.metallic = 0;
    lose(lost, "metal maps apart from a map of roughness");
  }
  return out;
}
