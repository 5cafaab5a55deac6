import { open, writeFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import path from "node:path";
import { checkCharacter } from "../../character/check-character.ts";
import type { BindSettings } from "../../files/bind-file.ts";
import { ENDINGS, endingOf } from "../../formats/endings.ts";
import { glbFromCharacter } from "../../formats/file-from-character.ts";
import { InputError } from "../../input-error.ts";
import { readCharacterOf } from "../lines/characters.ts";
import { type ApiJob, dropUpload, type JobSet, openUpload, startJob } from "./jobs.ts";
import { ApiError } from "./limits.ts";
import { checkOptions, optionsOfQuery } from "./options.ts";

/** Receives a character, as a file or as JSON, and starts its job; `onUpload` receives its size in bytes. */
export async function receiveJob(
  request: IncomingMessage,
  client: string,
  query: URLSearchParams,
  jobs: JobSet,
  onUpload: (bytes: number) => void,
): Promise<ApiJob> {
  const isJson = /^application\/json\b/i.test(request.headers["content-type"] ?? "");
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
  const body = await readJson(request, max);
  const options = checkOptions((body.options ?? {}) as Record<string, unknown>);
  const character = readCharacterOf(body, "");
  checkCharacter(character);
  const bytes = glbFromCharacter(character);
  await writeFile(to, bytes).catch(() => {
    throw new InputError("The server has no space for this file.");
  });
  return { bytes: bytes.length, options };
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

async function readJson(request: IncomingMessage, max: number): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of chunksOf(request, max)) chunks.push(chunk);
  try {
    // Drops references to files, which arrays may contain in the worker protocol but not here.
    const noFiles = (key: string, value: unknown) => (key === "file" ? undefined : value);
    const value = JSON.parse(Buffer.concat(chunks).toString("utf8"), noFiles);
    if (typeof value === "object" && value !== null) return value;
  } catch {
    // Reported below.
  }
  throw new ApiError(400, "The request is not a JSON object.");
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
