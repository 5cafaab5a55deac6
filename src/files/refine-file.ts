import { readCharacterFile, writeCharacterFile } from "../disk/character-files.ts";
import { checkOutput, outputFormat } from "../disk/output-paths.ts";
import { fileLosses, lossNotes } from "../formats/describe-file.ts";
import { pickOptions } from "../options.ts";
import { type RefineOptions, type RefineResult, refine } from "../refine.ts";

/** Options for {@link refineFile}. */
export interface RefineFileOptions extends Omit<RefineOptions, "cache"> {
  force?: boolean | undefined;
  /** Whether skinned meshes move to the top of a glTF scene; default false. */
  liftMeshes?: boolean | undefined;
  /** Maximum size of the file in memory, in bytes; default 1 GiB. */
  maxMemory?: number | undefined;
}

/** The result of {@link refineFile}. */
export interface RefinedFile extends Omit<RefineResult, "weights"> {
  /** Oddities of the file, one sentence each. */
  notes: string[];
}

/** Cleans the weights of a file; see `refine`. */
export async function refineFile(
  input: string,
  output: string,
  options: RefineFileOptions = {},
): Promise<RefinedFile> {
  const { force, signal, onProgress, liftMeshes } = options;
  await checkOutput(output, force);
  onProgress?.("read", 0);
  const file = await readCharacterFile(input, { maxMemory: options.maxMemory, signal });
  const { weights, ...result } = await refine(file.character, {
    ...pickOptions("refine", "library", options),
    signal,
    onProgress,
  });
  onProgress?.("write", 0);
  await writeCharacterFile(output, file, weights, {
    maxInfluences: weights.influences,
    force,
    liftMeshes,
  });
  const notes = [
    ...file.oddities,
    ...lossNotes(fileLosses(file, outputFormat(output), { liftMeshes })),
  ];
  return { ...result, notes };
}
