import { randomUUID } from "node:crypto";
import { EventEmitter } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import type { BatchRow } from "../batch-journal.ts";
import type { BindSettings } from "../bind-file.ts";
import type { SlotJob } from "../bind-slots.ts";
import { ApiError } from "./api-error.ts";
import type { ApiLimits } from "./api-limits.ts";
import { createJobQuota, type JobQuota } from "./job-quota.ts";
import { type JobRecord, readRecords, writeRecord } from "./job-record.ts";
import type { JobRunner } from "./job-runner.ts";
import { endOf, hasEnded, type JobState, type JobView } from "./job-view.ts";

/** A job of the service. */
export interface ApiJob {
  id: string;
  client: string;
  view: JobView;
  /** Where its result and its report are, once it is done. */
  output: string;
  report: string;
  /** Emits `change`; `end` when there will be none any more. */
  events: EventEmitter;
}

/** A place for a job's file, before there is a job. */
export interface JobPlace {
  id: string;
  folder: string;
  /** Where to put the file. */
  input: string;
}

/** How many jobs are in each state, and how many have ended since the start. */
export interface JobCounts {
  now: Record<JobState, number>;
  ended: { done: number; failed: number };
}

/** All jobs of the service. */
export interface JobTable {
  /** Makes a place; an {@link ApiError} where the client has enough jobs. */
  prepare(client: string, name: string): Promise<JobPlace>;
  /** Gives a place up. */
  drop(client: string, place: JobPlace): Promise<void>;
  /** Starts a job on the file in its place. */
  start(client: string, place: JobPlace, name: string, bytes: number, bind: BindSettings): ApiJob;
  get(id: string): ApiJob | undefined;
  /** Ends a job and forgets it, its files too. */
  remove(job: ApiJob): Promise<void>;
  counts(): JobCounts;
  /** Leaves all files where they are, for the next table of the same folder. */
  close(): Promise<void>;
}

interface Entry extends ApiJob {
  folder: string;
  record: JobRecord;
  ending: AbortController;
  expiry?: NodeJS.Timeout;
}

/** What all functions of a table share. */
interface Table {
  folder: string;
  runner: JobRunner;
  limits: ApiLimits;
  quota: JobQuota;
  entries: Map<string, Entry>;
  ended: JobCounts["ended"];
  isClosed: boolean;
}

/** A job that was begun this often, and never ended, may be what ends us. */
const MOST_STARTS = 3;

/**
 * Makes a table whose files are below a folder. What an earlier table has left there is taken up: jobs
 * that have ended can be asked for until they expire, the others are done now.
 */
export function createJobTable(folder: string, runner: JobRunner, limits: ApiLimits): JobTable {
  const table: Table = {
    ...{ folder, runner, limits, quota: createJobQuota(limits.quota) },
    ...{ entries: new Map(), ended: { done: 0, failed: 0 }, isClosed: false },
  };
  for (const record of readRecords(folder, limits.keep)) takeUp(table, record);
  return {
    prepare: (client, name) => preparePlace(table, client, name),
    async drop(client, place) {
      table.quota.leave(client);
      await rm(place.folder, { recursive: true, force: true });
    },
    start: (client, place, name, bytes, bind) => startJob(table, client, place, name, bytes, bind),
    get: (id) => table.entries.get(id),
    async remove({ id }) {
      const entry = table.entries.get(id);
      if (entry) await forget(table, entry);
    },
    counts: () => countJobs(table),
    close: () => closeTable(table),
  };
}

