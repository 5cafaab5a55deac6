import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { BatchFile } from "../batch/list.ts";
import { type BatchAnswer, failedAnswer } from "../batch/row.ts";
import { writeWhole } from "../disk/write-whole.ts";
import type { BindSettings } from "../files/bind-file.ts";
import { InputError } from "../input-error.ts";
import type { FarmJob, FarmQueue } from "./queue.ts";

/**
 * A store for the files of a farm, such as S3, if workers do not share a disk. Keys are paths with forward
 * slashes.
 *
 * Writes must be atomic, and repeated writes of the same bytes harmless, because the job of a lost worker
 * runs again.
 */
export interface FarmStore {
  /** Returns the bytes of a key; throws if it does not exist. */
  read(key: string): Promise<Uint8Array>;
  write(key: string, bytes: Uint8Array): Promise<void>;
  exists(key: string): Promise<boolean>;
}

/** Creates a store in a folder; keys cannot lead out of it. */
export function createFolderStore(folder: string): FarmStore {
  const root = path.resolve(folder);
  const at = (key: string) => {
    const file = path.resolve(root, key);
    if (!file.startsWith(root + path.sep) || key.includes("\0")) {
      throw new InputError(`"${key}" is not a key inside the store.`);
    }
    return file;
  };
  return {
    read: async (key) => {
      const file = at(key);
      return readFile(file).catch((error) => {
        // Worth another attempt, unless the file is missing.
        if (error.code !== "ENOENT") {
          throw new Error(`${key}: the store cannot read this key (${error.code}).`);
        }
        throw new InputError(`${key}: the store does not have this key.`);
      });
    },
    write: async (key, bytes) => {
      const file = at(key);
      await mkdir(path.dirname(file), { recursive: true });
      writeWhole([[file, bytes]]);
    },
    exists: async (key) => existsSync(at(key)),
  };
}

/**
 * Runs a job whose paths are keys of a store: copies its files to a temporary folder, binds them there, and
 * copies the results to the store. Never throws: errors are in the row of the answer.
 *
 * @param run runs a job with paths on a disk
 */
