import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { InputError } from "../../input-error.ts";
import type { InputFile } from "../read-character.ts";

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

/** Where a URI inside a file points; outside the file's own folder is refused. */
export function neighbourPath(folder: string, from: string, uri: string): string {
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
