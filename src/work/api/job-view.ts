import path from "node:path";
import type { BatchRow } from "../batch-journal.ts";

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
  isInputAtFault?: boolean;
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
  const isInputAtFault = row?.isInputAtFault ?? false;
  return { state: "failed", error: error.replaceAll(folder, "…"), isInputAtFault };
}
