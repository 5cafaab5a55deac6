import { access, constants, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { stemOf } from "../formats/endings.ts";
import type { OutputFormat } from "../formats/registry.ts";
import { InputError } from "../input-error.ts";

/**
 * Refuses, before any work is done, paths that could not be written at the end: an ending we do not
 * write, a folder, a missing or locked folder above it, a file that is there already (unless forced),
 * two outputs in one place, a name longer than the disk takes, a report in place of an input.
 *
 * @param besides more files to be written, of any ending
 * @param inputs files that are read; only the output itself may take the place of one
 */
export async function checkOutput(
  file: string,
  force = false,
  besides: readonly string[] = [],
  inputs: readonly string[] = [],
): Promise<void> {
  // What a .gltf keeps beside itself is an output too.
  const data = outputFormat(file) === "gltf" ? [`${stemOf(file)}.bin`] : [];
  const files = [...data, file, ...besides];
  const places = await Promise.all(files.map(realPlace));
  const read = new Set(await Promise.all(inputs.map(realPlace)));
  const clash = [...data, ...besides].find((each) => read.has(places[files.indexOf(each)]));
  if (clash)
    throw new InputError(`${clash}: this is an input; choose another name for the output.`);
  const twice = places.findIndex((place, i) => places.indexOf(place) < i);
  if (twice >= 0) throw new InputError(`${files[twice]}: two outputs have this name.`);
  for (const each of files.slice(data.length)) await checkPlace(each, force);
  for (const each of data) await checkName(each);
}

/** Where a file is or will be, links resolved. */
export async function realPlace(file: string): Promise<string> {
  const whole = path.resolve(file);
  const real = await realpath(whole).catch(() => undefined);
  if (real !== undefined || path.dirname(whole) === whole) return real ?? whole;
  return path.join(await realPlace(path.dirname(whole)), path.basename(whole));
}

async function checkName(file: string): Promise<void> {
  const isTooLong = await stat(file).then(
    () => false,
    (error) => error.code === "ENAMETOOLONG",
  );
  if (isTooLong) throw new InputError(`${file}: this name is too long; choose a shorter one.`);
}

/** Refuses a path that could not be written at the end, of whatever ending. */
export async function checkPlace(file: string, force: boolean): Promise<void> {
  await checkName(file);
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

const OUTPUT_ENDINGS = ["glb", "gltf", "vrm", "fbx", "dae", "txt"] as const;

/** The format a path asks for by its ending. */
export function outputFormat(file: string): OutputFormat | "txt" {
  const ending = path.extname(file).slice(1).toLowerCase();
  const found = OUTPUT_ENDINGS.find((known) => known === ending);
  if (found) return found;
  throw new InputError(
    `${file}: this format cannot be written; use .glb, .gltf or .vrm, .fbx or .dae where the input is one (or .txt for RigNet).`,
  );
}

/** Throws where a folder is in the way, or a file that may not be overwritten. */
export async function refuseExisting(file: string, force: boolean): Promise<void> {
  const info = await stat(file).catch(() => undefined);
  if (info?.isDirectory()) throw new InputError(`${file}: this is a folder; name a file in it.`);
  if (info && !force)
    throw new InputError({
      where: file,
      what: "the file exists",
      remedy: { option: "force", advice: "allow overwriting or choose another name" },
    });
}
