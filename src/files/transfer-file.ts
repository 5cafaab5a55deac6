import { readCharacterFile, writeCharacterFile } from "../disk/character-files.ts";
import { checkOutput, outputFormat } from "../disk/output-paths.ts";
import type { TransferResult } from "../finish/transfer-weights.ts";
import { fileLosses, lossNotes } from "../formats/describe-file.ts";
import { pickOptions } from "../options.ts";
import { type TransferOptions, transfer } from "../transfer.ts";
import { influenceHistogram } from "../weights/check-weights.ts";

/** Options for {@link transferFile}. */
export interface TransferFileOptions extends TransferOptions {
  force?: boolean | undefined;
  /** Bytes each file may take while it is read; default 1 GiB. */
  maxMemory?: number | undefined;
  onProgress?: ((stage: string, fraction: number) => void) | undefined;
}

/** What {@link transferFile} did. */
export interface TransferredFile extends Omit<TransferResult, "weights"> {
  /** Entry n counts the vertices with n influences. */
  influences: number[];
  /** What was odd, a sentence each. */
  notes: string[];
}

/** Gives the mesh of a file the skeleton and the weights of a skinned character's. */
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
      "No vertex of the target lies beside the source; check that both have the same place and size.",
    );
  }
  return { ...result, influences: influenceHistogram(weights), notes };
}
