import type { GltfSource } from "../gltf/gltf-source.ts";
import {
  type GltfMaterial,
  type MaterialImage,
  materialImages,
  type TextureInfo,
  type TextureSampler,
} from "../gltf/material-images.ts";
import { identifiers, prim, type UsdPrim, usdList, usdNumber } from "./usd-text.ts";

/** The materials of a USD file, each added once. */
export interface UsdMaterials {
  /** Returns the name of a glTF material's prim. */
  nameOf(material: number): string;
  prims: UsdPrim[];
  /** Images by their path next to the layer. */
  images: Map<string, Uint8Array>;
}

/**
 * Prepares the materials of a glTF as UsdPreviewSurface.
 *
 * @param scope path of the prim above them
 * @param folder folder of their images, next to the layer
 */
export function usdMaterials(source: GltfSource, scope: string, folder: string): UsdMaterials {
  const materials = (source.json.materials ?? []) as GltfMaterial[];
  const images = new Map<string, Uint8Array>();
  const { imageOf, samplerOf } = materialImages(source);
  const names = new Map<number, string>();
  const files = new Map<MaterialImage, string>();
  const [identifier, fileName] = [identifiers(), identifiers()];
  const prims: UsdPrim[] = [];
  const textureOf = (info: TextureInfo | undefined) => {
    const image = imageOf(info);
    // Images of other kinds are reported as not carried over.
    if (!info || !image || !/\.(?:png|jpg)$/.test(image.name)) return undefined;
    const ending = image.name.slice(-4);
    const file = files.get(image) ?? `${folder}/${fileName(image.name.slice(0, -4))}${ending}`;
    files.set(image, file);
    images.set(file, image.bytes);
    return { file, set: info.texCoord ?? 0, sampler: samplerOf(info) };
  };
  return {
    prims,
    images,
    nameOf(index) {
      const known = names.get(index);
      if (known !== undefined) return known;
      const name = identifier(materials[index]?.name ?? `material ${index + 1}`);
      names.set(index, name);
      prims.push(materialPrim(`${scope}/${name}`, name, materials[index] ?? {}, textureOf));
      return name;
    },
  };
}

interface UsdTexture {
  file: string;
  set: number;
  sampler: TextureSampler;
}

function materialPrim(
  path: string,
  name: string,
  { pbrMetallicRoughness: surface = {}, ...material }: GltfMaterial,
  textureOf: (info: TextureInfo | undefined) => UsdTexture | undefined,
): UsdPrim {
  const { baseColorFactor: [r, g, b, a] = [1, 1, 1, 1], emissiveFactor = [0, 0, 0] } = {
    ...surface,
    ...material,
  };
  const { metallicFactor = 1, roughnessFactor = 1 } = surface;
  const inputs: string[] = ['uniform token info:id = "UsdPreviewSurface"'];
  const shaders: UsdPrim[] = [];
  /** Adds a texture; returns what an input connects to. */
  const add = (
    label: string,
    texture: UsdTexture | undefined,
    scale: number[],
    isColor: boolean,
    bias = [0, 0, 0, 0],
  ) => {
    if (!texture) return undefined;
    shaders.push(...textureShaders(path, label, texture, { scale, bias, isColor }));
    return (output: string) => `<${path}/${label}.outputs:${output}>`;
  };
  const input = (type: string, label: string, value: string, from: string | undefined) =>
    inputs.push(
      from === undefined
        ? `${type} inputs:${label} = ${value}`
        : `${type} inputs:${label}.connect = ${from}`,
    );
  const tuple = (values: number[]) => usdList(values, values.length).slice(1, -1);

  const color = add("color", textureOf(surface.baseColorTexture), [r, g, b, a], true);
  input("color3f", "diffuseColor", tuple([r, g, b]), color?.("rgb"));
  if (material.alphaMode === "BLEND" || material.alphaMode === "MASK") {
    input("float", "opacity", usdNumber(a), color?.("a"));
  }
  if (material.alphaMode === "MASK") {
    input("float", "opacityThreshold", usdNumber(material.alphaCutoff ?? 0.5), undefined);
  }
  const factors = [1, roughnessFactor, metallicFactor, 1];
  const both = add("surface", textureOf(surface.metallicRoughnessTexture), factors, false);
  input("float", "roughness", usdNumber(roughnessFactor), both?.("g"));
  input("float", "metallic", usdNumber(metallicFactor), both?.("b"));
  const glow = add("glow", textureOf(material.emissiveTexture), [...emissiveFactor, 1], true);
  input("color3f", "emissiveColor", tuple(emissiveFactor), glow?.("rgb"));
  const occlusion = add("shade", textureOf(material.occlusionTexture), [1, 1, 1, 1], false);
  if (occlusion) input("float", "occlusion", "1", occlusion("r"));
  const bump = textureOf(material.normalTexture);
  const normal = add("bump", bump, [2, 2, 2, 1], false, [-1, -1, -1, 0]);
  if (normal) input("normal3f", "normal", "(0, 0, 1)", normal("rgb"));
  inputs.push("token outputs:surface");
  return prim(
    "Material",
    name,
    [`token outputs:surface.connect = <${path}/Surface.outputs:surface>`],
    [prim("Shader", "Surface", inputs), ...shaders],
  );
}

/** Returns the shader of a texture, and that of its coordinates. */
function textureShaders(
  path: string,
  label: string,
  { file, set, sampler }: UsdTexture,
  { scale, bias, isColor }: { scale: number[]; bias: number[]; isColor: boolean },
): UsdPrim[] {
  const reader = `${label}_st`;
  const tuple = (values: number[]) => usdList(values, 4).slice(1, -1);
  return [
    prim("Shader", reader, [
      'uniform token info:id = "UsdPrimvarReader_float2"',
      `string inputs:varname = "${uvName(set)}"`,
      "float2 outputs:result",
    ]),
    prim("Shader", label, [
      'uniform token info:id = "UsdUVTexture"',
      `asset inputs:file = @${file}@`,
      `float2 inputs:st.connect = <${path}/${reader}.outputs:result>`,
      `token inputs:wrapS = "${wrapOf(sampler.wrapS)}"`,
      `token inputs:wrapT = "${wrapOf(sampler.wrapT)}"`,
      `token inputs:sourceColorSpace = "${isColor ? "sRGB" : "raw"}"`,
      `float4 inputs:scale = ${tuple(scale)}`,
      `float4 inputs:bias = ${tuple(bias)}`,
      "float outputs:r",
      "float outputs:g",
      "float outputs:b",
      "float outputs:a",
      "float3 outputs:rgb",
    ]),
  ];
}

/** Returns the name of a UV set. */
export function uvName(set: number): string {
  return set === 0 ? "st" : `st${set}`;
}

function wrapOf(code: number | undefined): string {
  return code === 33071 ? "clamp" : code === 33648 ? "mirror" : "repeat";
}
