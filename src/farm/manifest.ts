import type { BatchFile } from "../batch/list.ts";
import type { BindSettings } from "../files/bind-file.ts";
import { InputError } from "../input-error.ts";
import type { FarmQueue } from "./queue.ts";
import { createFolderStore, type FarmStore } from "./store.ts";

/** What the outputs of a farm know of it: outlives Redis, and makes the summary. */
export interface FarmManifest {
  /** The farm's name. */
  farm: string;
  /** Of the last submission. */
  options: BindSettings;
  attention?: number | undefined;
  /** The last job of each output. */
  jobs: Record<string, { id: string; file: BatchFile }>;
}

/** Where the outputs of a farm are, with its list and its summary: a folder, or a part of a store. */
export interface FarmOutputs {
  store: FarmStore;
  /** What all keys begin with; empty, or with a slash at its end. */
  under: string;
  /** What people call it. */
  name: string;
}

/**
 * The outputs of a farm.
 *
 * @param out a folder; with a store, what the keys begin with
 */
export function farmOutputs(out: string, store?: FarmStore): FarmOutputs {
  if (!store) return { store: createFolderStore(out), under: "", name: out };
  const plain = out.replace(/\/+$/, "");
  return { store, under: plain && `${plain}/`, name: plain };
}

const manifestKey = ({ under }: FarmOutputs) => `${under}farm.json`;

/** Reads the manifest of outputs; nothing where they have none. */
export async function readManifest(outputs: FarmOutputs): Promise<FarmManifest | undefined> {
  const key = manifestKey(outputs);
  if (!(await outputs.store.exists(key))) return undefined;
  const bytes = await outputs.store.read(key);
  try {
    const manifest = JSON.parse(Buffer.from(bytes).toString("utf8"));
    if (typeof manifest.jobs === "object" && manifest.jobs !== null) return manifest;
  } catch {
    // Told below.
  }
  throw new InputError(`${outputs.name}/farm.json: this is no list of a farm; submit again.`);
}

/** The same; `InputError` where there is none. */
export async function needManifest(outputs: FarmOutputs): Promise<FarmManifest> {
  const manifest = await readManifest(outputs);
  if (manifest) return manifest;
  throw new InputError(`${outputs.name}: no farm works on this; submit files to it first.`);
}

/** Writes the manifest of outputs. */
export async function writeManifest(outputs: FarmOutputs, manifest: FarmManifest): Promise<void> {
  await outputs.store.write(manifestKey(outputs), Buffer.from(`${JSON.stringify(manifest)}\n`));
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

/**
 * Takes the earlier jobs of outputs out of the queue where other jobs are to make these now, so that no
 * two write one file; `InputError` where a worker is at one.
 *
 * @param wanted the jobs that are to be
 */
export async function dropReplaced(
  queue: FarmQueue,
  before: FarmManifest["jobs"],
  wanted: { id: string; file: BatchFile }[],
): Promise<void> {
  const replaced = wanted.flatMap(({ id, file }) => {
    const known = before[file.output];
    return known && known.id !== id ? [known] : [];
  });
  if (replaced.length === 0) return;
  // Asked first, so that nothing is lost by a submission that is refused.
  const active = new Set((await queue.getActive()).map(({ id }) => id));
  const refuse = ({ file }: { file: BatchFile }) => {
    throw new InputError(
      `${file.file}: a worker binds this with other options or from another file now; submit again once it is done.`,
    );
  };
  for (const each of replaced) if (active.has(each.id)) refuse(each);
  const gone = await Promise.all(replaced.map(({ id }) => queue.remove(id)));
  for (const [index, each] of replaced.entries()) if (gone[index] !== 1) refuse(each);
}
