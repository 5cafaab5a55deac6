import { randomUUID } from "node:crypto";
import { EventEmitter } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { type BindJob, type BindWatch, createBindPool } from "../../batch/pool.ts";
import type { BatchAnswer, BatchVerb } from "../../batch/row.ts";
import {
  hasEnded,
  type JobRecord,
  type JobState,
  type JobView,
  readRecords,
  resultView,
  saveRecord,
} from "./job-record.ts";
import { ApiError, type ApiLimits, countClient } from "./limits.ts";

/** A job of the service. */
export interface ApiJob {
  client: string;
  view: JobView;
  folder: string;
  record: JobRecord;
  /** Path of the uploaded file. */
  input: string;
  /** Paths of the result and the report, which exist once the job is done. */
  output: string;
  report: string;
  /** Emits `change`, and `end` after the last change. */
  events: EventEmitter;
  ending: AbortController;
  expiry?: NodeJS.Timeout;
}

/** The number of jobs in each state, and of those that ended since the start of the service. */
interface JobCounts {
  now: Record<JobState, number>;
  ended: { done: number; failed: number };
}

/** The jobs of a service. */
export interface JobSet {
  folder: string;
  runner: JobRunner;
  limits: ApiLimits;
  /** Number of unfinished jobs and uploads of each client. */
  unfinished: Map<string, number>;
  jobs: Map<string, ApiJob>;
  ended: JobCounts["ended"];
  isClosed: boolean;
}

/** The folder of an upload that is not a job yet. */
interface Upload {
  id: string;
  folder: string;
  input: string;
}

/** A job during which the service crashed this often is not started again, because it may be the cause. */
const MAX_STARTS = 3;

/**
 * Opens the jobs in a folder. Resumes those of an earlier service: finished jobs remain available until they
 * expire, the others are started again.
 */
export function openJobs(folder: string, runner: JobRunner, limits: ApiLimits): JobSet {
  const set: JobSet = {
    folder,
    runner,
    limits,
    unfinished: new Map(),
    jobs: new Map(),
    ended: { done: 0, failed: 0 },
    isClosed: false,
  };
  for (const record of readRecords(folder, limits.keep)) resumeJob(set, record);
  return set;
}

/** Creates a folder for an upload; throws {@link ApiError} if the client or the service has too many jobs. */
export async function openUpload(set: JobSet, client: string, name: string): Promise<Upload> {
  const { folder: root, limits, unfinished, jobs } = set;
  if ((unfinished.get(client) ?? 0) >= limits.quota) {
    throw new ApiError(429, `You have ${limits.quota} unfinished jobs; wait for one to end.`, 1);
  }
  const own = jobsOf(set, client);
  if (own.length >= limits.clientJobs) {
    throw new ApiError(
      429,
      `You have ${own.length} jobs; delete some, or wait for them to expire.`,
      60,
    );
  }
  if (own.reduce((sum, { record }) => sum + record.bytes, 0) >= limits.clientBytes) {
    throw new ApiError(
      429,
      "Your jobs take too much space; delete some, or wait for them to expire.",
      60,
    );
  }
  if (jobs.size >= limits.jobs) throw new ApiError(503, "Too many jobs; try again later.", 60);
  countClient(unfinished, client, 1);
  const id = randomUUID();
  const folder = path.join(root, id);
  const input = path.join(folder, "in", name);
  try {
    await mkdir(path.dirname(input), { recursive: true });
  } catch (error) {
    countClient(unfinished, client, -1);
    throw error;
  }
  return { id, folder, input };
}

