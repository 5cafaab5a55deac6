import { randomUUID } from "node:crypto";
import { EventEmitter } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import type { BindSettings } from "../bind-file.ts";
import { ApiError } from "./api-error.ts";
import type { ApiLimits } from "./api-limits.ts";
import {
  type ApiJob,
  breakOff,
  endJob,
  expireLater,
  type JobCounts,
  type JobSet,
  runJob,
} from "./job-life.ts";
import { createJobQuota } from "./job-quota.ts";
import { type JobRecord, readRecords, saveRecord } from "./job-record.ts";
import type { JobRunner } from "./job-runner.ts";
import { hasEnded } from "./job-view.ts";

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
    ...{ folder, runner, limits, quota: createJobQuota(limits.quota) },
    ...{ entries: new Map(), ended: { done: 0, failed: 0 }, isClosed: false },
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
    ...{ client, input: path.basename(input), bytes, bind, starts: 0 },
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
    ...{ id: view.id, client, view, folder: place, output, report: `${output}.json`, record },
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
    else endJob(jobs, entry, { state: "failed", error, isInputAtFault: false });
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
