import { randomUUID } from "node:crypto";
import { EventEmitter } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import type { BatchRow } from "../../batch/journal.ts";
import type { BindJob } from "../../batch/pool.ts";
import type { BindSettings } from "../../files/bind-file.ts";
import {
  endOf,
  hasEnded,
  type JobRecord,
  type JobState,
  type JobView,
  readRecords,
  saveRecord,
} from "./job-record.ts";
import type { JobRunner } from "./job-runner.ts";
import { ApiError, type ApiLimits, createJobQuota, type JobQuota } from "./limits.ts";

/** A place for a job's file, before there is a job. */
export interface JobPlace {
  id: string;
  folder: string;
  /** Where to put the file. */
  input: string;
}

/** A job during which the service was lost this often may be what ends it. */
const MOST_STARTS = 3;

/**
 * The jobs of a service whose files are below a folder. What an earlier one has left there is taken up: jobs
 * that have ended can be asked for until they expire, the others are done now.
 */
export function openJobs(folder: string, runner: JobRunner, limits: ApiLimits): JobSet {
  const jobs: JobSet = {
    folder,
    runner,
    limits,
    quota: createJobQuota(limits.quota),
    entries: new Map(),
    ended: { done: 0, failed: 0 },
    isClosed: false,
  };
  for (const record of readRecords(folder, limits.keep)) takeUp(jobs, record);
  return jobs;
}

/** Makes a place for a client's file; an {@link ApiError} where the client has enough jobs. */
export async function preparePlace(
  { folder, limits, quota, entries }: JobSet,
  client: string,
  name: string,
): Promise<JobPlace> {
  if (quota.isFull(client)) {
    throw new ApiError(429, `You have ${limits.quota} jobs under way; wait for one to end.`, 1);
  }
  if (entries.size >= limits.jobs) throw new ApiError(503, "Too many jobs; come back later.", 60);
  quota.enter(client);
  const id = randomUUID();
  const place = path.join(folder, id);
  const input = path.join(place, "in", name);
  try {
    await mkdir(path.dirname(input), { recursive: true });
  } catch (error) {
    quota.leave(client);
    throw error;
  }
  return { id, folder: place, input };
}

/** Gives a place up. */
export async function dropPlace({ quota }: JobSet, client: string, place: JobPlace): Promise<void> {
  quota.leave(client);
  await rm(place.folder, { recursive: true, force: true });
}

/** Starts a job on the file in its place. */
export function startJob(
  jobs: JobSet,
  client: string,
  { id, input }: JobPlace,
  name: string,
  bytes: number,
  bind: BindSettings,
): ApiJob {
  const created = new Date().toISOString();
  const entry = createEntry(jobs, {
    client,
    input: path.basename(input),
    bytes,
    bind,
    starts: 0,
    view: { id, state: "waiting", file: name, created },
  });
  if (!saveRecord(entry)) throw new ApiError(503, "The server has no room for this file.", 60);
  jobs.entries.set(id, entry);
  runJob(jobs, entry);
  return entry;
}

function createEntry({ folder }: JobSet, record: JobRecord): ApiJob {
  const { view, client, input } = record;
  const place = path.join(folder, view.id);
  const output = path.join(place, "out", /\.vrm$/i.test(input) ? "result.vrm" : "result.glb");
  return {
    id: view.id,
    client,
    view,
    folder: place,
    output,
    report: `${output}.json`,
    record,
    events: new EventEmitter().setMaxListeners(0),
    ending: new AbortController(),
  };
}

/** Takes a job up that an earlier process has left. */
function takeUp(jobs: JobSet, record: JobRecord): void {
  const entry = createEntry(jobs, record);
  jobs.entries.set(entry.id, entry);
  if (hasEnded(entry.view)) expireLater(jobs, entry);
  else {
    jobs.quota.enter(entry.client);
    const error = whyNotAgain(entry);
    if (error === undefined) runJob(jobs, entry);
    else endJob(jobs, entry, { state: "failed", error, isUserError: false });
  }
}

/** Why a job is not begun again, in a sentence; nothing where it can be. */
function whyNotAgain({ folder, record }: ApiJob): string | undefined {
  if (!existsSync(path.join(folder, "in", record.input))) {
    return "The server was started anew before this was bound, and its file is gone; send it again.";
  }
  return record.starts < MOST_STARTS
    ? undefined
    : `The server was lost ${record.starts} times while this was bound; try it with other options.`;
}

/** How many jobs there are. */
export function countJobs({ entries, ended }: JobSet): JobCounts {
  const now = { waiting: 0, running: 0, done: 0, failed: 0 };
  for (const { view } of entries.values()) now[view.state]++;
  return { now, ended };
}

/** Breaks off what runs here; all files stay where they are, for the next service on the same folder. */
export async function closeJobs(jobs: JobSet): Promise<void> {
  if (jobs.isClosed) return;
  jobs.isClosed = true;
  for (const entry of jobs.entries.values()) breakOff(entry);
  await jobs.runner.stop();
}

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
function runJob(set: JobSet, entry: ApiJob): void {
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

function jobOf({ folder, output, record }: ApiJob, { timeout }: ApiLimits): BindJob {
  const { input, bytes, bind } = record;
  const inputPath = path.join(folder, "in", input);
  return {
    file: {
      file: input,
      output: path.basename(output),
      bytes,
      inputPath,
      outputPath: output,
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
function endJob(set: JobSet, entry: ApiJob, view: Partial<JobView>): void {
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
function expireLater(set: JobSet, entry: ApiJob): void {
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
function breakOff(entry: ApiJob): void {
  const { view, record, expiry, events } = entry;
  clearTimeout(expiry);
  events.emit("end");
  if (view.state !== "running") return;
  wait(view);
  record.starts--;
  saveRecord(entry);
}
