import { access, constants, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { stemOf } from "../formats/endings.ts";
import type { OutputFormat } from "../formats/registry.ts";
import { type WeightFormat, weightFormat } from "../formats/weight-files/weight-formats.ts";
import { InputError } from "../input-error.ts";

/**
 * Throws `InputError` for output paths that could not be written at the end of a job.
 *
 * @param extraFiles further files to be written, with any extension
 * @param inputs files that are read; only `file` itself may overwrite one
 */
export async function checkOutput(
  file: string,
  force = false,
  extraFiles: readonly string[] = [],
  inputs: readonly string[] = [],
): Promise<void> {
  // A .gltf also writes its .bin.
  const data = outputFormat(file) === "gltf" ? [`${stemOf(file)}.bin`] : [];
  const files = [...data, file, ...extraFiles];
  const paths = await Promise.all(files.map(resolvedPath));
  const read = new Set(await Promise.all(inputs.map(resolvedPath)));
  const clash = [...data, ...extraFiles].find((each) => read.has(paths[files.indexOf(each)]));
  if (clash)
    throw new InputError(`${clash}: this is an input; choose another name for the output.`);
  const twice = paths.findIndex((each, i) => paths.indexOf(each) < i);
  if (twice >= 0) throw new InputError(`${files[twice]}: two outputs have this name.`);
  for (const each of files.slice(data.length)) await checkWritable(each, force);
  for (const each of data) await checkName(each);
}

/** Returns the absolute path of a file that may not exist yet, with links resolved. */
export async function resolvedPath(file: string): Promise<string> {
  const absolute = path.resolve(file);
  const real = await realpath(absolute).catch(() => undefined);
  if (real !== undefined || path.dirname(absolute) === absolute) return real ?? absolute;
  return path.join(await resolvedPath(path.dirname(absolute)), path.basename(absolute));
}

async function checkName(file: string): Promise<void> {
  const error = await stat(file).catch((error) => error);
  if (error.code === "ENAMETOOLONG")
    throw new InputError({
      where: file,
      what: "this name is too long",
      remedy: { advice: "choose a shorter one" },
    });
}

/** Throws `InputError` unless a file can be created at this path. */
export async function checkWritable(file: string, force: boolean): Promise<void> {
  await checkName(file);
  await refuseExisting(file, force);
  const folder = path.dirname(file);
  const above = await stat(folder).catch(() => undefined);
  if (!above?.isDirectory())
    throw new InputError({ where: file, what: `the folder ${folder} does not exist` });
  await access(folder, constants.W_OK).catch(() => {
    throw new InputError({ where: file, what: `the folder ${folder} is not writable` });
  });
}

/**
 * Returns the default output path: `.skinned` and the ending of the input, next to it. It is `.glb` for formats
 * that cannot be written, and for COLLADA if animations are to be added.
 */
export function defaultOutput(input: string, hasMotion = false): string {
  const { dir, name, ext } = path.parse(input);
  const ending = ext.toLowerCase();
  const isKept = KEPT.test(ending) && !(hasMotion && ending === ".dae");
  return path.join(dir, `${name}.skinned${isKept ? ending : ".glb"}`);
}

/** Endings of formats that can be written. */
export const KEPT: RegExp = /\.(?:glb|gltf|vrm|fbx|dae)$/i;

/** Formats without meshes: RigNet's text, and weights alone. */
export type TextFormat = "txt" | WeightFormat;

/** Returns the format of a path's extension. */
export function outputFormat(file: string): OutputFormat | TextFormat {
  const weights = weightFormat(file);
  if (weights) return weights;
  const extension = path.extname(file).slice(1).toLowerCase();
  const formats = ["glb", "gltf", "vrm", "fbx", "dae", "usda", "usdz", "txt"] as const;
  const found = formats.find((known) => known === extension);
  if (found) return found;
  throw new InputError({
    where: file,
    what: "unsupported output format",
    remedy: {
      advice:
        "use .glb, .gltf, .fbx, .usda or .usdz, .vrm or .dae if the input is one, .xml, .json, .ng.json or .csv for weights alone (or .txt for RigNet)",
    },
  });
}

/** Throws `InputError` if the path is a folder or a file that must not be overwritten. */
export async function refuseExisting(file: string, force: boolean): Promise<void> {
  const info = await stat(file).catch(() => undefined);
  if (info?.isDirectory())
    throw new InputError({ where: file, what: "this is a folder, not a file" });
  // A rename would replace a device or a pipe by a file.
  if (info && !info.isFile()) {
    throw new InputError({ where: file, what: "this is a device or a pipe, not a plain file" });
  }
  if (info && !force)
    throw new InputError({
      where: file,
      what: "the file exists",
      remedy: { option: "force", advice: "allow overwriting or choose another name" },
    });
}
