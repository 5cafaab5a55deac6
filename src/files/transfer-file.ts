import { readCharacterFile, writeCharacterFile } from "../disk/character-files.ts";
import { checkOutput, outputFormat } from "../disk/output-paths.ts";
import type { TransferResult } from "../finish/transfer-weights.ts";
import { fileLosses, lossNotes } from "../formats/describe-file.ts";
import { pickOptions } from "../options.ts";
import type { OnProgress } from "../stage-clock.ts";
import { type TransferOptions, transfer } from "../transfer.ts";
import { influenceHistogram } from "../weights/check-weights.ts";

/** Options for {@link transferFile}. */
export interface TransferFileOptions extends TransferOptions {
  force?: boolean | undefined;
  /** Maximum size of each file in memory, in bytes; default 1 GiB. */
  maxMemory?: number | undefined;
  onProgress?: OnProgress | undefined;
}

/** The result of {@link transferFile}. */
export interface TransferredFile extends Omit<TransferResult, "weights"> {
  /** Entry n counts the vertices with n influences. */
  influences: number[];
  /** Oddities of the files, one sentence each. */
  notes: string[];
}

/** Transfers the skeleton and the weights of a skinned character to the mesh of another file. */
export async function transferFile(
  from: string,
  to: string,
  output: string,
  options: TransferFileOptions = {},
): Promise<TransferredFile> {
  const { force, onProgress, maxMemory } = options;
  await checkOutput(output, force);
  onProgress?.("read", 0);
  const source = await readCharacterFile(from, { maxMemory });
  const target = await readCharacterFile(to, { skeleton: from, maxMemory });
  onProgress?.("transfer", 0);
  const { weights, ...result } = transfer(
    source.character,
    target.character.mesh,
    pickOptions("transfer", "library", options),
  );
  onProgress?.("write", 0);
  await writeCharacterFile(output, target, weights, { maxInfluences: weights.influences, force });
  const lost = lossNotes(fileLosses(target, outputFormat(output)));
  const notes = [...source.oddities, ...target.oddities, ...lost];
  if (result.matched === 0) {
    notes.push(
      "No vertex of the target is near the source; check that both have the same position and scale.",
    );
  }
  return { ...result, influences: influenceHistogram(weights), notes };
}
