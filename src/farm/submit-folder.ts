import { createHash } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import path from "node:path";
import { type BindFolderOptions, outputCheck } from "../batch/bind-folder.ts";
import { type BatchFile, listBatch } from "../batch/list.ts";
import { lockFolder } from "../batch/lock.ts";
import { bindAll, DEFAULT_TIMEOUT } from "../batch/pool.ts";
import { type BatchAnswer, type BatchSettings, learnOnce, settingsKey } from "../batch/row.ts";
import type { BindSettings } from "../files/bind-file.ts";
import { templateOf } from "../files/read-for-bind.ts";
import { InputError } from "../input-error.ts";
import { addJobs, type FarmQueue, jobId } from "./queue.ts";
import {
  type FarmStore,
  farmOutputs,
  jobsOf,
  type ManifestJob,
  type QueuedJob,
  readManifest,
  recordJobs,
} from "./store.ts";

/** Options for {@link submitFolder}: those of a batch, as far as they concern the submission. */
export type SubmitOptions = Omit<BindFolderOptions, "again" | "shard" | "onStart" | "onRow">;

/** The number of jobs that a submission added, and of those that existed. */
export interface Submitted {
  added: number;
  known: number;
}

/**
 * Adds a job for every character of a folder, or of a pattern such as `rigs/*.glb`, except for jobs that
 * wait, run or failed, and for jobs that are done with an unchanged output.
 */
export async function submitFolder(
  queue: FarmQueue,
  inFolder: string,
  outFolder: string,
  options: SubmitOptions,
): Promise<Submitted> {
  const to = path.resolve(outFolder);
  const files = await listBatch(path.resolve(inFolder), to, options);
  // The largest first, so that none is left for the end.
  files.sort((a, b) => b.bytes - a.bytes);
  const unlock = lockFolder(to);
  let unused: string | undefined;
  try {
    const settings = await farmSettings(to, options);
    unused = settings.bind.adapted;
    return await submitFiles(queue, files, to, settings, options, () => {
      unused = undefined;
    });
  } finally {
    if (unused) rmSync(path.dirname(unused), { recursive: true, force: true });
    unlock();
  }
}

/** @param onAdd called before the first job is added */
async function submitFiles(
  queue: FarmQueue,
  files: BatchFile[],
  outFolder: string,
  settings: BatchSettings,
  options: SubmitOptions,
  onAdd: () => void,
): Promise<Submitted> {
  const key = await settingsKey(settings);
  const outputs = farmOutputs(outFolder);
  const { jobs: before = {} } = (await readManifest(outputs)) ?? {};
  const check = outputCheck(files, (output) => options.force || before[output] !== undefined);
  for (const problem of files.map(check)) if (problem) throw problem;
  const earlierIds = files.flatMap(({ output }) => before[output]?.id ?? []);
  const earlier = await jobsOf(queue, earlierIds);
  const jobOf = ({ output }: BatchFile) => earlier.get(before[output]?.id ?? "");
  const found = await compare(files, settings, jobOf, options);
  const jobs = files.map((file) => ({
    file,
    id: jobId(found.get(file)?.input ?? "", key, file.outputPath),
  }));
  const open = jobs.filter(({ file, id }) => {
    const job = jobOf(file);
    return job?.id !== id || (job.returnvalue && !found.get(file)?.isSame);
  });
  const { bind, attention } = settings;
  const { adapted: _, ...shown } = bind;
  await recordJobs(queue, outputs, before, jobs, { options: shown, attention });
  // Jobs that are done, but whose output was changed or deleted.
  await Promise.all(open.map(({ id }) => earlier.has(id) && queue.remove(id)));
  if (open.length > 0) onAdd();
  const { timeout = DEFAULT_TIMEOUT } = options;
  const added = open.map(({ file, id }) => ({ id, data: { file, settings, timeout } }));
  await addJobs(queue, added);
  return { added: open.length, known: files.length - open.length };
}

