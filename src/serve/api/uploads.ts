import { open } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import path from "node:path";
import { ENDINGS, endingOf } from "../../formats/endings.ts";
import { weightFormat } from "../../formats/weight-files/weight-formats.ts";
import { type ApiJob, dropUpload, type JobSet, keepUpload, openUpload } from "./jobs.ts";
import { ApiError } from "./limits.ts";

/** An uploaded file that jobs can refer to as `file:<id>`. */
interface FileView {
  id: string;
  file: string;
  bytes: number;
  created: string;
  expires?: string | undefined;
}

/** Returns an uploaded file as clients see it. */
export function fileView({ view, record }: ApiJob): FileView {
  const { id, file, created, expires } = view;
  return { id, file, bytes: record.bytes, created, expires };
}

/** Receives a file for later jobs: a skeleton, an example, the source of a transfer. */
export async function receiveUpload(
  request: IncomingMessage,
  client: string,
  query: URLSearchParams,
  jobs: JobSet,
  onUpload: (bytes: number) => void,
): Promise<ApiJob> {
  const name = query.get("name") ?? "";
  if (!ENDINGS.includes(endingOf(name)) && !weightFormat(name)) {
    throw new ApiError(400, `Name the file with ?name=; it must end in ${ENDINGS.join(", ")}.`);
  }
  const upload = await openUpload(jobs, client, safeName(name));
  try {
    const { bytes } = await receiveFile(request, upload.input, jobs.limits.upload);
    onUpload(bytes);
    return keepUpload(jobs, client, upload, name, bytes);
  } catch (error) {
    await dropUpload(jobs, client, upload);
    throw error;
  }
}

/** Returns the path of `file:<id>`, an uploaded file of the client; other values are not files. */
export function uploadedPath(jobs: JobSet, client: string, value: string): string | undefined {
  const [, id] = /^file:(.+)$/.exec(value) ?? [];
  if (id === undefined) return undefined;
  const found = jobs.jobs.get(id);
  if (!found || found.client !== client || found.record.verb !== "file") {
    throw new ApiError(400, `There is no uploaded file "${id}"; send it to /api/files first.`);
  }
  return found.input;
}

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
