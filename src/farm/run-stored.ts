import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type BatchAnswer, failedAnswer } from "../work/batch-row.ts";
import type { FarmJob } from "./farm-queue.ts";
import { createFolderStore, type FarmStore } from "./farm-store.ts";

/**
 * Does a job whose paths are keys of a store: brings its files to a folder of its own, binds there, and
 * takes to the store what came of it. Never throws: what went wrong is in the row.
 *
 * @param run does a job whose paths are those of a disk
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
    await fetchAll(store, folder, [inputPath, ...(skeletonPath ? [skeletonPath] : []), ...beside]);
    const local = {
      ...file,
      inputPath: at(inputPath),
      outputPath: at(outputPath),
      ...(skeletonPath && { skeletonPath: at(skeletonPath) }),
    };
    const answer = await run({ ...job, file: local });
    if (answer.row?.status === "done") await keepAll(store, folder, outputPath);
    return answer;
  } catch (error) {
    return failedAnswer(job.file, error);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function fetchAll(store: FarmStore, folder: string, keys: string[]): Promise<void> {
  const local = createFolderStore(folder);
  const all = keys.map(async (key) => local.write(key, await store.read(key)));
  // All of them: one that comes late would make the folder anew once it is removed.
  await Promise.allSettled(all);
  await Promise.all(all);
}

/** The output last: where it is, its report and picture are. */
async function keepAll(store: FarmStore, folder: string, output: string): Promise<void> {
  for (const key of [`${output}.json`, `${output}.png`, output]) {
    const file = path.join(folder, key);
    if (existsSync(file)) await store.write(key, await readFile(file));
  }
}
