import { pictureType } from "../is-picture.ts";
import type { SceneMaterial, SceneTexture } from "../scene.ts";
import { addView, type GltfDraft } from "./gltf-draft.ts";

const CLAMP = 33071;
const REPEAT = 10497;

/** Where pictures and textures were stored, so that materials share them. */
export interface StoredTextures {
  images: Map<Uint8Array, number>;
  textures: Map<string, number>;
}

/** Adds a material; pictures that glTF wants in one must be in one already. What is undefined is not stored. */
export function addMaterial(
  draft: GltfDraft,
  material: SceneMaterial,
  stored: StoredTextures,
): void {
  const { name, color, emissive, textures = {} } = material;
  const use = (texture: SceneTexture | undefined) => addTexture(draft, texture, stored);
  const surface = {
    baseColorFactor: color,
    metallicFactor: material.metallic ?? 0,
    roughnessFactor: material.roughness ?? 0.9,
    baseColorTexture: use(textures.color),
    metallicRoughnessTexture: use(textures.metallicRoughness),
  };
  const isClear = color[3] < 1 || textures.opacity !== undefined;
  draft.json.materials ??= [];
  draft.json.materials.push({
    name,
    pbrMetallicRoughness: surface,
    normalTexture: use(textures.normal),
    occlusionTexture: use(textures.occlusion),
    emissiveTexture: use(textures.emissive),
    emissiveFactor: emissive?.some((value) => value > 0) ? emissive : undefined,
    doubleSided: material.isDoubleSided ?? true,
    alphaMode: isClear ? "BLEND" : undefined,
  });
}

function addTexture(
  draft: GltfDraft,
  texture: SceneTexture | undefined,
  stored: StoredTextures,
): { index: number; texCoord: number | undefined } | undefined {
  if (!texture) return undefined;
  const { json } = draft;
  const { picture, name, uvSet = 0, clamps = [false, false] } = texture;
  let source = stored.images.get(picture);
  if (source === undefined) {
    const mimeType = pictureType(picture) ?? "image/png";
    json.images ??= [];
    source = json.images.push({ bufferView: addView(draft, picture), mimeType, name }) - 1;
    stored.images.set(picture, source);
  }
  const key = `${source}/${clamps.join()}`;
  let index = stored.textures.get(key);
  if (index === undefined) {
    json.textures ??= [];
    const sampler = clamps.includes(true) ? addSampler(draft, clamps) : undefined;
    index = json.textures.push({ source, sampler }) - 1;
    stored.textures.set(key, index);
  }
  return { index, texCoord: uvSet > 0 ? uvSet : undefined };
}

function addSampler({ json }: GltfDraft, clamps: [boolean, boolean]): number {
  const [wrapS, wrapT] = clamps.map((clamp) => (clamp ? CLAMP : REPEAT));
  json.samplers ??= [];
  return json.samplers.push({ wrapS, wrapT }) - 1;
}
