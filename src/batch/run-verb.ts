import { writeText } from "../disk/write-whole.ts";
import { fixFile } from "../files/fix-file.ts";
import { refineFile } from "../files/refine-file.ts";
import { transferFile } from "../files/transfer-file.ts";
import type { OnProgress } from "../stage-clock.ts";
import type { BatchRow } from "./journal.ts";
import type { BatchFile } from "./list.ts";

/** What is done with a file: one of the verbs on characters. */
export const BATCH_VERBS = ["bind", "refine", "transfer", "fix"] as const;
export type BatchVerb = (typeof BATCH_VERBS)[number];

/** A verb other than bind, and its options. */
export interface VerbSettings {
  verb: Exclude<BatchVerb, "bind">;
  options: Record<string, unknown>;
  /** Path of the skinned character, or of the weights, for `transfer`. */
  from?: string | undefined;
}

/** Runs a verb other than bind on a file; the report is what the verb returns, without its weights. */
export async function runVerb(
  { file, output, inputPath, outputPath }: BatchFile,
  { verb, options, from = "" }: VerbSettings,
  onProgress: OnProgress | undefined,
): Promise<BatchRow> {
  const settings = { ...options, force: true, onProgress };
  const result =
    verb === "refine"
      ? await refineFile(inputPath, outputPath, settings)
      : verb === "transfer"
        ? await transferFile(from, inputPath, outputPath, settings)
        : await fixFile(inputPath, outputPath, settings);
  writeText(`${outputPath}.json`, `${JSON.stringify(result, null, 2)}\n`);
  const vertices = "vertices" in result ? { vertices: result.vertices } : {};
  return { file, output, status: "done", ...vertices, warnings: result.notes, seconds: 0 };
}
