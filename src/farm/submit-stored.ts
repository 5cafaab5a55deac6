import { createHash } from "node:crypto";
import path from "node:path";
import { DEFAULT_TIMEOUT } from "../work/batch-pool.ts";
import type { BatchSettings } from "../work/batch-row.ts";
import { settingsKey } from "../work/batch-settings.ts";
import type { BindSettings } from "../work/bind-file.ts";
import { jobId } from "./farm-job-id.ts";
import type { FarmQueue } from "./farm-queue.ts";
import type { FarmStore } from "./farm-store.ts";

/** A character of a store. */
export interface StoredCharacter {
  /** Keys of its file and of its output, which ends in .glb or .vrm. */
  input: string;
  output: string;
  /** Keys of files that it names: buffers, pictures, materials. */
  beside?: string[] | undefined;
}

/** Options for {@link submitStored}. */
export interface SubmitStoredOptions {
  bind?: BindSettings | undefined;
  /** Whether each output gets a report, or a picture, beside it. */
  reports?: boolean | undefined;
  pictures?: boolean | undefined;
  /** Seconds a file may take. */
  timeout?: number | undefined;
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
  { bind = {}, reports = false, pictures = false, timeout = DEFAULT_TIMEOUT }: SubmitStoredOptions,
): Promise<string[]> {
  const settings: BatchSettings = { bind: { threads: 1, ...bind }, reports, pictures };
  const key = await settingsKey(settings);
  const ids: string[] = [];
  for (const { input, output, beside = [] } of characters) {
    const hash = createHash("sha256");
    let bytes = 0;
    for (const each of [input, ...beside]) {
      const content = await store.read(each);
      hash.update(content);
      bytes = Math.max(bytes, content.length);
    }
    const jobs = { file: path.posix.basename(input), output, inputPath: input, outputPath: output };
    const id = jobId(hash.digest("hex"), key, output);
    const known = await queue.getJob(id);
    if (known?.returnvalue && !(await store.exists(output))) await queue.remove(id);
    const data = { file: { ...jobs, bytes }, settings, timeout, beside };
    await queue.add("bind", data, { jobId: id });
    ids.push(id);
  }
  return ids;
}
