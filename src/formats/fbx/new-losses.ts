import type { GltfJson } from "../gltf/gltf-json.ts";
import { type GltfSource, viewBytes } from "../gltf/gltf-source.ts";
import type { GltfMaterial } from "../gltf/material-images.ts";
import { parentsOf } from "../gltf/node-tree.ts";
import { type Losses, reportLoss } from "../losses.ts";
import { imageType } from "../scene/images.ts";

/** Formats that are built from a glTF, whatever the input was. */
type NewFormat = "fbx" | "usd";

/** What of the extensions of a file an FBX holds in another way. */
const HELD =
  /^(?:KHR_lights_punctual|KHR_texture_transform|EXT_texture_webp|KHR_mesh_quantization)$/;

/** Images that a format can hold. */
const IMAGES = { fbx: /png|jpeg|webp|avif/, usd: /png|jpeg/ };

/** Counts what a glTF has and an FBX or a USD made from it does not. */
export function lossesAsNew(source: GltfSource, format: NewFormat): Losses {
  const { json } = source;
  const losses: Losses = new Map();
  for (const material of (json.materials ?? []) as GltfMaterial[]) {
    reportMaterial(source, material, format, losses);
  }
  if (format === "usd") {
    const lights = (json.nodes ?? []).filter(
      ({ extensions }) => extensions?.KHR_lights_punctual !== undefined,
    );
    reportLoss(losses, "cameras", json.cameras?.length);
    reportLoss(losses, "lights", lights.length);
    reportLoss(losses, "animations of nodes that are no joints", idleChannels(json));
  }
  for (const { primitives } of json.meshes ?? []) {
    for (const { mode = 4, targets = [] } of primitives) {
      if (mode < 4) reportLoss(losses, "points and lines");
      if (targets.some(({ NORMAL }) => NORMAL !== undefined)) {
        reportLoss(losses, "normals of morph targets");
      }
    }
  }
  for (const name of Object.keys(json.extensions ?? {})) {
    if (!HELD.test(name)) reportLoss(losses, `${name} extension`);
  }
  reportLoss(losses, "extras", countExtras(json));
  return losses;
}

/** Counts the animations of nodes without a joint above or below; those of other nodes are those of joints. */
function idleChannels(json: GltfJson): number {
  const joints = (json.skins ?? []).flatMap((skin) => skin.joints);
  const parents = parentsOf(json);
  const moving = new Set<number>();
  for (const joint of joints) {
    for (let node = joint; node >= 0 && !moving.has(node); node = parents[node]) moving.add(node);
  }
  const channels = (json.animations ?? []).flatMap((animation) => animation.channels);
  return channels.filter(
    ({ target: { node, path } }) => path !== "weights" && node !== undefined && !moving.has(node),
  ).length;
}

function countExtras(json: GltfJson): number {
  const holders = [json.nodes, json.meshes, json.materials, json.animations].flatMap(
    (list) => (list ?? []) as { extras?: Record<string, unknown> }[],
  );
  // Names of morph targets are carried over.
  return holders.filter(({ extras }) =>
    Object.keys(extras ?? {}).some((key) => key !== "targetNames"),
  ).length;
}

function reportMaterial(
  source: GltfSource,
  material: GltfMaterial,
  format: NewFormat,
  losses: Losses,
): void {
  const isFbx = format === "fbx";
  const { pbrMetallicRoughness: surface = {}, occlusionTexture } = material;
  const { baseColorFactor = [1, 1, 1], baseColorTexture, metallicRoughnessTexture } = surface;
  if (isFbx && occlusionTexture) reportLoss(losses, "occlusion maps");
  if (isFbx && baseColorTexture && baseColorFactor.slice(0, 3).some((value) => value !== 1)) {
    reportLoss(losses, "colors multiplied with a color map");
  }
  for (const name of Object.keys(material.extensions ?? {})) {
    reportLoss(losses, `${name} of materials`);
  }
  const both = metallicRoughnessTexture?.index;
  if (isFbx && both !== undefined && typeOfTexture(source, both) !== "image/png") {
    reportLoss(losses, "metallic-roughness maps that are not PNGs");
  }
  const textures = [
    baseColorTexture,
    metallicRoughnessTexture,
    material.normalTexture,
    material.emissiveTexture,
  ];
  for (const info of textures) {
    if (info?.extensions?.KHR_texture_transform) reportLoss(losses, "texture transforms");
    if (info?.index !== undefined && !IMAGES[format].test(typeOfTexture(source, info.index))) {
      const what = isFbx ? "compressed for graphics cards" : "not PNG or JPEG";
      reportLoss(losses, `images that are missing or ${what}`);
    }
  }
}

function typeOfTexture({ json, ...source }: GltfSource, index: number): string {
  const textures = (json.textures ?? []) as {
    source?: number;
    extensions?: Record<string, { source?: number }>;
  }[];
  const texture = textures[index];
  const extended = Object.values(texture?.extensions ?? {}).map((each) => each?.source);
  const image =
    json.images?.[[texture?.source, ...extended].find((each) => each !== undefined) ?? -1];
  const view = image?.bufferView === undefined ? undefined : json.bufferViews?.[image.bufferView];
  if (view) return imageType(viewBytes({ json, ...source }, view)) ?? "";
  const { uri = "" } = image ?? {};
  const bytes = source.images.get(uri);
  if (bytes) return imageType(bytes) ?? "";
  return /^data:(image\/\w+)/.exec(uri)?.[1] ?? "";
}
