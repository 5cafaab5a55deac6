import { existsSync } from "node:fs";
import { mkdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { CharacterFile } from "../formats/character-file.ts";
import { readCharacter } from "../formats/read-character.ts";
import { formatRigNetText } from "../formats/rignet/rignet-text.ts";
import { fileOrder } from "../formats/rows.ts";
import { weightsOfFile } from "../formats/weight-files/weight-file.ts";
import {
  formatWeights,
  isWeightFormat,
  type WeightFormat,
} from "../formats/weight-files/weight-formats.ts";
import { type WriteCharacterOptions, writeCharacter } from "../formats/write-character.ts";
import { InputError } from "../input-error.ts";
import { DEFAULT_NETWORK, isNetwork, MODELS, methodName, NETWORK_METHODS } from "../models.ts";
import { type SkinWeights, takeWeights } from "../weights/skin-weights.ts";
import { DEFAULT_INFLUENCES, limitInfluences } from "../weights/weight-locks.ts";
import { openInput } from "./open-input.ts";
import { outputFormat, refuseExisting } from "./output-paths.ts";
import { writeText, writeWhole } from "./write-whole.ts";

/** Reads a model shipped with this package, for the option `model` of `skin`. */
export async function shippedModel(name: string = DEFAULT_NETWORK): Promise<Uint8Array> {
  return readFile(modelPath(name)).catch(() => {
    const shipped = NETWORK_METHODS.filter((network) => existsSync(modelPath(network)));
    throw new InputError(`This package has no model "${name}"; it ships ${shipped.join(" and ")}.`);
  });
}

export interface ReadCharacterFileOptions {
  /** Path of a file whose skeleton replaces the character's own. */
  skeleton?: string | undefined;
  /** Whether a file without joints is an error (default true). */
  needsJoints?: boolean | undefined;
  /** Maximum bytes of memory per file, decompressed data included (default 1 GiB). */
  maxMemory?: number | undefined;
  /** Cancels reading: the promise is rejected with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/**
 * Reads a character from disk; referenced files are looked up in its folder, images also in the
 * usual texture folders.
 */
export async function readCharacterFile(
  file: string,
  options: ReadCharacterFileOptions = {},
): Promise<CharacterFile> {
  const { maxMemory } = options;
  const input = await openInput(file, maxMemory);
  const skeleton = options.skeleton ? await openInput(options.skeleton, maxMemory) : undefined;
  return readCharacter(input, { ...options, skeleton });
}

export interface WriteCharacterFileOptions extends Omit<WriteCharacterOptions, "name" | "format"> {
  /** Overwrite an existing file (default false). */
  force?: boolean | undefined;
}

/**
 * Writes a character with weights to disk in the format of the path's extension; .txt is RigNet's
 * text with joints and weights only.
 *
 * Files are written under temporary names and renamed, referenced files first, so that no
 * incomplete file is visible.
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
  if (format === "txt") {
    await refuseExisting(file, force);
    const limited = limitInfluences(weights, options.maxInfluences ?? DEFAULT_INFLUENCES);
    const { skeleton } = character.character;
    const rows = { skeleton, weights: takeWeights(limited, fileOrder(character)) };
    writeText(file, formatRigNetText(rows));
    return [file];
  }
  if (isWeightFormat(format)) return writeWeights(file, character, weights, options);
  const folder = path.dirname(file);
  const name = path.basename(file, path.extname(file));
  const written = writeCharacter(character, weights, { ...rest, format, name });
  const files = [...written.sidecars].map(
    ([uri, bytes]) => [path.join(folder, decodeURIComponent(uri)), bytes] as const,
  );
  files.push([file, written.bytes]);
  const changed: typeof files = [];
  for (const entry of files) if (!(await hasBytes(...entry))) changed.push(entry);
  for (const [target] of changed) await refuseExisting(target, force);
  // Images may lie in subfolders.
  for (const [target] of changed) {
    const isNested = target !== file && path.dirname(target) !== path.resolve(folder);
    if (isNested) await mkdir(path.dirname(target), { recursive: true });
  }
  writeWhole(changed);
  return files.map(([target]) => target);
}

/** Writes the weights alone; a format that holds one mesh becomes `<name>.<mesh>.<ending>` for each. */
async function writeWeights(
  file: string,
  character: CharacterFile,
  weights: SkinWeights,
  { force = false, maxInfluences = DEFAULT_INFLUENCES }: WriteCharacterFileOptions,
): Promise<string[]> {
  const format = outputFormat(file) as WeightFormat;
  const limited = limitInfluences(weights, maxInfluences);
  const texts = formatWeights(weightsOfFile(character, limited), format);
  const stem = file.slice(0, file.length - format.length - 1);
  const plain = (mesh: string) => mesh.replace(/[^\w-]+/g, "_");
  const files = [...texts].map(
    ([mesh, text]) =>
      [mesh ? `${stem}.${plain(mesh)}.${format}` : file, new TextEncoder().encode(text)] as const,
  );
  for (const [target] of files) await refuseExisting(target, force);
  writeWhole([...files]);
  return files.map(([target]) => target);
}

/**
 * Returns whether a file already has these bytes, such as the textures of a .gltf rewritten in
 * place.
 */
async function hasBytes(file: string, bytes: Uint8Array): Promise<boolean> {
  const info = await stat(file).catch(() => undefined);
  if (!info?.isFile() || info.size !== bytes.length) return false;
  return Buffer.compare(await readFile(file).catch(() => Buffer.alloc(0)), bytes) === 0;
}

const MODEL_FOLDER = new URL(
  import.meta.url.includes("/dist/src/") ? "../../../models/" : "../../models/",
  import.meta.url,
);

/** Returns the path of a network's model in this package, shipped or not. */
export function modelPath(network: string): string {
  const file = isNetwork(network) ? MODELS[methodName(network)].file : `${network}.onnx`;
  return fileURLToPath(new URL(file, MODEL_FOLDER));
}