/** Returns the settings of jobs, with absolute paths because workers have other working directories. */
async function farmSettings(
  outFolder: string,
  { bind = {}, reports = false, pictures = false, attention, signal, onProgress }: SubmitOptions,
): Promise<BatchSettings> {
  const { skeleton, model } = bind;
  const settings: BindSettings = {
    ...bind,
    threads: bind.threads ?? 1,
    ...(skeleton && !templateOf(skeleton) && { skeleton: path.resolve(skeleton) }),
    // Names such as permissive are not paths.
    ...(model && existsSync(model) && { model: path.resolve(model) }),
  };
  const makeFolder = () => mkdtemp(path.join(outFolder, ".heterskin-learned-"));
  const learned = await learnOnce(settings, makeFolder, { signal, onProgress });
  return { bind: { ...settings, ...learned }, reports, pictures, attention };
}

/** Returns the fingerprints of inputs, and whether inputs and outputs are unchanged since an earlier job. */
async function compare(
  files: BatchFile[],
  settings: BatchSettings,
  jobOf: (file: BatchFile) => QueuedJob | undefined,
  { jobs, timeout, signal }: SubmitOptions,
): Promise<Map<BatchFile, Pick<BatchAnswer, "input" | "isSame">>> {
  const found = new Map<BatchFile, Pick<BatchAnswer, "input" | "isSame">>();
  await bindAll(files, settings, {
    jobs,
    timeout,
    signal,
    knownOf: (file) => jobOf(file)?.returnvalue ?? { input: "", bytes: "" },
    onDone: (file, answer) => found.set(file, answer),
  });
  return found;
}

/** A character in a store. */
export interface StoredCharacter {
  /** Keys of its file and of its output, which ends in .glb or .vrm. */
  input: string;
  output: string;
  /** Keys of the files that it refers to: buffers, images, materials. */
  beside?: string[] | undefined;
}

/** Options for {@link submitStored}. */
export interface SubmitStoredOptions
  extends Pick<BindFolderOptions, "bind" | "reports" | "pictures" | "attention" | "timeout"> {
  /**
   * Prefix of the keys of all outputs, where the manifest and the summary are stored; there is no summary
   * without it. Only one program at a time may submit to a prefix.
   */
  out?: string | undefined;
}

/**
 * Adds a job for each character, except for jobs that wait, run or failed, and for jobs that are done and
 * whose output exists.
 *
 * @returns the ids of the jobs, in order
 */
export async function submitStored(
  queue: FarmQueue,
  store: FarmStore,
  characters: StoredCharacter[],
  options: SubmitStoredOptions,
): Promise<string[]> {
  const { bind = {}, reports = false, pictures = false, attention, out } = options;
  const settings: BatchSettings = { bind: { threads: 1, ...bind }, reports, pictures, attention };
  const key = await settingsKey(settings);
  const jobs: (ManifestJob & { beside: string[] })[] = [];
  for (const character of characters) jobs.push(await storedJob(store, character, key, out));
  if (out !== undefined) {
    const outputs = farmOutputs(out, store);
    const { jobs: before = {} } = (await readManifest(outputs)) ?? {};
    await recordJobs(queue, outputs, before, jobs, { options: settings.bind, attention });
  }
  for (const { id, file } of jobs) {
    const known = await queue.getJob(id);
    if (known?.returnvalue && !(await store.exists(file.outputPath))) await queue.remove(id);
  }
  const { timeout = DEFAULT_TIMEOUT } = options;
  const added = jobs.map(({ id, ...job }) => ({ id, data: { ...job, settings, timeout } }));
  await addJobs(queue, added);
  return jobs.map(({ id }) => id);
}

/** Creates the job of a character; its id depends on the bytes of the files. */
async function storedJob(
  store: FarmStore,
  { input, output, beside = [] }: StoredCharacter,
  key: string,
  out: string | undefined,
): Promise<ManifestJob & { beside: string[] }> {
  const hash = createHash("sha256");
  let bytes = 0;
  for (const each of [input, ...beside]) {
    const content = await store.read(each);
    hash.update(content);
    bytes = Math.max(bytes, content.length);
  }
  const { prefix } = farmOutputs(out ?? "", store);
  if (!output.startsWith(prefix)) {
    throw new InputError(`${output}: this output does not have the prefix ${out}.`);
  }
  const names = { file: input, output: output.slice(prefix.length) };
  const file = { ...names, inputPath: input, outputPath: output, bytes };
  return { id: jobId(hash.digest("hex"), key, output), file, beside };
}
