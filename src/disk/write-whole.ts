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
 * Writes files so that whoever opens one sees the old or the new content, whole, whatever happens in
 * between: first under other names beside them, then renamed once all are complete.
 *
 * A file that is there keeps its mode, and a link stays one: what it leads to is written.
 *
 * @param isFlushed whether they are on the disk when this returns, even if the machine fails
 */
export function writeWhole(files: WholeFiles, isFlushed = false): void {
  const drafts: string[] = [];
  const targets = files.map(([file]) => behindLink(file));
  try {
    sweepDrafts(targets);
    const written = files.map(([, bytes], index) => {
      const target = targets[index];
      const info = statSync(target, { throwIfNoEntry: false });
      // A pipe or a device has no name to be taken over.
      const isStream = info !== undefined && !info.isFile() && !info.isDirectory();
      const place = isStream ? target : draftOf(target);
      if (!isStream) drafts.push(place);
      writeBytes(place, bytes, isFlushed && !isStream, isStream ? undefined : info?.mode);
      return place;
    });
    for (const [index, place] of written.entries()) renameSync(place, targets[index]);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new InputError(
      `${files.at(-1)?.[0]}: cannot be written (${code}); choose another place.`,
    );
  } finally {
    for (const draft of drafts) rmSync(draft, { force: true });
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

/** A name to write a file under until it is whole: hidden, of a length that always fits, with its writer's number. */
export function draftOf(file: string): string {
  const id = randomUUID().slice(0, 8);
  return path.join(path.dirname(file), `.heterskin-${keyOf(file)}-${process.pid}-${id}.tmp`);
}

/** Takes away what earlier writers of these files on this machine have left, where they run no more. */
export function sweepDrafts(files: readonly string[]): void {
  const keys = new Set(files.map(keyOf));
  for (const folder of new Set(files.map((file) => path.dirname(file)))) {
    for (const name of listOf(folder)) {
      const [, key, pid] = /^\.heterskin-([0-9a-f]{12})-(\d+)-[0-9a-f]{8}\.tmp$/.exec(name) ?? [];
      if (key === undefined || !keys.has(key) || isAlive(Number(pid))) continue;
      rmSync(path.join(folder, name), { force: true });
    }
  }
}

/** Whether a process of this machine runs. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's may not be called on, but is there.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Machines that share a folder must not take each other's writers for dead. */
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
