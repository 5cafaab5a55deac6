import { existsSync } from "node:fs";
import { mkdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { CharacterFile } from "../formats/character-file.ts";
import { readCharacter } from "../formats/read-character.ts";
import { formatRigNetText } from "../formats/rignet/rignet-text.ts";
import { fileOrder } from "../formats/rows.ts";
import { type WriteCharacterOptions, writeCharacter } from "../formats/write-character.ts";
import { InputError } from "../input-error.ts";
import { DEFAULT_NETWORK, isNetwork, MODELS, methodName, NETWORK_METHODS } from "../models.ts";
import { type SkinWeights, takeWeights } from "../weights/skin-weights.ts";
import { DEFAULT_INFLUENCES, limitInfluences } from "../weights/weight-locks.ts";
import { openInput } from "./open-input.ts";
import { outputFormat, refuseExisting } from "./output-paths.ts";
import { writeText, writeWhole } from "./write-whole.ts";

/** Reads a model of this package, for the option `model` of `skin`. */
export async function shippedModel(name: string = DEFAULT_NETWORK): Promise<Uint8Array> {
  return readFile(modelPath(name)).catch(() => {
    const shipped = NETWORK_METHODS.filter((network) => existsSync(modelPath(network)));
    throw new InputError(`This package has no model "${name}", only ${shipped.join(" and ")}.`);
  });
}

/** Options for {@link readCharacterFile}. */
export interface ReadCharacterFileOptions {
  /** Path of a file whose skeleton replaces the character's own. */
  skeleton?: string | undefined;
  /** Whether a file without joints is an error; default true. */
  needsJoints?: boolean | undefined;
  /** Bytes each file may use while it is read, unpacked data included; default 1 GiB. */
  maxMemory?: number | undefined;
}

/** Reads a character from disk; referenced files are searched in its folder, images also in the usual ones. */
export async function readCharacterFile(
  file: string,
  options: ReadCharacterFileOptions = {},
): Promise<CharacterFile> {
  const { skeleton, needsJoints, maxMemory } = options;
  return readCharacter(await openInput(file, maxMemory), {
    skeleton: skeleton ? await openInput(skeleton, maxMemory) : undefined,
    needsJoints,
    maxMemory,
  });
}

/** Options for {@link writeCharacterFile}. */
export interface WriteCharacterFileOptions extends Omit<WriteCharacterOptions, "name" | "format"> {
  /** Whether to overwrite existing files; default false. */
  force?: boolean | undefined;
}

/**
 * Writes a character with weights to disk, in the format of the path's extension: .glb, .gltf, .vrm, or .txt for
 * joints and weights in RigNet's text.
 *
 * Each file is written under a temporary name and then renamed, so that no partial file is ever visible; the
 * file itself comes last, after its sidecars.
 *
 * @returns the paths written, the file itself last
 */
export async function writeCharacterFile(
  file: string,
  character: CharacterFile,
  weights: SkinWeights,
  options: WriteCharacterFileOptions = {},
): Promise<string[]> {
  const { force = false, ...rest } = options;
  const format = outputFormat(file);
  if (format === "txt") return writeRigNetFile(file, character, weights, options);
  const folder = path.dirname(file);
  const name = path.basename(file, path.extname(file));
  const written = writeCharacter(character, weights, { ...rest, format, name });
  const files = [...written.sidecars].map(
    ([uri, bytes]) => [path.join(folder, decodeURIComponent(uri)), bytes] as const,
  );
  files.push([file, written.bytes]);
  const changed: (readonly [string, Uint8Array])[] = [];
  for (const entry of files) {
    if (!(await holds(entry[0], entry[1]))) changed.push(entry);
  }
  for (const [target] of changed) await refuseExisting(target, force);
  // Images may be in subfolders.
  for (const [target] of changed.filter(([target]) => target !== file)) {
    if (path.dirname(target) !== path.resolve(folder))
      await mkdir(path.dirname(target), { recursive: true });
  }
  writeWhole(changed);
  return files.map(([target]) => target);
}

async function writeRigNetFile(
  file: string,
  { character, parts, source }: CharacterFile,
  weights: SkinWeights,
  { force = false, maxInfluences = DEFAULT_INFLUENCES }: WriteCharacterFileOptions,
): Promise<string[]> {
  await refuseExisting(file, force);
  const rows = takeWeights(limitInfluences(weights, maxInfluences), fileOrder({ parts, source }));
  writeText(file, formatRigNetText({ skeleton: character.skeleton, weights: rows }));
  return [file];
}

/** Whether a file has exactly these bytes: unchanged textures of a .gltf are not rewritten. */
async function holds(file: string, bytes: Uint8Array): Promise<boolean> {
  const info = await stat(file).catch(() => undefined);
  if (!info?.isFile() || info.size !== bytes.length) return false;
  return Buffer.compare(await readFile(file).catch(() => Buffer.alloc(0)), bytes) === 0;
}

const MODEL_FOLDER = new URL(
  import.meta.url.includes("/dist/src/") ? "../../../models/" : "../../models/",
  import.meta.url,
);

/** Returns the path of a network's model, whether the package contains it or not. */
export function modelPath(network: string): string {
  const file = isNetwork(network) ? MODELS[methodName(network)].file : `${network}.onnx`;
  return fileURLToPath(new URL(file, MODEL_FOLDER));
}
