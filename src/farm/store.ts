import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type BatchAnswer, failedAnswer } from "../batch/row.ts";
import { writeWhole } from "../disk/write-whole.ts";
import { InputError } from "../input-error.ts";
import type { FarmJob } from "./queue.ts";

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
