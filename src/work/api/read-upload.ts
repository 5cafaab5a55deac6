import { open, writeFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { InputError } from "../../input-error.ts";
import { glbFromCharacter } from "../../io/file-from-character.ts";
import { checkCharacter } from "../../weights/check-character.ts";
import { readCharacterOf } from "../worker/worker-characters.ts";
import { ApiError } from "./api-error.ts";

/** Writes a request's body to a file; an {@link ApiError} where it is larger than it may be. */
export async function saveBody(
  request: IncomingMessage,
  file: string,
  most: number,
): Promise<number> {
  const handle = await open(file, "w");
  try {
    let size = 0;
    for await (const part of partsOf(request, most)) {
      await handle.write(part);
      size += part.length;
    }
    if (size === 0) throw new ApiError(400, "There is no file in this request.");
    return size;
  } finally {
    await handle.close();
  }
}

/** A request's body as a JSON object, likewise. */
export async function readJson(
  request: IncomingMessage,
  most: number,
): Promise<Record<string, unknown>> {
  const parts: Buffer[] = [];
  for await (const part of partsOf(request, most)) parts.push(part);
  try {
    // Arrays may name files where a program talks to a worker of its own; a stranger's may not.
    const noFiles = (key: string, value: unknown) => (key === "file" ? undefined : value);
    const value = JSON.parse(Buffer.concat(parts).toString("utf8"), noFiles);
    if (typeof value === "object" && value !== null) return value;
  } catch {
    // Told below.
  }
  throw new ApiError(400, "This is no JSON object.");
}

/** Writes the mesh and the skeleton of a request, and weights it has, as a file; returns its bytes. */
export async function saveCharacter(body: Record<string, unknown>, file: string): Promise<number> {
  const character = readCharacterOf(body, "");
  checkCharacter(character);
  const bytes = glbFromCharacter(character);
  await writeFile(file, bytes).catch(() => {
    throw new InputError("The server has no room for this file.");
  });
  return bytes.length;
}

/** The parts of a body; it can still be answered where they are too many. */
async function* partsOf(request: IncomingMessage, most: number): AsyncGenerator<Buffer> {
  const large = `The upload is larger than ${Math.floor(most / 2 ** 20)} MB.`;
  if (Number(request.headers["content-length"] ?? 0) > most) throw new ApiError(413, large);
  let size = 0;
  try {
    for await (const part of request.iterator({ destroyOnReturn: false })) {
      size += part.length;
      if (size > most) throw new ApiError(413, large);
      yield part;
    }
  } catch (error) {
    throw error instanceof ApiError ? error : new ApiError(400, "The upload broke off.");
  }
}
