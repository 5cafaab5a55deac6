import type { IncomingMessage } from "node:http";
import { ENDINGS, endingOf } from "../../formats/endings.ts";
import { weightFormat } from "../../formats/weight-files/weight-formats.ts";
import { type ApiJob, dropUpload, type JobSet, keepUpload, openUpload } from "./jobs.ts";
import { ApiError } from "./limits.ts";
import { receiveFile, safeName } from "./receive-file.ts";

/** An uploaded file that jobs can refer to as `file:<id>`. */
export interface FileView {
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
