import path from "node:path";
import type { Character } from "../character/character.ts";
import { readCharacterFile } from "../disk/character-files.ts";
import { checkOutput, defaultOutput } from "../disk/output-paths.ts";
import type { TransferResult } from "../finish/transfer-weights.ts";
import type { CharacterFile } from "../formats/character-file.ts";
import { InputError } from "../input-error.ts";
import { type LodOptions, lods } from "../lods.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";
import { type TransferredFile, writeTransferred } from "./transfer-file.ts";

/** Levels of detail to be bound with a character. */
export interface LodSettings extends Pick<LodOptions, "maxInfluences" | "dropJoints"> {
  /** Paths of the meshes of levels 1, 2, ... */
  files: readonly string[];
  /** Ending of the outputs; by default each level keeps its format. */
  format?: string | undefined;
  force?: boolean | undefined;
  /** Maximum size of each file in memory, unpacked, in bytes; default 1 GiB. */
  maxMemory?: number | undefined;
  liftMeshes?: boolean | undefined;
}

/** One level that was written. */
export interface BoundLevel extends TransferredFile {
  output: string;
}

/**
 * Returns the path of each level's output: its name in the folder of level 0's output, or with `.skinned` if that
 * is the level itself.
 */
export function levelOutputs(
  { files, format }: Pick<LodSettings, "files" | "format">,
  output: string,
): string[] {
  const folder = path.dirname(output);
  return files.map((file) => {
    const { name } = path.parse(file);
    const ending = format === undefined ? path.extname(defaultOutput(file)) : `.${format}`;
    const plain = path.join(folder, `${name}${ending}`);
    const isInput = path.resolve(plain) === path.resolve(file);
    return isInput ? path.join(folder, `${name}.skinned${ending}`) : plain;
  });
}

/** Levels of detail in memory, before or after the transfer. */
export interface ReadLevels {
  files: CharacterFile[];
  outputs: string[];
  settings: LodSettings;
}

/** Reads the levels; fails before any work if one cannot be read, or its output could not be written. */
export async function readLevels(
  output: string,
  settings: LodSettings,
  signal?: AbortSignal,
): Promise<ReadLevels> {
  const { files: paths, force, maxMemory } = settings;
  const outputs = levelOutputs(settings, output);
  const twice = [output, ...outputs].find((each, i, all) => all.indexOf(each) < i);
  if (twice)
    throw new InputError(`${twice}: two outputs have this name; rename a level of detail.`);
  for (const each of outputs) await checkOutput(each, force, [], paths);
  const files: CharacterFile[] = [];
  for (const path of paths)
    files.push(await readCharacterFile(path, { needsJoints: false, maxMemory, signal }));
  return { files, outputs, settings };
}

/** Transfers the weights of a bound character to its levels of detail. */
export async function transferLevels(
  { files, settings }: ReadLevels,
  character: Character,
  weights: SkinWeights,
  signal?: AbortSignal,
): Promise<TransferResult[]> {
  const { maxInfluences, dropJoints } = settings;
  const meshes = files.map((file) => file.character.mesh);
  const bound = { ...character, weights };
  const found = await lods(bound, meshes, { maxInfluences, dropJoints, signal });
  const far = found.findIndex(({ matched }) => matched === 0);
  if (far < 0) return found;
  throw new InputError({
    where: settings.files[far],
    what: "no vertex of this level is near the character",
    remedy: { advice: "check that both have the same position and scale", option: "lods" },
  });
}

/** Writes levels on their own skeletons if these are the character's, else on the character's. */
export async function writeLevels(
  { files, outputs, settings }: ReadLevels,
  source: CharacterFile,
  found: TransferResult[],
): Promise<BoundLevel[]> {
  const written: BoundLevel[] = [];
  for (const [index, file] of files.entries()) {
    const to = { path: settings.files[index], file };
    const result = await writeTransferred(source, to, found[index], outputs[index], settings);
    written.push({ ...result, output: outputs[index] });
  }
  return written;
}
