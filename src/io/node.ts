import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { InputError } from "../input-error.ts";
import type { CharacterFile } from "./character-file.ts";
import { type InputFile, readCharacter } from "./read-character.ts";

/** Options for {@link readCharacterFile}. */
export interface ReadCharacterFileOptions {
  /** Path of a file whose skeleton takes the place of the character's own. */
  skeleton?: string;
  /** Whether a file without joints or mesh is an error; default true. */
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

async function readNeighbour(
  folder: string,
  from: string,
  uri: string,
): Promise<Uint8Array | undefined> {
  const target = path.resolve(folder, decodeUri(uri));
  const climbs = path.relative(folder, target).split(path.sep)[0] === "..";
  if (/^[a-z][a-z0-9+.-]+:/i.test(uri) || path.isAbsolute(decodeUri(uri)) || climbs) {
    throw new InputError(
      `${from}: it refers to "${uri}", outside its own folder; put that file beside it and refer to it by name.`,
    );
  }
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
