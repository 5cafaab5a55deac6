import { open } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import path from "node:path";
import type { BindSettings } from "../../files/bind-file.ts";
import { ENDINGS, endingOf } from "../../formats/endings.ts";
import { createWorkerHost } from "../../processes/worker-host.ts";
import { type ApiJob, dropUpload, type JobSet, openUpload, startJob } from "./jobs.ts";
import { ApiError } from "./limits.ts";
import { checkOptions, optionsOfQuery } from "./options.ts";
import { type JsonBody, type ParsedBody, parseBody } from "./parse-body.ts";

/** Types of a body; curl labels the bytes of a file as a form by default. */
const ACCEPTED = /^(?:|application\/(?:json|octet-stream|x-www-form-urlencoded)|model\/[\w.+-]+)$/;
const UNSUPPORTED =
  "Send the bytes of the file as application/octet-stream, or a character as application/json; forms are not supported.";

/** Bodies longer than this are parsed in a thread, because the service cannot answer meanwhile. */
const LONG_BODY = 2 ** 19;

/** Receives a character, as a file or as JSON, and starts its job; `onUpload` receives its size in bytes. */
export async function receiveJob(
  request: IncomingMessage,
  client: string,
  query: URLSearchParams,
  jobs: JobSet,
  onUpload: (bytes: number) => void,
): Promise<ApiJob> {
  const type = (request.headers["content-type"] ?? "").split(";")[0].trim().toLowerCase();
  if (!ACCEPTED.test(type)) throw new ApiError(415, UNSUPPORTED);
  const isJson = type === "application/json";
  const name = query.get("name") ?? (isJson ? "character.glb" : "");
  query.delete("name");
  if (!isJson && !ENDINGS.includes(endingOf(name))) {
    throw new ApiError(400, `Name the file with ?name=; it must end in ${ENDINGS.join(", ")}.`);
  }
  const options = optionsOfQuery(query);
  const upload = await openUpload(jobs, client, isJson ? "character.glb" : safeName(name));
  try {
    const receive = isJson ? receiveJson : receiveFile;
    const { bytes, options: more } = await receive(request, upload.input, jobs.limits.upload);
    onUpload(bytes);
    return startJob(jobs, client, upload, name, bytes, { ...options, ...more });
  } catch (error) {
    await dropUpload(jobs, client, upload);
    throw error;
  }
}

interface Received {
  bytes: number;
  options?: BindSettings;
}

async function receiveJson(request: IncomingMessage, to: string, max: number): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of chunksOf(request, max)) chunks.push(chunk);
  const body = new Uint8Array(Buffer.concat(chunks));
  const job = { body, to };
  const { bytes, options } = await (body.length > LONG_BODY ? parseInThread(job) : parseBody(job));
  return { bytes, options: checkOptions(options) };
}

async function parseInThread(job: JsonBody): Promise<ParsedBody> {
  const thread = createWorkerHost<JsonBody, ParsedBody>({
    kind: "thread",
    module: "./parse-body",
    name: "createBodyParser",
    settings: {},
    from: import.meta.url,
  });
  try {
    return await thread.run(job);
  } finally {
    // Its memory is as large as the body; the next long body may be hours away.
    await thread.stop();
  }
}

/** Returns a file name that is valid on any disk, with the same ending. */
function safeName(name: string): string {
  const ending = endingOf(name);
  const plain = path.posix.basename(name.replaceAll("\\", "/")).replace(/[^\w.-]/g, "_");
  const stem = plain.slice(0, -ending.length).replace(/^\.+/, "").slice(0, 100);
  return `${stem || "character"}${ending}`;
}

async function receiveFile(request: IncomingMessage, to: string, max: number): Promise<Received> {
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
async function* chunksOf(request: IncomingMessage, max: number): AsyncGenerator<Buffer> {
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
