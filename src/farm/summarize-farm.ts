import path from "node:path";
import { InputError } from "../input-error.ts";
import type { BatchRow } from "../work/batch-journal.ts";
import { failedRow } from "../work/batch-row.ts";
import { summarizeBatch, summaryTexts } from "../work/batch-summary.ts";
import { type BoundFolder, boundFolder } from "../work/bind-folder.ts";
import { type FarmManifest, farmOutputs, jobsOf, needManifest } from "./farm-manifest.ts";
import type { FarmQueue } from "./farm-queue.ts";
import type { FarmStore } from "./farm-store.ts";
import { rowOf } from "./work-farm.ts";

/**
 * Writes the summary of all outputs of a folder or of a store, the same as a batch's: each file once.
 *
 * `InputError` where jobs have not ended yet. What was cancelled, or lost with its Redis, is not bound.
 *
 * @param out a folder; with a store, what the keys of the outputs begin with
 */
export async function summarizeFarm(
  queue: FarmQueue,
  out: string,
  store?: FarmStore,
): Promise<BoundFolder> {
  const outputs = farmOutputs(out, store);
  const manifest = await needManifest(outputs);
  const rows = await rowsOf(queue, manifest, outputs.name);
  const { options, attention } = manifest;
  const summary = summarizeBatch(rows, options, attention);
  for (const [ending, text] of Object.entries(summaryTexts(summary))) {
    await outputs.store.write(`${outputs.under}summary.${ending}`, Buffer.from(text));
  }
  return boundFolder(summary, (ending) => path.join(outputs.name, `summary.${ending}`));
}

/** What became of each output. */
async function rowsOf(queue: FarmQueue, { jobs }: FarmManifest, name: string): Promise<BatchRow[]> {
  const all = Object.values(jobs);
  const found = await jobsOf(
    queue,
    all.map(({ id }) => id),
  );
  const open = all.filter(({ id }) => found.has(id) && !found.get(id)?.finishedOn);
  if (open.length > 0) {
    throw new InputError(
      `${name}: ${open.length} of ${all.length} files are not done yet; farm status says how long it takes.`,
    );
  }
  return all.map(({ id, file }) => {
    const job = found.get(id);
    const gone = new InputError(`${file.inputPath}: its job was cancelled; submit it again.`);
    return job ? rowOf(job) : failedRow(file, gone);
  });
}