/** Keeps an upload for other jobs, until it expires like a finished job. */
export function keepUpload(
  set: JobSet,
  client: string,
  { id, input }: Upload,
  name: string,
  bytes: number,
): ApiJob {
  const created = new Date().toISOString();
  const view: JobView = { id, state: "done", file: name, created };
  view.expires = new Date(Date.now() + 1000 * set.limits.keep).toISOString();
  const record = { client, input: path.basename(input), bytes, bind: {}, starts: 0, view };
  const kept = createJob(set, { ...record, verb: "file" });
  if (!saveRecord(kept)) throw new ApiError(503, "The server has no space for this file.", 60);
  countClient(set.unfinished, client, -1);
  set.jobs.set(id, kept);
  expireLater(set, kept);
  return kept;
}

/** Returns the jobs of a client, and its uploaded files, oldest first. */
export function jobsOf({ jobs }: JobSet, client: string): ApiJob[] {
  return [...jobs.values()].filter((job) => job.client === client);
}

/** Removes an upload that does not become a job. */
export async function dropUpload(set: JobSet, client: string, upload: Upload): Promise<void> {
  countClient(set.unfinished, client, -1);
  await rm(upload.folder, { recursive: true, force: true });
}

/** Starts a job on an uploaded file. */
export function startJob(
  set: JobSet,
  client: string,
  { id, input }: Upload,
  name: string,
  bytes: number,
  what: Pick<JobRecord, "bind" | "verb" | "from" | "ending">,
): ApiJob {
  const created = new Date().toISOString();
  const job = createJob(set, {
    client,
    input: path.basename(input),
    bytes,
    ...what,
    starts: 0,
    view: {
      id,
      ...(isVerb(what.verb) && { verb: what.verb }),
      state: "waiting",
      file: name,
      created,
    },
  });
  if (!saveRecord(job)) throw new ApiError(503, "The server has no space for this file.", 60);
  set.jobs.set(id, job);
  runJob(set, job);
  return job;
}

const isVerb = (verb: JobRecord["verb"]): verb is BatchVerb =>
  verb !== undefined && verb !== "file";

function createJob({ folder: root }: JobSet, record: JobRecord): ApiJob {
  const { view, client, input } = record;
  const folder = path.join(root, view.id);
  const output = path.join(folder, "out", `result${record.ending ?? resultEnding(input)}`);
  return {
    client,
    view,
    folder,
    input: path.join(folder, "in", input),
    output,
    report: `${output}.json`,
    record,
    events: new EventEmitter().setMaxListeners(0),
    ending: new AbortController(),
  };
}

/** Ending of a result by default. */
function resultEnding(input: string): string {
  return /\.vrm$/i.test(input) ? ".vrm" : ".glb";
}

function resumeJob(set: JobSet, record: JobRecord): void {
  const job = createJob(set, record);
  set.jobs.set(job.view.id, job);
  if (hasEnded(job.view)) {
    expireLater(set, job);
    return;
  }
  countClient(set.unfinished, job.client, 1);
  const error = resumeError(job);
  if (error === undefined) runJob(set, job);
  else endJob(set, job, { state: "failed", error, isUserError: false });
}

function resumeError({ folder, record }: ApiJob): string | undefined {
  if (!existsSync(path.join(folder, "in", record.input))) {
    return "The server was restarted before this file was bound, and the file is gone; send it again.";
  }
  return record.starts < MAX_STARTS
    ? undefined
    : `The server crashed ${record.starts} times while it bound this file; try other options.`;
}

/** Counts the jobs of a service. */
export function countJobs({ jobs, ended }: JobSet): JobCounts {
  const now = { waiting: 0, running: 0, done: 0, failed: 0 };
  for (const { view } of jobs.values()) now[view.state]++;
  return { now, ended };
}

/** Stops the jobs that run here; their files remain for the next service on the same folder. */
export async function closeJobs(set: JobSet): Promise<void> {
  if (set.isClosed) return;
  set.isClosed = true;
  for (const job of set.jobs.values()) requeue(job);
  await set.runner.stop();
}

