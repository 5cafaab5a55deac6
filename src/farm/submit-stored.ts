import { createHash } from "node:crypto";
import type { BindFolderOptions } from "../batch/bind-folder.ts";
import { DEFAULT_TIMEOUT } from "../batch/pool.ts";
import { type BatchSettings, settingsKey } from "../batch/row.ts";
import { InputError } from "../input-error.ts";
import { farmOutputs, type ManifestJob, readManifest, recordJobs } from "./manifest.ts";
import { addJobs, type FarmQueue, jobId } from "./queue.ts";
import type { FarmStore } from "./store.ts";

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
