import { fillEmpty } from "../finish/fill-empty.ts";
import { InputError, refuseUnknownOptions } from "../input-error.ts";
import type { MotionClip } from "../motion/motions.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";
import { DEFAULT_INFLUENCES, limitInfluences } from "../weights/weight-locks.ts";
import type { CharacterFile } from "./character-file.ts";
import { writeDae } from "./dae/write-dae.ts";
import { gltfToFbx } from "./fbx/gltf-to-fbx.ts";
import { writeFbx } from "./fbx/write-fbx.ts";
import { align4, joinGlb } from "./gltf/glb.ts";
import { addView, countUses, createGltfBuilder, type GltfBuilder } from "./gltf/gltf-builder.ts";
import { addEntry, entry, isVrm } from "./gltf/gltf-json.ts";
import { decodeDataUri, type GltfSource, isEditedIn } from "./gltf/gltf-source.ts";
import { fillMissingImages, imageSidecars } from "./gltf/material-images.ts";
import { liftSkinnedNodes, placeSkins } from "./gltf/place-skins.ts";
import type { MeshPart } from "./gltf/read-parts.ts";
import { carryAnimations, writeMotions } from "./gltf/write-animations.ts";
import { writeHumanoid } from "./gltf/write-humanoid.ts";
import { type WeightType, writePartWeights } from "./gltf/write-part-weights.ts";
import { isUsd, type OutputFormat } from "./registry.ts";
import { imageType } from "./scene/images.ts";
import { gltfToUsd, packUsdz } from "./usd/gltf-to-usd.ts";

/** Options for {@link writeCharacter}. */
export interface WriteCharacterOptions {
  /** Default: the format the character was read from, or glb where that cannot be written. */
  format?: OutputFormat | undefined;
  /** Maximum joints per vertex, 1 to 8; default 4. */
  maxInfluences?: number | undefined;
  /** Storage type of weights; default float32. Integers sum exactly to 255 or 65535. */
  weightType?: WeightType | undefined;
  /** Clips to add as animations of the joints; not in dae. An FBX is written from its glTF then. */
  motions?: readonly MotionClip[] | undefined;
  /** The file that the skeleton came from, whose animations are carried over to the joints. */
  animationsOf?: CharacterFile | undefined;
  /** Whether to describe the joints as a VRM 1.0 humanoid, by their roles; a .vrm requires it. */
  humanoid?: boolean | undefined;
  /**
   * Whether skinned meshes move to the top of the scene without their transform, as the Khronos validator
   * recommends; by default they stay where they are in the node tree. glb, gltf and vrm only.
   */
  liftMeshes?: boolean | undefined;
  /** Base name of the files a .gltf refers to, and name in a USD; default the character's name. */
  name?: string | undefined;
}

const WRITE_OPTIONS: readonly (keyof WriteCharacterOptions)[] = [
  "format",
  "maxInfluences",
  "weightType",
  "motions",
  "animationsOf",
  "humanoid",
  "liftMeshes",
  "name",
];

/** A written character: one file, and the sidecar files that a .gltf or .usda refers to. */
export interface WrittenCharacter {
  format: OutputFormat;
  bytes: Uint8Array;
  /** By URI; empty for other formats. */
  sidecars: Map<string, Uint8Array>;
}

/**
 * Writes weights into the file a character was read from and returns its bytes.
 *
 * JOINTS and WEIGHTS are replaced or added, missing skins and joints are added, and everything else is
 * carried over as it was: the JSON is edited, not rebuilt.
 *
 * @param weights a row per vertex of the character
 */
export function writeCharacter(
  file: CharacterFile,
  weights: SkinWeights,
  options: WriteCharacterOptions = {},
): WrittenCharacter {
  refuseUnknownOptions(options, WRITE_OPTIONS);
  const isKept = file.format === "gltf" || file.format === "vrm";
  const format = options.format ?? (isKept ? (file.format as OutputFormat) : "glb");
  const { maxInfluences = DEFAULT_INFLUENCES, weightType = "float32" } = options;
  checkRequest(file, weights, format, options);
  // Every vertex of the output must have weights.
  const limited = fillEmpty(limitInfluences(weights, maxInfluences), file.character).weights;
  const alone = (bytes: Uint8Array) => ({ format, bytes, sidecars: new Map() });
  if (format === "dae") return alone(writeDae(file, limited));
  if (format === "fbx" && isEditedIn(file, format, options)) return alone(writeFbx(file, limited));
  const builder = createGltfBuilder(file.source.json, file.source.buffers);
  const parts = ownMeshes(builder, file.parts);
  const { nodes, indices } = placeSkins(builder, file, parts, limited);
  if (options.animationsOf) carryAnimations(builder, file.rig, nodes, options.animationsOf);
  writeMotions(builder, file.rig, nodes, options.motions ?? []);
  if (format === "fbx" || isUsd(format)) {
    const source = { ...file.source, json: builder.json, buffers: [builtBytes(builder)] };
    const rigged = { source, parts, rig: file.rig, nodes, weights: limited };
    if (format === "fbx") return alone(gltfToFbx(rigged));
    const usd = gltfToUsd(rigged, options.name ?? file.character.name, format === "usda");
    if (format === "usdz") return alone(packUsdz(usd));
    return { format, bytes: new TextEncoder().encode(usd.text), sidecars: usd.images };
  }
  const uses = countUses(builder.json);
  for (const part of parts) {
    writePartWeights(builder, part, limited, indices.get(part)!, weightType, uses);
  }
  if (options.liftMeshes)
    liftSkinnedNodes(
      builder.json,
      parts.flatMap((part) => part.nodes),
    );
  if (options.humanoid) writeHumanoid(builder.json, file, nodes);
  const name = options.name ?? file.character.name;
  return format === "gltf"
    ? asGltf(builder, file.source, name)
    : asGlb(builder, file.source, format);
}

