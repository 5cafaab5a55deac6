import {
  type CharacterFile,
  canBeHumanoid,
  endingOf,
  fileLosses,
  formatWeights,
  isWeightFormat,
  type Loss,
  type OutputFormat,
  ownFormat,
  type WeightFormat,
  weightsOfFile,
  writeCharacter,
} from "../../src/formats/index.ts";
import type { SkinWeights } from "../../src/index.ts";
import { type MotionName, makeMotion } from "../../src/parts.ts";

/** A format that the page saves: a character, or only its weights. */
export type SaveFormat = OutputFormat | WeightFormat;

/** A format that a character can be saved in. */
export interface OfferedFormat {
  format: OutputFormat;
  /** What the file contains and this format does not. */
  lost: Loss[];
  /** The same with motions added, which requires writing the file from scratch. */
  lostWithMotions: Loss[];
}

/** What to save, and in which format. */
export interface SaveRequest {
  format: SaveFormat;
  /** Name of the file without its extension. */
  stem: string;
  /** Generated motions to include. */
  motions: readonly MotionName[];
}

/** A file to download. */
export interface SavedFile {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/**
 * Lists the formats that a character can be saved in, the preferred one first: that of its file, or VRM if the
 * file name or the joint names suggest it.
 */
export function offeredFormats(file: CharacterFile, wantsVrm: boolean): OfferedFormat[] {
  const own = ownFormat(file);
  const canBeVrm = own === "vrm" || canBeHumanoid(file.character.skeleton);
  const isVrm = canBeVrm && (wantsVrm || endingOf(file.source.name) === ".vrm");
  const formats: OutputFormat[] = [isVrm ? "vrm" : own, own, "glb", "fbx", "gltf"];
  if (canBeVrm) formats.push("vrm");
  return [...new Set(formats)].map((format) => ({
    format,
    lost: fileLosses(file, format),
    // Only the presence of motions matters.
    lostWithMotions: fileLosses(file, format, { motions: [{} as never] }),
  }));
}

/**
 * Writes a character with weights; several files are packed into a ZIP.
 *
 * @param weights a row per vertex of the character
 */
export async function savedFile(
  file: CharacterFile,
  weights: SkinWeights,
  { format, stem, motions }: SaveRequest,
  animationsOf?: CharacterFile,
): Promise<SavedFile> {
  if (isWeightFormat(format)) {
    const texts = formatWeights(weightsOfFile(file, weights), format);
    const encoder = new TextEncoder();
    const nameOf = (mesh: string) =>
      [stem, mesh.replace(/[^\w-]+/g, "_"), format].filter((part) => part !== "").join(".");
    return packed(
      stem,
      [...texts].map(([mesh, text]) => [nameOf(mesh), encoder.encode(text)]),
    );
  }
  const made = motions
    .map((name) => makeMotion(file.character.skeleton, name, file.character.mesh))
    .filter((clip) => clip !== undefined);
  const { bytes, sidecars } = writeCharacter(file, weights, {
    format,
    name: stem,
    maxInfluences: weights.influences,
    motions: format === "dae" ? [] : made,
    animationsOf,
    humanoid: format === "vrm" && ownFormat(file) !== "vrm",
  });
  const others = [...sidecars].map(([uri, content]): Entry => [decodeURIComponent(uri), content]);
  return packed(stem, [[`${stem}.${format}`, bytes], ...others]);
}

type Entry = [name: string, bytes: Uint8Array];

/** A single file as it is; several in a ZIP. */
async function packed(stem: string, files: Entry[]): Promise<SavedFile> {
  if (files.length === 1) {
    const [[name, bytes]] = files;
    return { name, bytes: bytes as Uint8Array<ArrayBuffer> };
  }
  const { zipSync } = await import("fflate");
  return { name: `${stem}.zip`, bytes: zipSync(Object.fromEntries(files)) };
}
