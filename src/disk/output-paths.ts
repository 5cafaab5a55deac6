import { access, constants, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { stemOf } from "../formats/endings.ts";
import type { OutputFormat } from "../formats/registry.ts";
import { InputError } from "../input-error.ts";

/**
 * Rejects, before any work is done, paths that could not be written: an unsupported extension, a folder, a
 * missing or read-only parent folder, an existing file (unless forced), duplicate outputs, a name that is too
 * long, a report over an input.
 *
 * @param extraFiles other files to be written, with any extension
 * @param inputs files that are read; only the output itself may replace one
 */
export async function checkOutput(
  file: string,
  force = false,
  extraFiles: readonly string[] = [],
  inputs: readonly string[] = [],
): Promise<void> {
  // The sidecar of a .gltf is an output too.
  const data = outputFormat(file) === "gltf" ? [`${stemOf(file)}.bin`] : [];
  const files = [...data, file, ...extraFiles];
  const targets = await Promise.all(files.map(realTarget));
  const read = new Set(await Promise.all(inputs.map(realTarget)));
  const clash = [...data, ...extraFiles].find((each) => read.has(targets[files.indexOf(each)]));
  if (clash) throw new InputError(`${clash}: this is an input; choose another output.`);
  const twice = targets.findIndex((target, i) => targets.indexOf(target) < i);
  if (twice >= 0) throw new InputError(`${files[twice]}: two outputs have this name.`);
  for (const each of files.slice(data.length)) await checkWritable(each, force);
  for (const each of data) await checkName(each);
}

/** Returns the path of an existing or future file, links resolved. */
export async function realTarget(file: string): Promise<string> {
  const full = path.resolve(file);
  const real = await realpath(full).catch(() => undefined);
  if (real !== undefined || path.dirname(full) === full) return real ?? full;
  return path.join(await realTarget(path.dirname(full)), path.basename(full));
}

async function checkName(file: string): Promise<void> {
  const isTooLong = await stat(file).then(
    () => false,
    (error) => error.code === "ENAMETOOLONG",
  );
  if (isTooLong) throw new InputError(`${file}: this name is too long; choose a shorter one.`);
}

/** Rejects a path that could not be written, with any extension. */
export async function checkWritable(file: string, force: boolean): Promise<void> {
  await checkName(file);
  await refuseExisting(file, force);
  const folder = path.dirname(file);
  const above = await stat(folder).catch(() => undefined);
  if (!above?.isDirectory()) throw new InputError(`${file}: the folder ${folder} does not exist.`);
  await access(folder, constants.W_OK).catch(() => {
    throw new InputError(`${file}: the folder ${folder} is not writable.`);
  });
}

/** Returns the default output path: next to the input, `.skinned.glb`; a VRM stays a VRM. */
export function defaultOutput(input: string): string {
  const { dir, name, ext } = path.parse(input);
  return path.join(dir, `${name}.skinned${ext.toLowerCase() === ".vrm" ? ".vrm" : ".glb"}`);
}

const OUTPUT_ENDINGS = ["glb", "gltf", "vrm", "fbx", "dae", "txt"] as const;

/** Returns the format of a path by its extension. */
export function outputFormat(file: string): OutputFormat | "txt" {
  const ending = path.extname(file).slice(1).toLowerCase();
  const found = OUTPUT_ENDINGS.find((known) => known === ending);
  if (found) return found;
  throw new InputError(
    `${file}: unsupported output format; use .glb, .gltf, .vrm, .txt, or .fbx and .dae for inputs of that format.`,
  );
}

/** Throws if a path is a folder, or a file that must not be overwritten. */
export async function refuseExisting(file: string, force: boolean): Promise<void> {
  const info = await stat(file).catch(() => undefined);
  if (info?.isDirectory()) throw new InputError(`${file}: this is a folder, not a file.`);
  if (info && !force)
    throw new InputError({
      where: file,
      what: "the file exists",
      remedy: { option: "force", advice: "allow overwriting or choose another name" },
    });
}
