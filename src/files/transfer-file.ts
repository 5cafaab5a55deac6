import { readCharacterFile, writeCharacterFile } from "../disk/character-files.ts";
import { checkOutput, outputFormat } from "../disk/output-paths.ts";
import type { TransferResult } from "../finish/transfer-weights.ts";
import { fileLosses, lossNotes } from "../formats/describe-file.ts";
import { InputError } from "../input-error.ts";
import { pickOptions } from "../options.ts";
import type { OnProgress } from "../stage-clock.ts";
import { type TransferOptions, transfer } from "../transfer.ts";
import { influenceHistogram } from "../weights/check-weights.ts";
import { shareSkeleton } from "./share-skeleton.ts";

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

/**
 * Transfers the weights of a skinned character to the mesh of another file.
 *
 * A target that has the same skeleton keeps it, and lacking joints are added; any other target gets the
 * skeleton of the source.
 *
 * @throws InputError if no vertex of the target is near the source
 */
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
  const bare = await readCharacterFile(to, { needsJoints: false, maxMemory });
  onProgress?.("transfer", 0);
  const found = transfer(
    source.character,
    bare.character.mesh,
    pickOptions("transfer", "library", options),
  );
  if (found.matched === 0) {
    throw new InputError({
      where: to,
      what: "no vertex of this mesh is near the source",
      remedy: { advice: "check that both have the same position and scale", option: "distance" },
    });
  }
  const canAdd = !["fbx", "dae"].includes(outputFormat(output));
  const shared = shareSkeleton(source, bare, found.weights, canAdd);
  const target = shared?.file ?? (await readCharacterFile(to, { skeleton: from, maxMemory }));
  const { weights, ...result } = { ...found, ...(shared && { weights: shared.weights }) };
  onProgress?.("write", 0);
  await writeCharacterFile(output, target, weights, { maxInfluences: weights.influences, force });
  const lost = lossNotes(fileLosses(target, outputFormat(output)));
  const notes = [...source.oddities, ...target.oddities, ...(shared?.notes ?? []), ...lost];
  if (!shared && bare.rig.nodes.length > 0) {
    notes.push(
      "The target had another skeleton; its mesh follows the source's now, and its animations do not move it.",
    );
  }
  return { ...result, influences: influenceHistogram(weights), notes };
}
