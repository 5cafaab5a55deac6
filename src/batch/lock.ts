import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { isAlive } from "../disk/write-whole.ts";
import { readObject } from "../files/parse-object.ts";
import { InputError } from "../input-error.ts";
import { type Shard, shardMark } from "./list.ts";

/** Returns the path of the lock of a folder, or of one shard. */
export function lockPath(folder: string, shard?: Shard): string {
  return path.join(folder, `batch${shardMark(shard)}.lock`);
}

/** Creates a folder and those above it. */
export function createFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new InputError(`${folder}: cannot create this folder (${code}).`);
  }
}

/**
 * Creates and locks a folder, or one shard of it; throws `InputError` if another process holds the lock.
 * Replaces the lock of a process that is gone.
 *
 * @returns a function that releases the lock
 */
export function lockFolder(folder: string, shard?: Shard): () => void {
  createFolder(folder);
  const file = lockPath(folder, shard);
  const own = { pid: process.pid, host: hostname(), since: new Date().toISOString() };
  // Several tries: after a stale lock is removed, another process may create one first.
  for (let tries = 0; ; tries++) {
    try {
      writeFileSync(file, `${JSON.stringify(own)}\n`, { flag: "wx" });
      return () => rmSync(file, { force: true });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== "EEXIST") {
        throw new InputError(`${folder}: cannot write to this folder (${code}).`);
      }
    }
    const { pid, host, since } = readObject<typeof own>(file) ?? {};
    // Processes of other machines cannot be checked, so their locks stand.
    const isValid = pid !== undefined && Number.isInteger(pid);
    if (isValid && (tries > 1 || host !== hostname() || isAlive(pid))) {
      throw new InputError(
        `${folder}: another batch (process ${pid} on ${host}, since ${since}) writes to this folder; wait for it, or remove ${path.basename(file)} if that process is gone.`,
      );
    }
    rmSync(file, { force: true });
  }
}
