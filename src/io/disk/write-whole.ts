import { randomUUID } from "node:crypto";
import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import path from "node:path";
import { InputError } from "../../input-error.ts";

/** Files by their paths. */
export type WholeFiles = readonly (readonly [file: string, bytes: Uint8Array])[];

/**
 * Writes files so that whoever opens one sees the old or the new content, whole, whatever happens in
 * between: first under other names beside them, then renamed once all are complete.
 *
 * @param isFlushed whether they are on the disk when this returns, even if the machine fails
 */
export function writeWhole(files: WholeFiles, isFlushed = false): void {
  const drafts: string[] = [];
  try {
    const targets = files.map(([file, bytes]) => {
      const draft = path.join(path.dirname(file), `.${path.basename(file)}.${randomUUID()}.tmp`);
      // A pipe or a device has no name to be taken over.
      const target = isStream(file) ? file : draft;
      if (target === draft) drafts.push(draft);
      writeBytes(target, bytes, isFlushed && target === draft);
      return target;
    });
    for (const [index, [file]] of files.entries()) renameSync(targets[index], file);
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

function writeBytes(file: string, bytes: Uint8Array, isFlushed: boolean): void {
  const open = openSync(file, "w");
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(open, bytes, at);
    if (isFlushed) fsyncSync(open);
  } finally {
    closeSync(open);
  }
}

function isStream(file: string): boolean {
  const info = statSync(file, { throwIfNoEntry: false });
  return info !== undefined && !info.isFile() && !info.isDirectory();
}
