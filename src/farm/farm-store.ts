import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { InputError } from "../input-error.ts";
import { writeWhole } from "../io/disk/write-whole.ts";

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
