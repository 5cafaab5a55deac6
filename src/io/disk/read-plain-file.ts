import { readFile, stat } from "node:fs/promises";
import { InputError } from "../../input-error.ts";
import { refuseLarge } from "../budget.ts";

/** Throws `InputError` for what is no plain file, or larger than `maxMemory` bytes. */
export async function checkPlainFile(file: string, maxMemory?: number): Promise<void> {
  const info = await stat(file).catch(() => undefined);
  if (!info) throw new InputError(`${file}: no such file.`);
  if (info.isDirectory()) throw new InputError(`${file}: this is a folder; name a file in it.`);
  if (!info.isFile()) {
    throw new InputError(`${file}: this is a device or a pipe; save it as a plain file first.`);
  }
  refuseLarge(file, info.size, maxMemory);
}

/** Reads a file that somebody named, once {@link checkPlainFile} has nothing against it. */
export async function readPlainFile(file: string, maxMemory?: number): Promise<Uint8Array> {
  await checkPlainFile(file, maxMemory);
  try {
    const { buffer, byteOffset, byteLength } = await readFile(file);
    // The same bytes without Buffer's own ways; a copy would hold them twice.
    return new Uint8Array(buffer, byteOffset, byteLength);
  } catch (error) {
    throw new InputError(`${file}: cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}
