import { open } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import path from "node:path";
import { endingOf } from "../../formats/endings.ts";
import { weightFormat } from "../../formats/weight-files/weight-formats.ts";
import { ApiError } from "./limits.ts";

/** Returns a file name that is valid on any disk, with the same ending. */
export function safeName(name: string): string {
  const weights = weightFormat(name);
  const ending = weights ? `.${weights}` : endingOf(name);
  const plain = path.posix.basename(name.replaceAll("\\", "/")).replace(/[^\w.-]/g, "_");
  const stem = plain.slice(0, -ending.length).replace(/^\.+/, "").slice(0, 100);
  return `${stem || "character"}${ending}`;
}

/** Stores the body of a request, at most `max` bytes. */
export async function receiveFile(
  request: IncomingMessage,
  to: string,
  max: number,
): Promise<{ bytes: number }> {
  const handle = await open(to, "w");
  try {
    let bytes = 0;
    for await (const chunk of chunksOf(request, max)) {
      await handle.write(chunk);
      bytes += chunk.length;
    }
    if (bytes === 0) throw new ApiError(400, "The request has no file.");
    return { bytes };
  } finally {
    await handle.close();
  }
}

/** Yields the body of a request; throws {@link ApiError} beyond `max` bytes, and keeps the connection open. */
export async function* chunksOf(request: IncomingMessage, max: number): AsyncGenerator<Buffer> {
  const tooLarge = `The upload is larger than ${Math.floor(max / 2 ** 20)} MB.`;
  if (Number(request.headers["content-length"] ?? 0) > max) throw new ApiError(413, tooLarge);
  let size = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      size += chunk.length;
      if (size > max) throw new ApiError(413, tooLarge);
      yield chunk;
    }
  } catch (error) {
    throw error instanceof ApiError ? error : new ApiError(400, "The upload was interrupted.");
  }
}