function builtBytes({ bytes, size }: GltfBuilder): Uint8Array {
  return bytes.subarray(0, size);
}

function checkRequest(
  file: CharacterFile,
  weights: SkinWeights,
  format: OutputFormat,
  { maxInfluences = DEFAULT_INFLUENCES, motions = [], humanoid }: WriteCharacterOptions,
): void {
  const vertices = file.character.mesh.positions.length / 3;
  if (weights.weights.length !== vertices * weights.influences) {
    throw new Error(
      `writeCharacter: weights must have a row for each of ${vertices} vertices, got ${weights.weights.length / weights.influences}.`,
    );
  }
  if (!(Number.isInteger(maxInfluences) && maxInfluences >= 1 && maxInfluences <= 8)) {
    throw new InputError(`${maxInfluences} influences per vertex cannot be written; use 1 to 8.`);
  }
  if (format === "dae" && motions.length > 0) {
    throw new InputError("Motions cannot be written into .dae; write a .glb or .fbx.");
  }
  if (format === "vrm" && !isVrm(file.source.json) && !humanoid) {
    throw new InputError(
      `${file.source.name}: it is not a VRM, so it cannot be written as one; write a .glb.`,
    );
  }
}

/** Weights belong to a mesh, so a mesh shown with two skins or by two nodes is copied. */
function ownMeshes({ json }: GltfBuilder, parts: MeshPart[]): MeshPart[] {
  const owner = new Map<number, string>();
  const copies = new Map<string, number>();
  return parts.map((part) => {
    const key = `${part.mesh}/${part.nodes.join()}`;
    if (!owner.has(part.mesh)) owner.set(part.mesh, key);
    if (owner.get(part.mesh) === key) return part;
    let copy = copies.get(key);
    if (copy === undefined) {
      copy = addEntry(json, "meshes", structuredClone(entry(json, "meshes", part.mesh)));
      copies.set(key, copy);
      for (const node of part.nodes) entry(json, "nodes", node).mesh = copy;
    }
    return { ...part, mesh: copy };
  });
}

function asGlb(builder: GltfBuilder, source: GltfSource, format: "glb" | "vrm"): WrittenCharacter {
  const { json } = builder;
  fillMissingImages(json, source, (image, pixel) => {
    image.bufferView = addView(builder, decodeDataUri(pixel)!);
  });
  for (const image of json.images ?? []) {
    const bytes = typeof image.uri === "string" ? source.images.get(image.uri) : undefined;
    if (!bytes) continue;
    image.bufferView = addView(builder, bytes);
    image.mimeType ??= imageType(bytes) ?? "image/png";
    image.name ??= image.uri!.replace(/^.*\//, "");
    delete image.uri;
  }
  finishBuffer(builder);
  return {
    format,
    bytes: joinGlb(json, builtBytes(builder)),
    sidecars: new Map(),
  };
}

function asGltf(builder: GltfBuilder, source: GltfSource, name: string): WrittenCharacter {
  fillMissingImages(builder.json, source, (image, pixel) => {
    image.uri = pixel;
  });
  const sidecars = imageSidecars(builder.json, source);
  const uri = `${encodeURIComponent(name)}.bin`;
  const buffer = finishBuffer(builder);
  if (buffer) {
    buffer.uri = uri;
    sidecars.set(uri, builder.bytes.slice(0, builder.size));
  }
  const bytes = new TextEncoder().encode(JSON.stringify(builder.json));
  return { format: "gltf", bytes, sidecars };
}

function finishBuffer(builder: GltfBuilder) {
  if (builder.size === 0) {
    delete builder.json.buffers;
    return undefined;
  }
  builder.size = align4(builder.size);
  const [old = { byteLength: 0 }] = builder.json.buffers ?? [];
  const { uri: _, byteLength: __, extensions: ___, ...kept } = old;
  const buffer: { byteLength: number; uri?: string } = { ...kept, byteLength: builder.size };
  builder.json.buffers = [buffer];
  return buffer;
}

/** Returns the format that keeps everything but the weights; a GLB if the input cannot be written. */
export function ownFormat({ source, format }: CharacterFile): OutputFormat {
  if (isVrm(source.json)) return "vrm";
  if (source.fbx) return "fbx";
  if (source.dae) return "dae";
  return format === "gltf" ? "gltf" : "glb";
}
