import { mkdir } from "node:fs/promises";
import path from "node:path";
import { InputError } from "../input-error.ts";
import { hashFile } from "./batch-fingerprint.ts";
import type { BatchRow } from "./batch-journal.ts";
import type { BatchFile } from "./batch-list.ts";
import { type BindSettings, bindFile } from "./bind-file.ts";
import type { BindReport } from "./bind-report.ts";

/** What every file of a batch is done with; plain data, sent to worker processes. */
export interface BatchSettings {
  bind: BindSettings;
  /** Whether each output gets a report, or a picture, beside it. */
  reports: boolean;
  pictures: boolean;
}

/** What a worker answers. */
export interface BatchAnswer {
  row: BatchRow;
  /** SHA-256 of the output; empty where there is none. */
  bytes: string;
  /** Most memory the process has held so far, bytes. */
  peak: number;
}

/** Returns what binds one file; it never throws. */
export async function createBatchJob(
  settings: BatchSettings,
): Promise<(file: BatchFile) => Promise<BatchAnswer>> {
  return async (file) => {
    const start = performance.now();
    const row = await bindOne(file, settings).then(
      (report) => doneRow(file, report),
      (error) => failedRow(file, error),
    );
    row.seconds = Number(((performance.now() - start) / 1000).toFixed(3));
    const bytes = row.status === "done" ? await hashFile(file.outputPath) : "";
    return { row, bytes, peak: process.resourceUsage().maxRSS * 1024 };
  };
}

async function bindOne(file: BatchFile, settings: BatchSettings): Promise<BindReport> {
  const { inputPath, outputPath, skeletonPath } = file;
  await mkdir(path.dirname(outputPath), { recursive: true });
  const { report } = await bindFile(inputPath, outputPath, {
    ...settings.bind,
    skeleton: settings.bind.skeleton ?? skeletonPath,
    force: true,
    report: settings.reports ? `${outputPath}.json` : undefined,
    picture: settings.pictures ? `${outputPath}.png` : undefined,
  });
  return report;
}

function doneRow({ file, output }: BatchFile, report: BindReport): BatchRow {
  const { vertices, triangles, joints } = report.input;
  const { influences, doubtful, bleed, repaired } = report;
  return {
    ...{ file, output, status: "done", vertices, triangles, joints, influences },
    ...{ doubtful: doubtful.vertices.count, bleed, warnings: repaired, seconds: 0 },
  };
}

/** The row of a file that could not be bound. */
export function failedRow({ file, output }: BatchFile, error: unknown): BatchRow {
  const message = error instanceof Error ? error.message : String(error);
  const isInputAtFault = error instanceof InputError;
  const row = { file, output, status: "failed" as const, error: message, isInputAtFault };
  return { ...row, warnings: [], seconds: 0 };
}
