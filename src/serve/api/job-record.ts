import { readdirSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import type { BatchRow } from "../../batch/journal.ts";
import { writeText } from "../../disk/write-whole.ts";
import type { BindSettings } from "../../files/bind-file.ts";
import { readObject } from "../../files/parse-object.ts";

/** What a job's folder knows of it, so that it outlives the process that took it. */
export interface JobRecord {
  client: string;
  view: JobView;
  /** The name of its file in the folder `in`, and the bytes of that. */
  input: string;
  bytes: number;
  bind: BindSettings;
  /** How often it was begun by a process that was lost, and by this one where it runs. */
  starts: number;
}

/** Ids of jobs, which are the names of their folders; nothing else below the service's folder is ours. */
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const recordPath = (folder: string) => path.join(folder, "job.json");

/** Writes a job's record into its folder, whole or not at all; whether there was room. */
export function saveRecord({ folder, record }: { folder: string; record: JobRecord }): boolean {
  try {
    writeText(recordPath(folder), `${JSON.stringify(record)}\n`);
    return true;
  } catch {
    return false;
  }
}

/**
 * The jobs that an earlier process has left below a folder, the oldest first. Uploads that were never
 * whole are removed.
 *
 * @param patience seconds after which an upload without a job is given up
 */
export function readRecords(folder: string, patience: number): JobRecord[] {
  const records: JobRecord[] = [];
  for (const id of readdirSync(folder).filter((name) => ID.test(name))) {
    const place = path.join(folder, id);
    const record = readObject<JobRecord>(recordPath(place));
    if (isWhole(record, id)) records.push(record);
    else if (ageOf(place) > patience) rmSync(place, { recursive: true, force: true });
  }
  return records.sort((a, b) => (a.view.created < b.view.created ? -1 : 1));
}

function isWhole(record: Partial<JobRecord> | undefined, id: string): record is JobRecord {
  return typeof record?.view?.state === "string" && record.view.id === id;
}

/** Seconds since a folder changed; none where it is gone. */
function ageOf(folder: string): number {
  const { mtimeMs = Date.now() } = statSync(folder, { throwIfNoEntry: false }) ?? {};
  return (Date.now() - mtimeMs) / 1000;
}

/** How a job stands. */
export type JobState = "waiting" | "running" | "done" | "failed";

/** A job as clients see it. */
export interface JobView {
  id: string;
  state: JobState;
  /** The name of the file it was made from. */
  file: string;
  created: string;
  /** What is being done while it runs, and how far that is, 0 to 1. */
  stage?: string;
  fraction?: number;
  /** One sentence, where it failed. */
  error?: string;
  /** Whether the file is to blame, and not we. */
  isUserError?: boolean;
  /** Once it is done; see docs/report.md. */
  vertices?: number;
  joints?: number;
  doubt?: number;
  seconds?: number;
  /** When its result is thrown away, once it has ended. */
  expires?: string;
}

/** Whether a job has ended, well or not. */
export function hasEnded({ state }: JobView): boolean {
  return state === "done" || state === "failed";
}

/** What clients see of the end of a job; no sentence names a folder of ours. */
export function endOf(row: BatchRow | undefined, folder: string): Partial<JobView> {
  if (row?.status === "done") {
    const { vertices, joints, doubt, seconds } = row;
    return { state: "done", vertices, joints, doubt, seconds } as Partial<JobView>;
  }
  const error = (row?.error ?? "Not bound.").replaceAll(path.join(folder, "in") + path.sep, "");
  const isUserError = row?.isUserError ?? false;
  return { state: "failed", error: error.replaceAll(folder, "…"), isUserError };
}
