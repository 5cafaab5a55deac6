import { open } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import path from "node:path";
import type { BatchVerb } from "../../batch/row.ts";
import { ENDINGS, endingOf } from "../../formats/endings.ts";
import { weightFormat } from "../../formats/weight-files/weight-formats.ts";
import { createWorkerHost } from "../../processes/worker-host.ts";
import { type ApiJob, dropUpload, type JobSet, keepUpload, openUpload, startJob } from "./jobs.ts";
import { ApiError } from "./limits.ts";
import { checkOptions, optionsOfQuery, withFiles } from "./options.ts";
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
  verb: BatchVerb = "bind",
): Promise<ApiJob> {
  const type = (request.headers["content-type"] ?? "").split(";")[0].trim().toLowerCase();
  if (!ACCEPTED.test(type)) throw new ApiError(415, UNSUPPORTED);
  const isJson = type === "application/json";
  const name = query.get("name") ?? (isJson ? "character.glb" : "");
  query.delete("name");
  if (!isJson && !ENDINGS.includes(endingOf(name))) {
    throw new ApiError(400, `Name the file with ?name=; it must end in ${ENDINGS.join(", ")}.`);
  }
  const ending = endingOfResult(query.get("format"), name);
  query.delete("format");
  const source = query.get("from");
  if (verb === "transfer") query.delete("from");
  const from = verb === "transfer" ? sourceOf(jobs, client, source) : undefined;
  const options = optionsOfQuery(verb, query);
  const upload = await openUpload(jobs, client, isJson ? "character.glb" : safeName(name));
  try {
    const receive: Receive = isJson ? receiveJson : receiveFile;
    const { bytes, options: more } = await receive(request, upload.input, jobs.limits.upload);
    onUpload(bytes);
    const given = { ...options, ...(more && checkOptions(verb, more)) };
    const bind = withFiles(given, (value) => uploadedPath(jobs, client, value));
    return startJob(jobs, client, upload, name, bytes, { bind, verb, from, ending });
  } catch (error) {
    await dropUpload(jobs, client, upload);
    throw error;
  }
}

type Receive = (request: IncomingMessage, to: string, max: number) => Promise<Received>;

interface Received {
  bytes: number;
  options?: Record<string, unknown>;
}

/** Formats of a result; `same` is that of the input. */
export const RESULT_FORMATS: readonly string[] = [
  "same",
  "glb",
  "vrm",
  "fbx",
  "dae",
  "usdz",
  "xml",
  "json",
  "ng.json",
  "csv",
];

/** Returns the ending of the result: that of a VRM, else .glb, unless the client chose a format. */
function endingOfResult(format: string | null, name: string): string | undefined {
  if (format === null) return undefined;
  if (!RESULT_FORMATS.includes(format)) {
    throw new ApiError(400, `format must be one of ${RESULT_FORMATS.join(", ")}, got "${format}".`);
  }
  if (format !== "same") return `.${format}`;
  const own = endingOf(name);
  return [".fbx", ".dae", ".vrm"].includes(own) ? own : ".glb";
}

function sourceOf(jobs: JobSet, client: string, source: string | null): string {
  const from = source === null ? undefined : uploadedPath(jobs, client, source);
  if (from !== undefined) return from;
  throw new ApiError(
    400,
    "Name the skinned character with ?from=file:<id>; send it to /api/files first.",
  );
}

async function receiveJson(request: IncomingMessage, to: string, max: number): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of chunksOf(request, max)) chunks.push(chunk);
  const body = new Uint8Array(Buffer.concat(chunks));
  const job = { body, to };
  const { bytes, options } = await (body.length > LONG_BODY ? parseInThread(job) : parseBody(job));
  return { bytes, options };
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
function uploadedPath(jobs: JobSet, client: string, value: string): string | undefined {
  const [, id] = /^file:(.+)$/.exec(value) ?? [];
  if (id === undefined) return undefined;
  const found = jobs.jobs.get(id);
  if (!found || found.client !== client || found.record.verb !== "file") {
    throw new ApiError(400, `There is no uploaded file "${id}"; send it to /api/files first.`);
  }
  return found.input;
}

/** Returns a file name that is valid on any disk, with the same ending. */
function safeName(name: string): string {
  const weights = weightFormat(name);
  const ending = weights ? `.${weights}` : endingOf(name);
  const plain = path.posix.basename(name.replaceAll("\\", "/")).replace(/[^\w.-]/g, "_");
  const stem = plain.slice(0, -ending.length).replace(/^\.+/, "").slice(0, 100);
  return `${stem || "character"}${ending}`;
}

/** Stores the body of a request, at most `max` bytes. */
async function receiveFile(
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
