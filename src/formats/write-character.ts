import { fillEmpty } from "../finish/fill-empty.ts";
import { InputError } from "../input-error.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";
import { limitInfluences, USUAL_INFLUENCES } from "../weights/weight-locks.ts";
import type { CharacterFile } from "./character-file.ts";
import { writeDae } from "./dae/write-dae.ts";
import { writeFbx } from "./fbx/write-fbx.ts";
import { align4, joinGlb } from "./gltf/glb.ts";
import { addView, draftGltf, type GltfDraft } from "./gltf/gltf-builder.ts";
import { addEntry, entry, isVrm } from "./gltf/gltf-json.ts";
import { decodeDataUri, type GltfSource } from "./gltf/gltf-source.ts";
import { liftSkinnedNodes, placeSkins } from "./gltf/place-skins.ts";
import type { MeshPart } from "./gltf/read-parts.ts";
import { fillMissingImages, imagesBeside } from "./gltf/write-images.ts";
import { type WeightType, writePartWeights } from "./gltf/write-part-weights.ts";
import { OLDEST_WRITTEN } from "./origins.ts";
import type { OutputFormat } from "./registry.ts";
import { pictureType } from "./scene/images.ts";

/** Options for {@link writeCharacter}. */
export interface WriteCharacterOptions {
  /** Default: the format the character was read from, or glb where that cannot be written. */
  format?: OutputFormat | undefined;
  /** Most joints per vertex, 1 to 8; default 4. */
  maxInfluences?: number | undefined;
  /** How weights are stored; default float32. Whole numbers sum exactly to 255 or 65535. */
  weightType?: WeightType | undefined;
  /** Name without ending of the files a .gltf refers to; default the character's name. */
  name?: string | undefined;
}

/** A written character: one file, and the files beside it that a .gltf refers to. */
export interface WrittenCharacter {
  format: OutputFormat;
  bytes: Uint8Array;
  /** By the URI the file uses for them; empty for glb and vrm. */
  besides: Map<string, Uint8Array>;
}

/**
 * Puts weights into the file a character was read from and gives its bytes.
 *
 * JOINTS and WEIGHTS are replaced or added, skins and joints added where there were none, and
 * everything else is carried over as it was: the JSON is edited, not rebuilt.
 *
 * @param weights V of the character
 */
export function writeCharacter(
  file: CharacterFile,
  weights: SkinWeights,
  options: WriteCharacterOptions = {},
): WrittenCharacter {
  const format = options.format ?? defaultFormat(file);
  const { maxInfluences = USUAL_INFLUENCES, weightType = "float32" } = options;
  checkRequest(file, weights, format, maxInfluences);
  // A file must not hold a vertex that nothing moves.
  const limited = fillEmpty(limitInfluences(weights, maxInfluences), file.character).weights;
  if (format === "fbx" || format === "dae") {
    const bytes = format === "fbx" ? writeFbx(file, limited) : writeDae(file, limited);
    return { format, bytes, besides: new Map() };
  }
  const draft = draftGltf(file.source.json, file.source.buffers);
  const parts = ownMeshes(draft, file.parts);
  const skins = placeSkins(draft, file, parts, limited);
  for (const part of parts) writePartWeights(draft, part, limited, skins.get(part)!, weightType);
  liftSkinnedNodes(draft.json, parts);
  const name = options.name ?? file.character.name;
  return format === "gltf" ? asGltf(draft, file.source, name) : asGlb(draft, file.source, format);
}

function defaultFormat(file: CharacterFile): OutputFormat {
  return file.format === "gltf" || file.format === "vrm" ? file.format : "glb";
}

function checkRequest(
  file: CharacterFile,
  weights: SkinWeights,
  format: OutputFormat,
  maxInfluences: number,
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
  if (format === "vrm" && !isVrm(file.source.json)) {
    throw new InputError(
      `${file.source.name}: it is not a VRM, so it cannot be written as one; write a .glb.`,
    );
  }
}

/** A mesh shown with two skins, or at two places, cannot share its weights: the later ones get copies. */
function ownMeshes({ json }: GltfDraft, parts: MeshPart[]): MeshPart[] {
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

function asGlb(draft: GltfDraft, source: GltfSource, format: "glb" | "vrm"): WrittenCharacter {
  const { json } = draft;
  fillMissingImages(json, source, (image, pixel) => {
    image.bufferView = addView(draft, decodeDataUri(pixel)!);
  });
  for (const image of json.images ?? []) {
    const bytes = typeof image.uri === "string" ? source.images.get(image.uri) : undefined;
    if (!bytes) continue;
    image.bufferView = addView(draft, bytes);
    image.mimeType ??= pictureType(bytes) ?? "image/png";
    image.name ??= image.uri!.replace(/^.*\//, "");
    delete image.uri;
  }
  finishBuffer(draft);
  return { format, bytes: joinGlb(json, draft.bytes.subarray(0, draft.size)), besides: new Map() };
}

function asGltf(draft: GltfDraft, source: GltfSource, name: string): WrittenCharacter {
  fillMissingImages(draft.json, source, (image, pixel) => {
    image.uri = pixel;
  });
  const besides = imagesBeside(draft.json, source);
  const uri = `${encodeURIComponent(name)}.bin`;
  const buffer = finishBuffer(draft);
  if (buffer) {
    buffer.uri = uri;
    besides.set(uri, draft.bytes.slice(0, draft.size));
  }
  const bytes = new TextEncoder().encode(JSON.stringify(draft.json));
  return { format: "gltf", bytes, besides };
}

function finishBuffer(draft: GltfDraft) {
  if (draft.size === 0) {
    delete draft.json.buffers;
    return undefined;
  }
  draft.size = align4(draft.size);
  const [old = { byteLength: 0 }] = draft.json.buffers ?? [];
  const { uri: _, byteLength: __, extensions: ___, ...kept } = old;
  const buffer: { byteLength: number; uri?: string } = { ...kept, byteLength: draft.size };
  draft.json.buffers = [buffer];
  return buffer;
}

/** The format in which a file stays what it was, weights apart; a GLB where it must become one. */
export function ownFormat({ source, format }: CharacterFile): OutputFormat {
  if (isVrm(source.json)) return "vrm";
  if (source.fbx && source.fbx.version >= OLDEST_WRITTEN) return "fbx";
  if (source.dae) return "dae";
  return format === "gltf" ? "gltf" : "glb";
}