async function preparePlace(
  { folder, limits, quota, entries }: Table,
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

function startJob(
  table: Table,
  client: string,
  { id, input }: JobPlace,
  name: string,
  bytes: number,
  bind: BindSettings,
): ApiJob {
  const created = new Date().toISOString();
  const entry = createEntry(table, {
    ...{ client, input: path.basename(input), bytes, bind, starts: 0 },
    view: { id, state: "waiting", file: name, created },
  });
  if (!save(entry)) throw new ApiError(503, "The server has no room for this file.", 60);
  table.entries.set(id, entry);
  run(table, entry);
  return entry;
}

function createEntry({ folder }: Table, record: JobRecord): Entry {
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
function takeUp(table: Table, record: JobRecord): void {
  const entry = createEntry(table, record);
  table.entries.set(entry.id, entry);
  if (hasEnded(entry.view)) expireLater(table, entry);
  else {
    table.quota.enter(entry.client);
    const error = whyNotAgain(entry);
    if (error === undefined) run(table, entry);
    else end(table, entry, { state: "failed", error, isInputAtFault: false });
  }
}

/** Why a job is not begun again, in a sentence; nothing where it can be. */
function whyNotAgain({ folder, record }: Entry): string | undefined {
  if (!existsSync(path.join(folder, "in", record.input))) {
    return "The server was started anew before this was bound, and its file is gone; send it again.";
  }
  return record.starts < MOST_STARTS
    ? undefined
    : `The server ended ${record.starts} times while this was bound; try it with other options.`;
}

function run(table: Table, entry: Entry): void {
  const { view, ending, events, record } = entry;
  Object.assign(view, { state: "waiting" });
  record.starts++;
  save(entry);
  const begin = (more: Partial<JobView>) => {
    if (hasEnded(view)) return;
    Object.assign(view, { state: "running" }, more);
    events.emit("change");
  };
  table.runner
    .run(entry.id, jobOf(entry, table.limits), {
      onBegin: () => begin({}),
      onProgress: (stage, fraction) => begin({ stage, fraction }),
      signal: ending.signal,
    })
    .then(({ row }) => finish(table, entry, row));
}

function jobOf({ folder, output, record }: Entry, { timeout }: ApiLimits): SlotJob {
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

function finish(table: Table, entry: Entry, row: BatchRow | undefined): void {
  // What a closing service breaks off is for the next one to do.
  if (table.isClosed) return;
  if (entry.ending.signal.aborted) {
    table.quota.leave(entry.client);
    // It may have written something after all.
    rm(entry.folder, { recursive: true, force: true }).catch(() => undefined);
  } else end(table, entry, endOf(row, entry.folder));
}

function end(table: Table, entry: Entry, view: Partial<JobView>): void {
  const { limits, ended, quota } = table;
  quota.leave(entry.client);
  const expires = new Date(Date.now() + 1000 * limits.keep).toISOString();
  delete entry.view.stage;
  delete entry.view.fraction;
  Object.assign(entry.view, view, { expires });
  // One that cannot be noted is done again after a restart, to the same bytes.
  save(entry);
  ended[view.state === "done" ? "done" : "failed"]++;
  expireLater(table, entry);
  entry.events.emit("change");
  entry.events.emit("end");
}

/** Writes what is known of a job into its folder; whether there was room. */
function save({ folder, record }: Entry): boolean {
  try {
    writeRecord(folder, record);
    return true;
  } catch {
    return false;
  }
}

function expireLater(table: Table, entry: Entry): void {
  const left = Date.parse(entry.view.expires ?? "") - Date.now();
  entry.expiry = setTimeout(() => forget(table, entry), Math.max(0, left || 0)).unref();
}

async function forget({ entries }: Table, entry: Entry): Promise<void> {
  clearTimeout(entry.expiry);
  entries.delete(entry.id);
  entry.ending.abort();
  entry.events.emit("end");
  await rm(entry.folder, { recursive: true, force: true });
}

function countJobs({ entries, ended }: Table): JobCounts {
  const now = { waiting: 0, running: 0, done: 0, failed: 0 };
  for (const { view } of entries.values()) now[view.state]++;
  return { now, ended };
}

async function closeTable(table: Table): Promise<void> {
  table.isClosed = true;
  for (const { expiry, events } of table.entries.values()) {
    clearTimeout(expiry);
    events.emit("end");
  }
  await table.runner.stop();
}
