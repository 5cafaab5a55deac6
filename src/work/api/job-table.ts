import { randomUUID } from "node:crypto";
import { EventEmitter } from "node:events";
import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import type { BatchRow } from "../batch-journal.ts";
import type { BindSettings } from "../bind-file.ts";
import { ApiError } from "./api-error.ts";
import type { ApiLimits } from "./api-limits.ts";
import type { JobRunner } from "./job-runner.ts";

/** How a job stands. */
export type JobState = "waiting" | "running" | "done" | "failed";

/** A job as clients see it. */
export interface JobView {
  id: string;
  state: JobState;
  /** The name of the file it was made from. */
  file: string;
  created: string;
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
  /** How many jobs are in each state, and how many have ended since the start. */
  counts(): { now: Record<JobState, number>; ended: { done: number; failed: number } };
  close(): Promise<void>;
}

interface Entry extends ApiJob {
  folder: string;
  ending: AbortController;
  expiry?: NodeJS.Timeout;
}

/** Makes a table whose files are below a folder. */
export function createJobTable(folder: string, runner: JobRunner, limits: ApiLimits): JobTable {
  const entries = new Map<string, Entry>();
  /** Jobs and uploads under way of each client. */
  const open = new Map<string, number>();
  const ended = { done: 0, failed: 0 };
  const count = (client: string, by: number) => {
    const left = (open.get(client) ?? 0) + by;
    if (left > 0) open.set(client, left);
    else open.delete(client);
  };
  const forget = async (entry: Entry) => {
    clearTimeout(entry.expiry);
    entries.delete(entry.id);
    entry.ending.abort();
    entry.events.emit("end");
    await rm(entry.folder, { recursive: true, force: true });
  };
  const finish = (entry: Entry, row: BatchRow | undefined) => {
    count(entry.client, -1);
    if (entry.ending.signal.aborted) {
      // It may have written something after all.
      rm(entry.folder, { recursive: true, force: true }).catch(() => undefined);
      return;
    }
    Object.assign(entry.view, endOf(row, entry.folder), {
      expires: new Date(Date.now() + 1000 * limits.keep).toISOString(),
    });
    ended[entry.view.state === "done" ? "done" : "failed"]++;
    entry.expiry = setTimeout(() => forget(entry), 1000 * limits.keep).unref();
    entry.events.emit("change");
    entry.events.emit("end");
  };
  return {
    async prepare(client, name) {
      if ((open.get(client) ?? 0) >= limits.quota) {
        throw new ApiError(429, `You have ${limits.quota} jobs under way; wait for one to end.`, 1);
      }
      if (entries.size >= limits.jobs)
        throw new ApiError(503, "Too many jobs; come back later.", 60);
      count(client, 1);
      const id = randomUUID();
      const place = path.join(folder, id);
      const input = path.join(place, "in", name);
      try {
        await mkdir(path.dirname(input), { recursive: true });
      } catch (error) {
        count(client, -1);
        throw error;
      }
      return { id, folder: place, input };
    },
    async drop(client, place) {
      count(client, -1);
      await rm(place.folder, { recursive: true, force: true });
    },
    start(client, { id, folder: place, input }, name, bytes, bind) {
      const file = path.basename(input);
      const output = path.join(place, "out", /\.vrm$/i.test(file) ? "result.vrm" : "result.glb");
      const created = new Date().toISOString();
      const entry: Entry = {
        ...{ id, client, folder: place, output, report: `${output}.json` },
        view: { id, state: "waiting", file: name, created },
        events: new EventEmitter().setMaxListeners(0),
        ending: new AbortController(),
      };
      entries.set(id, entry);
      const job = {
        file: { file, output: path.basename(output), inputPath: input, outputPath: output, bytes },
        settings: { bind: { ...bind, threads: 1 }, reports: true, pictures: false },
        timeout: limits.timeout,
      };
      const onBegin = () => {
        entry.view.state = "running";
        entry.events.emit("change");
      };
      runner.run(id, job, onBegin, entry.ending.signal).then(({ row }) => finish(entry, row));
      return entry;
    },
    get: (id) => entries.get(id),
    remove: async ({ id }) => {
      const entry = entries.get(id);
      if (entry) await forget(entry);
    },
    counts() {
      const now = { waiting: 0, running: 0, done: 0, failed: 0 };
      for (const { view } of entries.values()) now[view.state]++;
      return { now, ended };
    },
    async close() {
      await Promise.all([...entries.values()].map(forget));
      await runner.stop();
    },
  };
}

/** What clients see of a row; no sentence names a folder of ours. */
function endOf(row: BatchRow | undefined, folder: string): Partial<JobView> {
  if (row?.status === "done") {
    const { vertices, joints, doubt, seconds } = row;
    return { state: "done", vertices, joints, doubt, seconds } as Partial<JobView>;
  }
  const error = (row?.error ?? "Not bound.").replaceAll(path.join(folder, "in") + path.sep, "");
  const isInputAtFault = row?.isInputAtFault ?? false;
  return { state: "failed", error: error.replaceAll(folder, "…"), isInputAtFault };
}
