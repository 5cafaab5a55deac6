import { createHash } from "node:crypto";
import type { BindFolderOptions } from "../batch/bind-folder.ts";
import type { BatchFile } from "../batch/list.ts";
import { DEFAULT_TIMEOUT } from "../batch/pool.ts";
import { type BatchSettings, settingsKey } from "../batch/row.ts";
import { InputError } from "../input-error.ts";
import {
  dropReplaced,
  type FarmManifest,
  farmOutputs,
  readManifest,
  writeManifest,
} from "./manifest.ts";
import { addJobs, type FarmQueue, jobId } from "./queue.ts";
import type { FarmStore } from "./store.ts";

/** A character of a store. */
export interface StoredCharacter {
  /** Keys of its file and of its output, which ends in .glb or .vrm. */
  input: string;
  output: string;
  /** Keys of files that it names: buffers, pictures, materials. */
  beside?: string[] | undefined;
}

/** Options for {@link submitStored}. */
export interface SubmitStoredOptions
  extends Pick<BindFolderOptions, "bind" | "reports" | "pictures" | "attention" | "timeout"> {
  /**
   * What the keys of all outputs begin with. The farm keeps its list there, for the summary; without it
   * there is none. One program at a time may submit to it.
   */
  out?: string | undefined;
}

interface StoredJob {
  id: string;
  file: BatchFile;
  beside: string[];
}

/**
 * Adds a job for each character of a store; one that waits, runs, has failed, or is done and whose output
 * is there, is not added again.
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
  const jobs: StoredJob[] = [];
  for (const character of characters) jobs.push(await storedJob(store, character, key, out));
  // First: whatever happens next, the outputs are known to be ours.
  if (out !== undefined) await noteJobs(queue, store, out, jobs, settings);
  for (const { id, file } of jobs) {
    const known = await queue.getJob(id);
    if (known?.returnvalue && !(await store.exists(file.outputPath))) await queue.remove(id);
  }
  const { timeout = DEFAULT_TIMEOUT } = options;
  const added = jobs.map(({ id, ...job }) => ({ id, data: { ...job, settings, timeout } }));
  await addJobs(queue, added);
  return jobs.map(({ id }) => id);
}

/** The job of a character, known by the bytes of its files. */
async function storedJob(
  store: FarmStore,
  { input, output, beside = [] }: StoredCharacter,
  key: string,
  out: string | undefined,
): Promise<StoredJob> {
  const hash = createHash("sha256");
  let bytes = 0;
  for (const each of [input, ...beside]) {
    const content = await store.read(each);
    hash.update(content);
    bytes = Math.max(bytes, content.length);
  }
  const { under } = farmOutputs(out ?? "", store);
  if (!output.startsWith(under)) {
    throw new InputError(`${output}: this output is not below ${out}, where the summary will be.`);
  }
  const names = { file: input, output: output.slice(under.length) };
  const file = { ...names, inputPath: input, outputPath: output, bytes };
  return { id: jobId(hash.digest("hex"), key, output), file, beside };
}

/** Adds jobs to the list that the summary is made from. */
async function noteJobs(
  queue: FarmQueue,
  store: FarmStore,
  out: string,
  jobs: StoredJob[],
  { bind, attention }: BatchSettings,
): Promise<void> {
  const outputs = farmOutputs(out, store);
  const { jobs: before = {} } = (await readManifest(outputs)) ?? {};
  await dropReplaced(queue, before, jobs);
  const now = Object.fromEntries(jobs.map(({ id, file }) => [file.output, { id, file }]));
  const all: FarmManifest["jobs"] = { ...before, ...now };
  await writeManifest(outputs, { farm: queue.name, options: bind, attention, jobs: all });
}
