import { prepareCharacter, restoreWeights } from "../character/prepare-character.ts";
import { readCharacterFile, writeCharacterFile } from "../disk/character-files.ts";
import { checkOutput, outputFormat } from "../disk/output-paths.ts";
import { measureDistances } from "../distance/measure.ts";
import { fileLosses, lossNotes } from "../formats/describe-file.ts";
import { InputError } from "../input-error.ts";
import type { SolveOptions } from "../methods/solver.ts";
import { refineWeights } from "../refine.ts";
import { BLEED_BONES, meanBleed } from "../review/bleed.ts";
import { jointCount } from "../skeleton/skeleton.ts";
import { rowCount } from "../weights/skin-weights.ts";
import { limitInfluences } from "../weights/weight-locks.ts";

/** The most influences a file may have. */
export const MOST_INFLUENCES = 8;

/** Options for {@link refineFile}. */
export interface RefineFileOptions
  extends Pick<SolveOptions, "resolution" | "threads" | "onProgress" | "signal"> {
  /** Most joints per vertex; as many as the file has unless told. */
  maxInfluences?: number | undefined;
  force?: boolean | undefined;
  /** Bytes the file may take while it is read; default 1 GiB. */
  maxMemory?: number | undefined;
}

/** What {@link refineFile} did. */
export interface RefinedFile {
  /** Vertices at different places: seams counted once. */
  vertices: number;
  /** Those whose weights are others now. */
  changed: number;
  /** Share of the weight on far joints. */
  bleed: { before: number; after: number };
  /** What was odd in the file, a sentence each. */
  notes: string[];
}

/** Takes weight off joints that are far from a vertex inside the body, in a file of any tool. */
export async function refineFile(
  input: string,
  output: string,
  options: RefineFileOptions = {},
): Promise<RefinedFile> {
  const { force, resolution, threads, signal, onProgress } = options;
  await checkOutput(output, force);
  onProgress?.("read", 0);
  const file = await readCharacterFile(input, { maxMemory: options.maxMemory });
  const prepared = prepareCharacter(file.character);
  const { skeleton, weights: before } = prepared.character;
  if (!before) throw new InputError(`${input}: it has no weights to clean; bind gives it some.`);
  const { distances } = await measureDistances(prepared.character, {
    k: Math.min(jointCount(skeleton), BLEED_BONES),
    resolution,
    threads,
    signal,
    onProgress: (fraction) => onProgress?.("distances", fraction),
  });
  const { weights, changed } = refineWeights(before, distances);
  const { maxInfluences = Math.min(file.character.weights?.influences ?? 0, MOST_INFLUENCES) } =
    options;
  const limited = limitInfluences(weights, maxInfluences);
  onProgress?.("write", 0);
  const restored = restoreWeights(prepared, limited);
  await writeCharacterFile(output, file, restored, { maxInfluences, force });
  const notes = [...file.oddities, ...lossNotes(fileLosses(file, outputFormat(output)))];
  const bleed = { before: meanBleed(before, distances), after: meanBleed(limited, distances) };
  return { vertices: rowCount(before), changed, bleed, notes };
}
