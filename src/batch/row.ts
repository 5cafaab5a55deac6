import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { modelPath } from "../disk/character-files.ts";
import { writeText, writeWhole } from "../disk/write-whole.ts";
import {
  adaptedModel,
  type BindFileOptions,
  type BindSettings,
  bindFile,
} from "../files/bind-file.ts";
import type { BindReport } from "../files/bind-report.ts";
import { type FileHashes, fingerprint, hashFile } from "../files/fingerprint.ts";
import { fixFile } from "../files/fix-file.ts";
import { loadModel } from "../files/model-files.ts";
import { packageVersion } from "../files/package-root.ts";
import { templateOf } from "../files/read-for-bind.ts";
import { refineFile } from "../files/refine-file.ts";
import { transferFile } from "../files/transfer-file.ts";
import { InputError } from "../input-error.ts";
import { isNetwork } from "../models.ts";
import { SKIN_DEFAULTS } from "../skin.ts";
import type { OnProgress } from "../stage-clock.ts";
import type { BatchRow } from "./journal.ts";
import type { BatchFile } from "./list.ts";

/** How the files of a batch are bound; plain data, sent to worker processes. */
export interface BatchSettings {
  bind: BindSettings;
  /** Whether to write a report, or a picture, next to each output. */
  reports: boolean;
  pictures: boolean;
  /** Doubt from which an output gets a picture in any case. */
  attention?: number | undefined;
  /** A verb to run instead of bind. */
  other?: VerbSettings | undefined;
}

/** A file for a worker to bind, or to compare with the result of an earlier run. */
export interface FileJob {
  file: BatchFile;
  known?: FileHashes | undefined;
}

/** The answer of a worker. */
export interface BatchAnswer extends FileHashes {
  /** Absent if the file was only compared. */
  row?: BatchRow | undefined;
  /** Whether input and output are unchanged. */
  isSame: boolean;
  /** Peak memory of the process in bytes. */
  peak: number;
}

/** Returns a function that binds one file; it never throws. */
export async function createBatchJob(
  settings: BatchSettings,
): Promise<(job: FileJob, onProgress?: OnProgress) => Promise<BatchAnswer>> {
  const { maxMemory } = settings.bind;
  return async ({ file, known }, onProgress) => {
    const start = performance.now();
    const input = await fingerprint(file, maxMemory).catch(() => "");
    const peak = () => process.resourceUsage().maxRSS * 1024;
    if (known) {
      const isSame = known.input === input && known.bytes === (await hashFile(file.outputPath));
      return { input, isSame, bytes: known.bytes, peak: peak() };
    }
    const row = await rowOf(file, settings, onProgress).catch((error) => failedRow(file, error));
    row.seconds = Number(((performance.now() - start) / 1000).toFixed(3));
    const bytes = row.status === "done" ? await hashFile(file.outputPath) : "";
    return { row, input, isSame: false, bytes, peak: peak() };
  };
}

async function rowOf(
  file: BatchFile,
  settings: BatchSettings,
  onProgress: OnProgress | undefined,
): Promise<BatchRow> {
  if (!settings.other) return doneRow(file, await bindOne(file, settings, onProgress));
  await mkdir(path.dirname(file.outputPath), { recursive: true });
  return runVerb(file, settings.other, onProgress);
}

async function bindOne(
  file: BatchFile,
  settings: BatchSettings,
  onProgress: OnProgress | undefined,
): Promise<BindReport> {
  const { inputPath, outputPath, skeletonPath } = file;
  const { pictures, attention } = settings;
  await mkdir(path.dirname(outputPath), { recursive: true });
  const { report } = await bindFile(inputPath, outputPath, {
    ...settings.bind,
    onProgress,
    skeleton: settings.bind.skeleton ?? skeletonPath,
    force: true,
    report: settings.reports ? `${outputPath}.json` : undefined,
    picture: pictures || attention !== undefined ? `${outputPath}.png` : undefined,
    pictureFrom: pictures ? 0 : attention,
  });
  return report;
}

function doneRow({ file, output }: BatchFile, report: BindReport): BatchRow {
  const { vertices, triangles, joints } = report.input;
  const { influences, doubt, doubtful, bleed, poses, repaired } = report;
  const counts = { vertices, triangles, joints, influences };
  const doubts = { doubt, doubtful: doubtful.vertices.count, bleed };
  const findings = poses.findings.map(({ text }) => text);
  return {
    file,
    output,
    status: "done",
    ...counts,
    ...doubts,
    findings,
    warnings: repaired,
    seconds: 0,
  };
}

/** Returns the answer for a file that could not be bound. */
export function failedAnswer(file: BatchFile, error: unknown): BatchAnswer {
  return { row: failedRow(file, error), input: "", isSame: false, bytes: "", peak: 0 };
}

/** Returns the row of a file that could not be bound. */
export function failedRow({ file, output }: BatchFile, error: unknown): BatchRow {
  const message = error instanceof Error ? error.message : String(error);
  const isUserError = error instanceof InputError;
  const row = { file, output, status: "failed" as const, error: message, isUserError };
  return { ...row, warnings: [], seconds: 0 };
}

/**
 * Adapts the model to the examples, if there are any, and writes it to a file that all workers read.
 *
 * @param makeFolder creates the folder of that file
 */
export async function learnOnce(
  bind: BindSettings,
  makeFolder: () => Promise<string>,
  { signal, onProgress }: Pick<BindFileOptions, "signal" | "onProgress">,
): Promise<{ adapted: string } | undefined> {
  const { method = SKIN_DEFAULTS.method, like = [], threads: _, ...rest } = bind;
  if (like.length === 0) return undefined;
  const base = await loadModel(method, bind.model);
  const model = await adaptedModel(method, base, { ...rest, like, signal, onProgress });
  if (!model) return undefined;
  const adapted = path.join(await makeFolder(), "adapted.onnx");
  writeWhole([[adapted, model]]);
  return { adapted };
}

/** Returns a hash of everything except the inputs that outputs depend on. */
export async function settingsKey(settings: BatchSettings): Promise<string> {
  const { adapted, cache: _, ...bind } = settings.bind;
  const { model, method = SKIN_DEFAULTS.method } = bind;
  const skeleton = templateOf(bind.skeleton) === undefined ? bind.skeleton : undefined;
  if (skeleton && !existsSync(skeleton)) throw new InputError(`${skeleton}: no such file.`);
  const parts = [
    packageVersion(),
    JSON.stringify({ ...settings, bind }),
    await hashFile(model && !isNetwork(model) ? model : modelPath(model ?? method)),
    skeleton ? await hashFile(skeleton) : "",
    adapted ? await hashFile(adapted) : "",
  ];
  return createHash("sha256").update(parts.join("\n")).digest("hex");
}

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
async function runVerb(
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
