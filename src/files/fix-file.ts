import { readCharacterFile, writeCharacterFile } from "../disk/character-files.ts";
import { checkOutput, outputFormat } from "../disk/output-paths.ts";
import { fix } from "../fix.ts";
import { fileLosses, lossNotes } from "../formats/describe-file.ts";
import { InputError } from "../input-error.ts";
import { MAX_INFLUENCES } from "../options.ts";
import { findingText, REMEDY_TEXT } from "../review/pose-check.ts";
import { type PoseReport, reportPoses } from "./bind-report.ts";

/** Options for {@link fixFile}. */
export interface FixFileOptions {
  /** Findings to fix, numbers from 1, comma-separated; all by default. */
  finding?: string | undefined;
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
  /** Oddities of the file, one sentence each. */
  notes: string[];
}

/**
 * Checks the weights of a file in poses, and writes a copy with the remedies applied, or with its own weights
 * if no remedy helps; see `fix`.
 *
 * @param output nothing is written if it is undefined
 */
export async function fixFile(
  input: string,
  output: string | undefined,
  options: FixFileOptions = {},
): Promise<FixedFile> {
  const { force, maxMemory, finding } = options;
  const wanted = finding === undefined ? undefined : readFindings(finding);
  if (output) await checkOutput(output, force);
  const file = await readCharacterFile(input, { maxMemory });
  const findings = output ? wanted : [];
  const { weights, before, after, remedies } = await fix(file.character, { findings });
  const { names } = file.character.skeleton;
  if (output) {
    const isFixed = remedies.some(({ isKept }) => isKept);
    const kept = isFixed ? weights : (file.character.weights ?? weights);
    const maxInfluences = Math.min(kept.influences, MAX_INFLUENCES);
    await writeCharacterFile(output, file, kept, { maxInfluences, force });
  }
  return {
    before: reportPoses(before, names),
    after: reportPoses(after, names),
    remedies: remedies.map(({ finding, isKept }) => ({
      text: findingText(finding, names),
      remedy: REMEDY_TEXT[finding.fault],
      isKept,
    })),
    notes: [...file.oddities, ...(output ? lossNotes(fileLosses(file, outputFormat(output))) : [])],
  };
}

function readFindings(text: string): number[] {
  const findings = text.split(",").map((number) => Number(number.trim()));
  if (findings.every((number) => Number.isInteger(number) && number >= 1)) return findings;
  throw new InputError({
    what: `"${text}" is no list of findings`,
    remedy: { option: "finding", advice: "give numbers from 1, such as 1,3" },
  });
}
