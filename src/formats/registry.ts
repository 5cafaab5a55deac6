import { InputError } from "../input-error.ts";
import { isDae, loadDae } from "./dae/load-dae.ts";
import { ENDINGS, endingOf, FORMAT_ENDINGS } from "./endings.ts";
import { isFbx, loadFbx } from "./fbx/load-fbx.ts";
import { isGlb } from "./gltf/glb.ts";
import type { GltfSource } from "./gltf/gltf-source.ts";
import { loadGltf } from "./gltf/load-gltf.ts";
import type { LoadContext } from "./load-context.ts";
import { loadObj } from "./obj/load-obj.ts";

/** A file format characters can be read from. */
export interface Format {
  name: string;
  /** File extensions, lower case, with dot. */
  endings: readonly string[];
  /** Whether the bytes have the magic number of this format. */
  matches(bytes: Uint8Array): boolean;
  /** Reads the bytes as glTF, converting other formats. */
  load(name: string, bytes: Uint8Array, context: LoadContext): Promise<GltfSource>;
}

/** Every format that can be read; a VRM is a GLB, and an OBJ has no magic number. */
export const FORMATS: readonly Format[] = [
  { name: "glb", endings: FORMAT_ENDINGS.glb, matches: isGlb, load: loadGltf },
  { name: "vrm", endings: FORMAT_ENDINGS.vrm, matches: isGlb, load: loadGltf },
  {
    name: "gltf",
    endings: FORMAT_ENDINGS.gltf,
    matches: ([first]) => first === 0x7b,
    load: loadGltf,
  },
  { name: "fbx", endings: FORMAT_ENDINGS.fbx, matches: isFbx, load: loadFbx },
  { name: "dae", endings: FORMAT_ENDINGS.dae, matches: isDae, load: loadDae },
  { name: "obj", endings: FORMAT_ENDINGS.obj, matches: () => false, load: loadObj },
];

/** Names of the formats that can be written. */
export type OutputFormat = "glb" | "gltf" | "vrm" | "fbx" | "dae" | "usda" | "usdz";

/** Whether a format is USD: text with its images next to it, or both in one file. */
export function isUsd(format: string): format is "usda" | "usdz" {
  return format === "usda" || format === "usdz";
}

/** Detects the format of a file by its first bytes, or else by its extension. */
export function formatOf(name: string, bytes: Uint8Array): Format {
  const ending = endingOf(name);
  const named = FORMATS.find((candidate) => candidate.endings.includes(ending));
  if (named?.matches(bytes)) return named;
  const format = FORMATS.find((candidate) => candidate.matches(bytes)) ?? named;
  if (format) return format;
  if (/\.usd[acz]?$/i.test(name)) {
    throw new InputError(
      `${name}: USD can be written, but not read; convert the file to GLB first, for example in Blender.`,
    );
  }
  throw new InputError(`${name}: this format is not known; use one of ${ENDINGS.join(", ")}.`);
}
