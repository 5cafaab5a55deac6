import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type BatchAnswer, failedAnswer } from "../batch/row.ts";
import { writeWhole } from "../disk/write-whole.ts";
import { InputError } from "../input-error.ts";
import type { FarmJob } from "./queue.ts";

/**
 * Where a farm's files are, if not on a disk that its workers see: S3, say. Keys are paths with forward
 * slashes.
 *
 * A written key must be seen whole or not at all, and a second write of the same bytes must do no harm:
 * a job whose worker is lost is done again.
 */
export interface FarmStore {
  /** The bytes of a key; throws where there is none. */
  read(key: string): Promise<Uint8Array>;
  write(key: string, bytes: Uint8Array): Promise<void>;
  exists(key: string): Promise<boolean>;
}

/** A folder as a store; no key leads out of it. */
export function createFolderStore(folder: string): FarmStore {
  const root = path.resolve(folder);
  const at = (key: string) => {
    const file = path.resolve(root, key);
    if (!file.startsWith(root + path.sep) || key.includes("\0")) {
      throw new InputError(`"${key}" leads out of the store.`);
    }
    return file;
  };
  return {
    read: async (key) => {
      const file = at(key);
      return readFile(file).catch((error) => {
        // A disk that fails may be back the next time; what is not there will not.
        if (error.code !== "ENOENT") {
          throw new Error(`${key}: the store cannot read it now (${error.code}).`);
        }
        throw new InputError(`${key}: there is nothing under this key in the store.`);
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
