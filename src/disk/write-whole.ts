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

/** Files by their paths. */
export type WholeFiles = readonly (readonly [file: string, bytes: Uint8Array])[];

/**
 * Writes files atomically: first under temporary names next to them, then renamed once all are complete, so that
 * readers see either the old or the new content.
 *
 * An existing file keeps its mode, and a link stays one: its target is written.
 *
 * @param isFlushed whether they are flushed to the disk, to survive a power failure
 */
export function writeWhole(files: WholeFiles, isFlushed = false): void {
  const temporaryFiles: string[] = [];
  const targets = files.map(([file]) => behindLink(file));
  try {
    sweepTemporaryFiles(targets);
    const written = files.map(([, bytes], index) => {
      const target = targets[index];
      const info = statSync(target, { throwIfNoEntry: false });
      // A pipe or a device cannot be replaced by renaming.
      const isStream = info !== undefined && !info.isFile() && !info.isDirectory();
      const temporary = isStream ? target : temporaryFileOf(target);
      if (!isStream) temporaryFiles.push(temporary);
      writeBytes(temporary, bytes, isFlushed && !isStream, isStream ? undefined : info?.mode);
      return temporary;
    });
    for (const [index, temporary] of written.entries()) renameSync(temporary, targets[index]);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new InputError(`${files.at(-1)?.[0]}: cannot be written (${code}); choose another path.`);
  } finally {
    for (const file of temporaryFiles) rmSync(file, { force: true });
  }
}

/** {@link writeWhole} for text. */
export function writeText(file: string, text: string): void {
  writeWhole([[file, new TextEncoder().encode(text)]]);
}

function behindLink(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
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

/** Returns a temporary name for a file: hidden, of a length that always fits, with the process id. */
export function temporaryFileOf(file: string): string {
  const id = randomUUID().slice(0, 8);
  return path.join(path.dirname(file), `.heterskin-${keyOf(file)}-${process.pid}-${id}.tmp`);
}

/** Removes temporary files of these files that processes on this machine left behind. */
export function sweepTemporaryFiles(files: readonly string[]): void {
  const keys = new Set(files.map(keyOf));
  for (const folder of new Set(files.map((file) => path.dirname(file)))) {
    for (const name of listOf(folder)) {
      const [, key, pid] = /^\.heterskin-([0-9a-f]{12})-(\d+)-[0-9a-f]{8}\.tmp$/.exec(name) ?? [];
      if (key === undefined || !keys.has(key) || isAlive(Number(pid))) continue;
      rmSync(path.join(folder, name), { force: true });
    }
  }
}

/** Whether a process of this machine is running. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user exists, but cannot be signaled.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** The host name is included because machines that share a folder cannot check each other's processes. */
function keyOf(file: string): string {
  const text = `${hostname()}/${path.basename(file)}`;
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}

function listOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