function runJob(set: JobSet, job: ApiJob): void {
  const { view, ending, events, record } = job;
  resetToWaiting(view);
  const update = (progress: Partial<JobView>) => {
    if (hasEnded(view) || set.isClosed || ending.signal.aborted) return;
    if (view.state === "waiting") {
      record.starts++;
      saveRecord(job);
    }
    Object.assign(view, { state: "running" }, progress);
    events.emit("change");
  };
  set.runner
    .run(view.id, bindJobOf(job, set.limits), {
      onBegin: () => update({}),
      onProgress: (stage, fraction) => update({ stage, fraction }),
      signal: ending.signal,
    })
    .then(({ row }) => {
      // The next service runs the jobs that a closing service interrupts.
      if (set.isClosed) return;
      if (!ending.signal.aborted) return endJob(set, job, resultView(row, job.folder));
      countClient(set.unfinished, job.client, -1);
      // The job may have written files after it was removed.
      rm(job.folder, { recursive: true, force: true }).catch(() => undefined);
    });
}

function resetToWaiting(view: JobView): void {
  view.state = "waiting";
  delete view.stage;
  delete view.fraction;
}

function bindJobOf({ input: inputPath, output, record }: ApiJob, { timeout }: ApiLimits): BindJob {
  const { input, bytes, bind, verb, from } = record;
  const other = isVerb(verb) && verb !== "bind" ? { verb, from, options: { ...bind } } : undefined;
  return {
    file: { file: input, output: path.basename(output), bytes, inputPath, outputPath: output },
    settings: { bind: { ...bind, threads: 1 }, reports: true, pictures: false, other },
    timeout,
  };
}

/** Ends a job, done or failed; it remains available until it expires. */
function endJob(set: JobSet, job: ApiJob, result: Partial<JobView>): void {
  countClient(set.unfinished, job.client, -1);
  const expires = new Date(Date.now() + 1000 * set.limits.keep).toISOString();
  resetToWaiting(job.view);
  Object.assign(job.view, result, { expires });
  // If the record cannot be saved, the job runs again after a restart, with the same result.
  saveRecord(job);
  set.ended[result.state === "done" ? "done" : "failed"]++;
  expireLater(set, job);
  job.events.emit("change");
  job.events.emit("end");
}

function expireLater(set: JobSet, job: ApiJob): void {
  const left = Date.parse(job.view.expires ?? "") - Date.now();
  // If the files cannot be removed now, the next service on the same folder tries again.
  const expire = () => void removeJob(set, job).catch(() => undefined);
  job.expiry = setTimeout(expire, Math.max(0, left || 0)).unref();
}

/** Cancels a job and removes it with its files. */
export async function removeJob({ jobs }: JobSet, job: ApiJob): Promise<void> {
  clearTimeout(job.expiry);
  jobs.delete(job.view.id);
  job.ending.abort();
  job.events.emit("end");
  await rm(job.folder, { recursive: true, force: true });
}

/** Returns a running job to the queue of the next service, without counting the start. */
function requeue(job: ApiJob): void {
  const { view, record, expiry, events } = job;
  clearTimeout(expiry);
  events.emit("end");
  if (view.state !== "running") return;
  resetToWaiting(view);
  record.starts--;
  saveRecord(job);
}

/** Observes and cancels a job of the service. */
export type JobWatch = Required<{ [Key in keyof BindWatch]: NonNullable<BindWatch[Key]> }>;

/** Runs the jobs of the service, here or on other machines. */
export interface JobRunner {
  /** Never throws: errors are in the row of the answer. */
  run(id: string, job: BindJob, watch: JobWatch): Promise<BatchAnswer>;
  /** Cancels the jobs that run here; those on other machines continue. */
  stop(): Promise<void>;
}

/** Runs jobs on this machine, at most `jobs` at once; the others wait. */
export function createLocalRunner(jobs: number): JobRunner {
  const pool = createBindPool({ jobs });
  return {
    run: (_, job, watch) => pool.run(job, watch),
    stop: async () => pool.stop(),
  };
}
