import { readdirSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import type { BatchRow } from "../../batch/journal.ts";
import type { BatchVerb } from "../../batch/row.ts";
import { writeText } from "../../disk/write-whole.ts";
import type { BindSettings } from "../../files/bind-file.ts";
import { readObject } from "../../files/parse-object.ts";

/** A job as stored in its folder, so that it survives a restart of the service. */
export interface JobRecord {
  client: string;
  view: JobView;
  /** Name of the uploaded file in the folder `in`, and its size. */
  input: string;
  bytes: number;
  bind: BindSettings;
  /** What is done with the file; `file` is one that other jobs refer to. */
  verb?: BatchVerb | "file";
  /** Path of the source of a transfer. */
  from?: string | undefined;
  /** Ending of the result, with dot. */
  ending?: string | undefined;
  /** Number of times the job was started and not completed. */
  starts: number;
}

/** Job ids, which are the names of their folders. */
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const recordPath = (folder: string) => path.join(folder, "job.json");

/** Writes the record of a job atomically; returns false if it cannot be written. */
export function saveRecord({ folder, record }: { folder: string; record: JobRecord }): boolean {
  try {
    writeText(recordPath(folder), `${JSON.stringify(record)}\n`);
    return true;
  } catch {
    return false;
  }
}

/** Reads the jobs in a folder, oldest first; removes incomplete uploads older than `maxAge` seconds. */
export function readRecords(root: string, maxAge: number): JobRecord[] {
  const records: JobRecord[] = [];
  for (const id of readdirSync(root).filter((name) => ID.test(name))) {
    const folder = path.join(root, id);
    const record = readObject<JobRecord>(recordPath(folder));
    const { mtimeMs = Date.now() } = statSync(folder, { throwIfNoEntry: false }) ?? {};
    const isComplete = typeof record?.view?.state === "string" && record.view.id === id;
    if (isComplete) records.push(record as JobRecord);
    else if (Date.now() - mtimeMs > 1000 * maxAge) rmSync(folder, { recursive: true, force: true });
  }
  return records.sort((a, b) => (a.view.created < b.view.created ? -1 : 1));
}

export type JobState = "waiting" | "running" | "done" | "failed";

/** A job as clients see it. */
export interface JobView {
  id: string;
  verb?: BatchVerb;
  state: JobState;
  file: string;
  created: string;
  /** Stage of a running job, and the fraction of it that is done, 0 to 1. */
  stage?: string;
  fraction?: number;
  error?: string;
  /** Whether the file caused the error, rather than an internal error. */
  isUserError?: boolean;
  /** Set when the job is done; see docs/report.md. */
  vertices?: number;
  joints?: number;
  doubt?: number;
  seconds?: number;
  /** Time at which an ended job is deleted. */
  expires?: string;
}

/** Whether a job is done or failed. */
export function hasEnded({ state }: JobView): boolean {
  return state === "done" || state === "failed";
}

/** Returns the result of a job as clients see it, without the folders of the server in its error. */
export function resultView(row: BatchRow | undefined, folder: string): Partial<JobView> {
  if (row?.status === "done") {
    const { vertices, joints, doubt, seconds } = row;
    return { state: "done", vertices, joints, doubt, seconds } as Partial<JobView>;
  }
  const error = (row?.error ?? "Not bound.").replaceAll(path.join(folder, "in") + path.sep, "");
  const isUserError = row?.isUserError ?? false;
  return { state: "failed", error: error.replaceAll(folder, "…"), isUserError };
}
