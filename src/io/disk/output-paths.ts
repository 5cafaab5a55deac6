import { access, constants, stat } from "node:fs/promises";
import path from "node:path";
import { InputError } from "../../input-error.ts";
import type { OutputFormat } from "../formats.ts";

/**
 * Refuses, before any work is done, paths that could not be written at the end: an ending we do not
 * write, a folder, a missing or locked folder above it, a file that is there already (unless forced),
 * two outputs in one place.
 *
 * @param besides more files to be written, of any ending
 */
export async function checkOutput(
  file: string,
  force = false,
  besides: readonly string[] = [],
): Promise<void> {
  outputFormat(file);
  const files = [file, ...besides];
  const places = files.map((each) => path.resolve(each));
  const twice = places.findIndex((place, i) => places.indexOf(place) < i);
  if (twice >= 0) throw new InputError(`${files[twice]}: two outputs have this name.`);
  for (const each of files) await checkPlace(each, force);
}

/** Refuses a path that could not be written at the end, of whatever ending. */
export async function checkPlace(file: string, force: boolean): Promise<void> {
  await refuseExisting(file, force);
  const folder = path.dirname(file);
  const above = await stat(folder).catch(() => undefined);
  if (!above?.isDirectory()) throw new InputError(`${file}: there is no folder ${folder}.`);
  await access(folder, constants.W_OK).catch(() => {
    throw new InputError(`${file}: the folder ${folder} cannot be written to.`);
  });
}

/** Where weights are written when nobody says: beside the input, `.skinned.glb`; a VRM stays a VRM. */
export function defaultOutput(input: string): string {
  const { dir, name, ext } = path.parse(input);
  return path.join(dir, `${name}.skinned${ext.toLowerCase() === ".vrm" ? ".vrm" : ".glb"}`);
}

/** The format a path asks for by its ending. */
export function outputFormat(file: string): OutputFormat | "txt" {
  const ending = path.extname(file).slice(1).toLowerCase();
  if (ending === "glb" || ending === "gltf" || ending === "vrm" || ending === "txt") return ending;
  throw new InputError(
    `${file}: this format cannot be written; use .glb, .gltf or .vrm (or .txt for RigNet).`,
  );
}

/** Throws where a folder is in the way, or a file that may not be overwritten. */
export async function refuseExisting(file: string, force: boolean): Promise<void> {
  const info = await stat(file).catch(() => undefined);
  if (info?.isDirectory()) throw new InputError(`${file}: this is a folder; name a file in it.`);
  if (info && !force)
    throw new InputError(`${file}: it exists already; use --force to overwrite it.`);
}
