import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import path from "node:path";
import { InputError } from "../input-error.ts";

/**
 * Refuses, before any work is done, paths that could not be written at the end: a folder, a missing
 * or locked folder above it, a file that is there already (unless forced), or two outputs in one place.
 */
export async function checkOutputPaths(files: string[], force: boolean): Promise<void> {
  const places = files.map((file) => path.resolve(file));
  const twice = places.findIndex((place, i) => places.indexOf(place) < i);
  if (twice >= 0) throw new InputError(`${files[twice]}: two outputs have this name.`);
  for (const file of files) await checkOutputPath(file, force);
}

async function checkOutputPath(file: string, force: boolean): Promise<void> {
  const info = await stat(file).catch(() => undefined);
  if (info?.isDirectory()) throw new InputError(`${file}: this is a folder; name a file in it.`);
  if (info && !force) {
    throw new InputError(`${file}: it exists already; use --force to overwrite it.`);
  }
  const folder = path.dirname(file);
  const above = await stat(folder).catch(() => undefined);
  if (!above?.isDirectory()) throw new InputError(`${file}: there is no folder ${folder}.`);
  await access(folder, constants.W_OK).catch(() => {
    throw new InputError(`${file}: the folder ${folder} cannot be written to.`);
  });
}

/** Where `bind` writes when not told: beside the input, `.skinned.glb`; a VRM stays a VRM. */
export function defaultOutput(input: string): string {
  const { dir, name, ext } = path.parse(input);
  return path.join(dir, `${name}.skinned${ext.toLowerCase() === ".vrm" ? ".vrm" : ".glb"}`);
}
