import { readFileSync } from "node:fs";
import path from "node:path";
import { InputError } from "../input-error.ts";
import { writeText } from "../io/disk/write-whole.ts";
import type { BatchFile } from "../work/batch-list.ts";
import type { BindSettings } from "../work/bind-file.ts";
import type { FarmQueue } from "./farm-queue.ts";

/** What an output folder knows of the farm that fills it: outlives Redis, and makes the summary. */
export interface FarmManifest {
  /** The farm's name. */
  farm: string;
  /** Of the last submission. */
  options: BindSettings;
  attention?: number | undefined;
  /** The last job of each output. */
  jobs: Record<string, { id: string; file: BatchFile }>;
}

const manifestPath = (outFolder: string) => path.join(outFolder, "farm.json");

/** Reads the manifest of an output folder; nothing where it has none. */
export function readManifest(outFolder: string): FarmManifest | undefined {
  let text: string;
  try {
    text = readFileSync(manifestPath(outFolder), "utf8");
  } catch {
    return undefined;
  }
  try {
    const manifest = JSON.parse(text);
    if (typeof manifest.jobs === "object" && manifest.jobs !== null) return manifest;
  } catch {
    // Told below.
  }
  throw new InputError(`${manifestPath(outFolder)}: this is no list of a farm; submit again.`);
}

/** The same; `InputError` where there is none. */
export function needManifest(outFolder: string): FarmManifest {
  const manifest = readManifest(outFolder);
  if (manifest) return manifest;
  throw new InputError(`${outFolder}: no farm works on this folder; submit files to it first.`);
}

/** Writes the manifest of an output folder. */
export function writeManifest(outFolder: string, manifest: FarmManifest): void {
  writeText(manifestPath(outFolder), `${JSON.stringify(manifest)}\n`);
}

/** How many answers of Redis are waited for at once. */
const AT_ONCE = 200;

/** A job of the queue, as the queue's library has it. */
export type QueuedJob = NonNullable<Awaited<ReturnType<FarmQueue["getJob"]>>>;

/** The jobs by their ids, those that Redis still has. */
export async function jobsOf(queue: FarmQueue, ids: string[]): Promise<Map<string, QueuedJob>> {
  const jobs = new Map<string, QueuedJob>();
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const some = ids.slice(from, from + AT_ONCE);
    const found = await Promise.all(some.map((id) => queue.getJob(id)));
    for (const job of found) if (job?.id) jobs.set(job.id, job);
  }
  return jobs;
}
