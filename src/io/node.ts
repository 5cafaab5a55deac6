import { randomUUID } from "node:crypto";
import { access, constants, mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { InputError } from "../input-error.ts";
import { limitInfluences } from "../weights/limit-influences.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";
import type { CharacterFile } from "./character-file.ts";
import type { OutputFormat } from "./formats.ts";
import { type InputFile, readCharacter } from "./read-character.ts";
import { formatRigNetText } from "./rignet-text.ts";
import { type WriteCharacterOptions, writeCharacter } from "./write-character.ts";

/** The models this package ships. */
const MODELS = new URL(
  import.meta.url.includes("/dist/src/") ? "../../../models/" : "../../models/",
  import.meta.url,
);

/** The bytes of a model this package ships, for the option `model` of `skin`. */
export async function shippedModel(name = "heterskin"): Promise<Uint8Array> {
  return readFile(new URL(`${name}.onnx`, MODELS)).catch(() => {
    throw new InputError(
      `There is no model "${name}" in this package; it ships heterskin; see MODEL_CARD.md for others.`,
    );
  });
}

/** Options for {@link readCharacterFile}. */
export interface ReadCharacterFileOptions {
  /** Path of a file whose skeleton takes the place of the character's own. */
  skeleton?: string;
  /** Whether a file without joints is an error; default true. */
  needsJoints?: boolean;
}

/** Reads a character from disk; files it refers to are looked for in its own folder only. */
export async function readCharacterFile(
  file: string,
  options: ReadCharacterFileOptions = {},
): Promise<CharacterFile> {
  return readCharacter(await openInput(file), {
    ...(options.skeleton ? { skeleton: await openInput(options.skeleton) } : {}),
    ...(options.needsJoints === undefined ? {} : { needsJoints: options.needsJoints }),
  });
}

/** Reads a file's bytes, with a way to fetch its neighbours. */
export async function openInput(file: string): Promise<InputFile> {
  const folder = path.resolve(path.dirname(file));
  return {
    name: path.basename(file),
    bytes: await readBytes(file),
    resolve: (uri) => readNeighbour(folder, path.basename(file), uri),
  };
}

/** Options for {@link writeCharacterFile}. */
export interface WriteCharacterFileOptions extends Omit<WriteCharacterOptions, "name" | "format"> {
  /** Overwrite a file that is there; default false. */
  force?: boolean;
}

/**
 * Writes a character with weights to disk, in the format of the path's ending: .glb, .gltf, .vrm, or
 * .txt for joints and weights in RigNet's text.
 *
 * Each file is written beside its target under another name and then renamed, so that no half file is
 * ever seen; the file itself comes last, after those it refers to.
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
  const files = [...written.besides].map(
    ([uri, bytes]) => [neighbourPath(folder, path.basename(file), uri), bytes] as const,
  );
  files.push([file, written.bytes]);
  const changed: (readonly [string, Uint8Array])[] = [];
  for (const entry of files) {
    if (!(await holds(entry[0], entry[1]))) changed.push(entry);
  }
  if (!force) for (const [target] of changed) await refuseExisting(target);
  // Pictures may lie in folders of their own below the file's.
  for (const [target] of changed.filter(([target]) => target !== file)) {
    if (path.dirname(target) !== path.resolve(folder))
      await mkdir(path.dirname(target), { recursive: true });
  }
  await writeAtomically(changed);
  return files.map(([target]) => target);
}

async function writeRigNetFile(
  file: string,
  { character }: CharacterFile,
  weights: SkinWeights,
  { force = false, maxInfluences = 4 }: WriteCharacterFileOptions,
): Promise<string[]> {
  if (!force) await refuseExisting(file);
  const limited = limitInfluences(weights, maxInfluences);
  const text = formatRigNetText({ skeleton: character.skeleton, weights: limited });
  await writeAtomically([[file, new TextEncoder().encode(text)]]);
  return [file];
}

/** Throws where a path cannot be written to: an ending we do not write, a missing folder, a file in the way. */
export async function checkOutput(file: string, force = false): Promise<void> {
  outputFormat(file);
  if (!force) await refuseExisting(file);
  const folder = await stat(path.dirname(file)).catch(() => undefined);
  if (!folder?.isDirectory()) {
    throw new InputError(`${file}: there is no folder ${path.dirname(file)}.`);
  }
  await access(path.dirname(file), constants.W_OK).catch(() => {
    throw new InputError(`${file}: the folder ${path.dirname(file)} cannot be written to.`);
  });
}

/** Writes files under temporary names beside their targets and renames them once all are complete. */
export async function writeAtomically(
  files: readonly (readonly [file: string, bytes: Uint8Array])[],
): Promise<void> {
  const drafts: string[] = [];
  try {
    for (const [file, bytes] of files) {
      const draft = path.join(path.dirname(file), `.${path.basename(file)}.${randomUUID()}.tmp`);
      drafts.push(draft);
      await writeFile(draft, bytes, { flag: "wx" });
    }
    for (const [index, [file]] of files.entries()) await rename(drafts[index], file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new InputError(
      `${files.at(-1)?.[0]}: cannot be written (${code}); choose another place.`,
    );
  } finally {
    for (const draft of drafts) await rm(draft, { force: true }).catch(() => undefined);
  }
}

function outputFormat(file: string): OutputFormat | "txt" {
  const ending = path.extname(file).slice(1).toLowerCase();
  if (ending === "glb" || ending === "gltf" || ending === "vrm" || ending === "txt") return ending;
  throw new InputError(
    `${file}: this format cannot be written; use .glb, .gltf or .vrm (or .txt for RigNet).`,
  );
}

async function refuseExisting(file: string): Promise<void> {
  const info = await stat(file).catch(() => undefined);
  if (info?.isDirectory()) throw new InputError(`${file}: this is a folder; name a file in it.`);
  if (info) throw new InputError(`${file}: it exists already; use --force to overwrite it.`);
}

/** Whether a file has exactly these bytes already: textures of a .gltf written beside itself stay as they are. */
async function holds(file: string, bytes: Uint8Array): Promise<boolean> {
  const info = await stat(file).catch(() => undefined);
  if (!info?.isFile() || info.size !== bytes.length) return false;
  return Buffer.compare(await readFile(file).catch(() => Buffer.alloc(0)), bytes) === 0;
}

async function readBytes(file: string): Promise<Uint8Array> {
  const info = await stat(file).catch(() => undefined);
  if (!info) throw new InputError(`${file}: no such file.`);
  if (info.isDirectory()) throw new InputError(`${file}: this is a folder; name a file in it.`);
  try {
    return new Uint8Array(await readFile(file));
  } catch (error) {
    throw new InputError(`${file}: cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

/** Where a URI inside a file points; outside the file's own folder is refused. */
function neighbourPath(folder: string, from: string, uri: string): string {
  const place = decodeUri(uri);
  const target = path.resolve(folder, place);
  const climbs = path.relative(path.resolve(folder), target).split(path.sep)[0] === "..";
  if (/^[a-z][a-z0-9+.-]+:/i.test(uri) || path.isAbsolute(place) || climbs) {
    throw new InputError(
      `${from}: it refers to "${uri}", outside its own folder; put that file beside it and refer to it by name.`,
    );
  }
  return target;
}

async function readNeighbour(
  folder: string,
  from: string,
  uri: string,
): Promise<Uint8Array | undefined> {
  const target = neighbourPath(folder, from, uri);
  const info = await stat(target).catch(() => undefined);
  return info?.isFile() ? new Uint8Array(await readFile(target)) : undefined;
}

function decodeUri(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}
