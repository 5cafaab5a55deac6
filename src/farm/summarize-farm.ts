import { InputError } from "../input-error.ts";
import { failedRow } from "../work/batch-row.ts";
import { type BoundFolder, writeSummary } from "../work/bind-folder.ts";
import { jobsOf, needManifest } from "./farm-manifest.ts";
import type { FarmQueue } from "./farm-queue.ts";
import { rowOf } from "./work-farm.ts";

/**
 * Writes the summary of an output folder, the same as a batch's: each file once.
 *
 * `InputError` where jobs have not ended yet. What was cancelled, or lost with its Redis, is not bound.
 */
export async function summarizeFarm(queue: FarmQueue, outFolder: string): Promise<BoundFolder> {
  const { jobs, options, attention } = needManifest(outFolder);
  const all = Object.values(jobs);
  const found = await jobsOf(
    queue,
    all.map(({ id }) => id),
  );
  const open = all.filter(({ id }) => found.has(id) && !found.get(id)?.finishedOn);
  if (open.length > 0) {
    throw new InputError(
      `${outFolder}: ${open.length} of ${all.length} files are not done yet; farm status says how long it takes.`,
    );
  }
  const rows = all.map(({ id, file }) => {
    const job = found.get(id);
    const gone = new InputError(`${file.inputPath}: its job was cancelled; submit it again.`);
    return job ? rowOf(job) : failedRow(file, gone);
  });
  return writeSummary(rows, options, { outFolder, attention });
}
