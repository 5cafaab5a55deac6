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

/** A format that the page saves: a character, or its weights alone. */
export type SaveFormat = OutputFormat | WeightFormat;

/** A format that a character can be saved in. */
export interface OfferedFormat {
  format: OutputFormat;
  /** What the file has and a file of this format does not. */
  lost: Loss[];
  /** The same once motions are added, for which a file is written anew. */
  lostWithMotions: Loss[];
}

/** What to save, and how. */
export interface SaveRequest {
  format: SaveFormat;
  /** The name of the file, without its ending. */
  stem: string;
  /** Motions to make for the skeleton and to put in. */
  motions: readonly MotionName[];
}

/** A file to download. */
export interface SavedFile {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/**
 * The formats that a character can be saved in, the preferred one first: that of its file, or VRM where the
 * name of the file or the naming of its joints asks for one.
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
    // Only whether there are motions matters.
    lostWithMotions: fileLosses(file, format, { motions: [{} as never] }),
  }));
}

/**
 * Writes a character with weights; what consists of several files comes as a ZIP.
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

/** One file as it is; several in a ZIP. */
async function packed(stem: string, files: Entry[]): Promise<SavedFile> {
  if (files.length === 1) {
    const [[name, bytes]] = files;
    return { name, bytes: bytes as Uint8Array<ArrayBuffer> };
  }
  const { zipSync } = await import("fflate");
  return { name: `${stem}.zip`, bytes: zipSync(Object.fromEntries(files)) };
}
