import type { EventEmitter } from "node:events";
import { rm } from "node:fs/promises";
import path from "node:path";
import type { BatchRow } from "../batch-journal.ts";
import type { SlotJob } from "../bind-slots.ts";
import type { ApiLimits } from "./api-limits.ts";
import type { JobQuota } from "./job-quota.ts";
import { type JobRecord, saveRecord } from "./job-record.ts";
import type { JobRunner } from "./job-runner.ts";
import { endOf, hasEnded, type JobState, type JobView } from "./job-view.ts";

/** A job of the service, with all that is known of it. */
export interface ApiJob {
  id: string;
  client: string;
  view: JobView;
  folder: string;
  record: JobRecord;
  /** Where its result and its report are, once it is done. */
  output: string;
  report: string;
  /** Emits `change`; `end` when there will be none any more. */
  events: EventEmitter;
  ending: AbortController;
  expiry?: NodeJS.Timeout;
}

/** How many jobs are in each state, and how many have ended since the start. */
export interface JobCounts {
  now: Record<JobState, number>;
  ended: { done: number; failed: number };
}

/** Jobs that live and end together. */
export interface JobSet {
  folder: string;
  runner: JobRunner;
  limits: ApiLimits;
  quota: JobQuota;
  entries: Map<string, ApiJob>;
  ended: JobCounts["ended"];
  isClosed: boolean;
}

/** Has a job done, from its beginning to its end. */
export function runJob(set: JobSet, entry: ApiJob): void {
  const { view, ending, events, record } = entry;
  wait(view);
  const begin = (more: Partial<JobView>) => {
    if (hasEnded(view) || set.isClosed || ending.signal.aborted) return;
    if (view.state === "waiting") {
      record.starts++;
      saveRecord(entry);
    }
    Object.assign(view, { state: "running" }, more);
    events.emit("change");
  };
  set.runner
    .run(entry.id, jobOf(entry, set.limits), {
      onBegin: () => begin({}),
      onProgress: (stage, fraction) => begin({ stage, fraction }),
      signal: ending.signal,
    })
    .then(({ row }) => finish(set, entry, row));
}

/** Puts a job back to where it waits. */
function wait(view: JobView): void {
  view.state = "waiting";
  delete view.stage;
  delete view.fraction;
}

function jobOf({ folder, output, record }: ApiJob, { timeout }: ApiLimits): SlotJob {
  const { input, bytes, bind } = record;
  const inputPath = path.join(folder, "in", input);
  return {
    file: {
      ...{ file: input, output: path.basename(output), bytes },
      ...{ inputPath, outputPath: output },
    },
    settings: { bind: { ...bind, threads: 1 }, reports: true, pictures: false },
    timeout,
  };
}

function finish(set: JobSet, entry: ApiJob, row: BatchRow | undefined): void {
  // What a closing service breaks off is for the next one to do.
  if (set.isClosed) return;
  if (entry.ending.signal.aborted) {
    set.quota.leave(entry.client);
    // It may have written something after all.
    rm(entry.folder, { recursive: true, force: true }).catch(() => undefined);
  } else endJob(set, entry, endOf(row, entry.folder));
}

/** Ends a job, well or not; it can be asked for until it expires. */
export function endJob(set: JobSet, entry: ApiJob, view: Partial<JobView>): void {
  const { limits, ended, quota } = set;
  quota.leave(entry.client);
  const expires = new Date(Date.now() + 1000 * limits.keep).toISOString();
  wait(entry.view);
  Object.assign(entry.view, view, { expires });
  // One that cannot be noted is done again after a restart, to the same bytes.
  saveRecord(entry);
  ended[view.state === "done" ? "done" : "failed"]++;
  expireLater(set, entry);
  entry.events.emit("change");
  entry.events.emit("end");
}

/** Forgets a job that has ended when its time has come. */
export function expireLater(set: JobSet, entry: ApiJob): void {
  const left = Date.parse(entry.view.expires ?? "") - Date.now();
  // What cannot be removed now is tried again by the next service on the same folder.
  const expire = () => void forget(set, entry).catch(() => undefined);
  entry.expiry = setTimeout(expire, Math.max(0, left || 0)).unref();
}

/** Ends a job and forgets it, its files too. */
export async function forget({ entries }: JobSet, entry: ApiJob): Promise<void> {
  clearTimeout(entry.expiry);
  entries.delete(entry.id);
  entry.ending.abort();
  entry.events.emit("end");
  await rm(entry.folder, { recursive: true, force: true });
}

/** Breaks off what a service that is told to end has under way, for the next one; that is not the jobs' fault. */
export function breakOff(entry: ApiJob): void {
  const { view, record, expiry, events } = entry;
  clearTimeout(expiry);
  events.emit("end");
  if (view.state !== "running") return;
  wait(view);
  record.starts--;
  saveRecord(entry);
}
