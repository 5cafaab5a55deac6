import { readCharacterFile, writeCharacterFile } from "../disk/character-files.ts";
import { checkOutput, outputFormat } from "../disk/output-paths.ts";
import { type FixOptions, fix } from "../fix.ts";
import { fileLosses, lossNotes } from "../formats/describe-file.ts";
import { findingText, REMEDY_TEXT } from "../review/pose-check.ts";
import { type PoseReport, reportPoses } from "./bind-report.ts";

/** Options for {@link fixFile}. */
export interface FixFileOptions extends FixOptions {
  force?: boolean | undefined;
  /** Maximum size of the file in memory, in bytes; default 1 GiB. */
  maxMemory?: number | undefined;
}

/** The result of {@link fixFile}. */
export interface FixedFile {
  before: PoseReport;
  after: PoseReport;
  /** One sentence per remedy that was tried. */
  remedies: { text: string; remedy: string | undefined; isKept: boolean }[];
  /** Whether the output was written. */
  isWritten: boolean;
  /** Oddities of the file, one sentence each. */
  notes: string[];
}

/**
 * Checks the weights of a file in poses, and writes a copy with the remedies applied; see `fix`.
 *
 * @param output nothing is written if it is undefined, or if no remedy helps
 */
export async function fixFile(
  input: string,
  output: string | undefined,
  options: FixFileOptions = {},
): Promise<FixedFile> {
  const { force, maxMemory } = options;
  if (output) await checkOutput(output, force);
  const file = await readCharacterFile(input, { maxMemory });
  const findings = output ? options.findings : [];
  const { weights, before, after, remedies } = await fix(file.character, { findings });
  const { names } = file.character.skeleton;
  const isWritten = output !== undefined && remedies.some(({ isKept }) => isKept);
  if (isWritten) {
    await writeCharacterFile(output, file, weights, { maxInfluences: weights.influences, force });
  }
  return {
    before: reportPoses(before, names),
    after: reportPoses(after, names),
    remedies: remedies.map(({ finding, isKept }) => ({
      text: findingText(finding, names),
      remedy: REMEDY_TEXT[finding.fault],
      isKept,
    })),
    isWritten,
    notes: [
      ...file.oddities,
      ...(isWritten ? lossNotes(fileLosses(file, outputFormat(output))) : []),
    ],
  };
}