export async function runStored(
  store: FarmStore,
  job: FarmJob,
  run: (job: FarmJob) => Promise<BatchAnswer>,
): Promise<BatchAnswer> {
  const folder = await mkdtemp(path.join(tmpdir(), "heterskin-farm-"));
  const at = (key: string) => path.join(folder, key);
  try {
    const { file, beside = [] } = job;
    const { inputPath, outputPath, skeletonPath } = file;
    const keys = [inputPath, ...(skeletonPath ? [skeletonPath] : []), ...beside];
    const temporary = createFolderStore(folder);
    const copies = keys.map(async (key) => temporary.write(key, await store.read(key)));
    // Waits for all of them: a late one would create the folder again after it is removed.
    await Promise.allSettled(copies);
    await Promise.all(copies);
    const local = {
      ...file,
      inputPath: at(inputPath),
      outputPath: at(outputPath),
      ...(skeletonPath && { skeletonPath: at(skeletonPath) }),
    };
    const answer = await run({ ...job, file: local });
    if (answer.row?.status !== "done") return answer;
    // The output comes last, so that its report and picture exist whenever it does.
    for (const key of [`${outputPath}.json`, `${outputPath}.png`, outputPath]) {
      if (existsSync(at(key))) await store.write(key, await readFile(at(key)));
    }
    return answer;
  } catch (error) {
    return failedAnswer(job.file, error);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A job in a manifest. */
export interface ManifestJob {
  id: string;
  file: BatchFile;
}

/** The list of submitted jobs, stored with the outputs; it survives Redis, and the summary is made from it. */
interface FarmManifest {
  /** Name of the farm. */
  farm: string;
  /** Options of the last submission. */
  options: BindSettings;
  attention?: number | undefined;
  /** The last job of each output. */
  jobs: Record<string, ManifestJob>;
}

/** The outputs of a farm, with its manifest and its summary: a folder, or the keys of a store with a prefix. */
interface FarmOutputs {
  store: FarmStore;
  /** Prefix of all keys; empty, or ends with a slash. */
  prefix: string;
  /** Name in messages. */
  name: string;
}

/**
 * Returns the outputs of a farm.
 *
 * @param out a folder or, with a store, the prefix of the keys
 */
export function farmOutputs(out: string, store?: FarmStore): FarmOutputs {
  if (!store) return { store: createFolderStore(out), prefix: "", name: out };
  const plain = out.replace(/\/+$/, "");
  return { store, prefix: plain && `${plain}/`, name: plain };
}

const manifestKey = ({ prefix }: FarmOutputs) => `${prefix}farm.json`;

/** Reads the manifest of outputs, if there is one. */
export async function readManifest(outputs: FarmOutputs): Promise<FarmManifest | undefined> {
  const key = manifestKey(outputs);
  if (!(await outputs.store.exists(key))) return undefined;
  const bytes = await outputs.store.read(key);
  try {
    const manifest = JSON.parse(Buffer.from(bytes).toString("utf8"));
    if (typeof manifest.jobs === "object" && manifest.jobs !== null) return manifest;
  } catch {
    // Reported below.
  }
  throw new InputError(`${outputs.name}/farm.json: this is not a manifest; submit again.`);
}

/** Reads the manifest of outputs; throws `InputError` if there is none. */
export async function requireManifest(outputs: FarmOutputs): Promise<FarmManifest> {
  const manifest = await readManifest(outputs);
  if (manifest) return manifest;
  throw new InputError(`${outputs.name}: no files were submitted with this output; submit first.`);
}

/** Number of concurrent requests to Redis. */
const CONCURRENCY = 200;

/** A job of the queue. */
export type QueuedJob = NonNullable<Awaited<ReturnType<FarmQueue["getJob"]>>>;

/** Returns jobs by their ids, as far as Redis still has them. */
export async function jobsOf(queue: FarmQueue, ids: string[]): Promise<Map<string, QueuedJob>> {
  const jobs = new Map<string, QueuedJob>();
  for (let from = 0; from < ids.length; from += CONCURRENCY) {
    const some = ids.slice(from, from + CONCURRENCY);
    const found = await Promise.all(some.map((id) => queue.getJob(id)));
    for (const job of found) if (job?.id) jobs.set(job.id, job);
  }
  return jobs;
}

/**
 * Writes jobs to the manifest before they are queued, so that their outputs may be overwritten later.
 *
 * @param before the jobs of the manifest so far; those with the same outputs are removed from the queue
 */
export async function recordJobs(
  queue: FarmQueue,
  outputs: FarmOutputs,
  before: FarmManifest["jobs"],
  jobs: readonly ManifestJob[],
  submission: Pick<FarmManifest, "options" | "attention">,
): Promise<void> {
  await removeReplaced(queue, before, jobs);
  const now = Object.fromEntries(jobs.map(({ id, file }) => [file.output, { id, file }]));
  const manifest: FarmManifest = { farm: queue.name, ...submission, jobs: { ...before, ...now } };
  await outputs.store.write(manifestKey(outputs), Buffer.from(`${JSON.stringify(manifest)}\n`));
}

/** Removes earlier jobs of the same outputs, so that no two jobs write one file; throws if one is running. */
async function removeReplaced(
  queue: FarmQueue,
  before: FarmManifest["jobs"],
  jobs: readonly ManifestJob[],
): Promise<void> {
  const replaced = jobs.flatMap(({ id, file }) => {
    const known = before[file.output];
    return known && known.id !== id ? [known] : [];
  });
  if (replaced.length === 0) return;
  // Checked first, so that a refused submission removes nothing.
  const active = new Set((await queue.getActive()).map(({ id }) => id));
  const refuse = ({ file }: ManifestJob) => {
    throw new InputError(
      `${file.file}: a worker is binding this output with other options or from another file; submit again when it is done.`,
    );
  };
  for (const each of replaced) if (active.has(each.id)) refuse(each);
  const removed = await Promise.all(replaced.map(({ id }) => queue.remove(id)));
  for (const [index, each] of replaced.entries()) if (removed[index] !== 1) refuse(each);
}
