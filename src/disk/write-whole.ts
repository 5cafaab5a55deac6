import { createHash, randomUUID } from "node:crypto";
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { InputError } from "../input-error.ts";

/**
 * Writes files atomically: all are written under temporary names first, then renamed. An existing
 * file keeps its mode, and a link keeps its target.
 *
 * @param isFlushed whether to sync the files to disk before returning
 */
export function writeWhole(
  files: readonly (readonly [file: string, bytes: Uint8Array])[],
  isFlushed = false,
): void {
  const temporary: string[] = [];
  const targets = files.map(([file]) => attempt(() => realpathSync(file)) ?? file);
  try {
    removeStaleFiles(targets);
    const written = files.map(([, bytes], index) => {
      const target = targets[index];
      const info = statSync(target, { throwIfNoEntry: false });
      // A pipe or a device cannot be replaced by renaming.
      const isStream = info !== undefined && !info.isFile() && !info.isDirectory();
      const out = isStream ? target : temporaryPath(target);
      if (!isStream) temporary.push(out);
      writeBytes(out, bytes, isFlushed && !isStream, isStream ? undefined : info?.mode);
      return out;
    });
    for (const [index, out] of written.entries()) renameSync(out, targets[index]);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new InputError(`${files.at(-1)?.[0]}: cannot be written (${code}); choose another path.`);
  } finally {
    for (const file of temporary) rmSync(file, { force: true });
  }
}

export function writeText(file: string, text: string): void {
  writeWhole([[file, new TextEncoder().encode(text)]]);
}

function writeBytes(file: string, bytes: Uint8Array, isFlushed: boolean, mode?: number): void {
  const open = openSync(file, "w");
  try {
    if (mode !== undefined) fchmodSync(open, mode & 0o777);
    for (let at = 0; at < bytes.length; ) at += writeSync(open, bytes, at);
    if (isFlushed) fsyncSync(open);
  } finally {
    closeSync(open);
  }
}

/**
 * Returns a hidden temporary path next to a file, of bounded length, that contains the process id.
 */
export function temporaryPath(file: string): string {
  const id = randomUUID().slice(0, 8);
  return path.join(path.dirname(file), `.heterskin-${keyOf(file)}-${process.pid}-${id}.tmp`);
}

/** Deletes temporary files left by processes of this machine that no longer run. */
export function removeStaleFiles(files: readonly string[]): void {
  const keys = new Set(files.map(keyOf));
  for (const folder of new Set(files.map((file) => path.dirname(file)))) {
    for (const name of attempt(() => readdirSync(folder)) ?? []) {
      const [, key, pid] = /^\.heterskin-([0-9a-f]{12})-(\d+)-[0-9a-f]{8}\.tmp$/.exec(name) ?? [];
      if (key === undefined || !keys.has(key) || isAlive(Number(pid))) continue;
      rmSync(path.join(folder, name), { force: true });
    }
  }
}

/** Returns whether a process of this machine is running. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process cannot be signaled but exists.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Includes the host name, because process ids of other machines cannot be checked. */
function keyOf(file: string): string {
  const text = `${hostname()}/${path.basename(file)}`;
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
