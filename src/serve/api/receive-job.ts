import { open, writeFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import path from "node:path";
import { checkCharacter } from "../../character/check-character.ts";
import type { BindSettings } from "../../files/bind-file.ts";
import { ENDINGS, endingOf } from "../../formats/endings.ts";
import { glbFromCharacter } from "../../formats/file-from-character.ts";
import { InputError } from "../../input-error.ts";
import { readCharacterOf } from "../lines/characters.ts";
import { type ApiJob, dropPlace, type JobSet, preparePlace, startJob } from "./jobs.ts";
import { ApiError } from "./limits.ts";
import { checkOptions, optionsOfQuery } from "./options.ts";

/**
 * Takes a character, as a file or as JSON, and starts its job.
 *
 * @param onUpload told the bytes of each file
 */
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
    throw new ApiError(400, `Name the file with ?name=; it ends in ${ENDINGS.join(", ")}.`);
  }
  const asked = optionsOfQuery(query);
  const place = await preparePlace(jobs, client, isJson ? "character.glb" : safeName(name));
  try {
    const receive = isJson ? receiveJson : receiveFile;
    const { bytes, options } = await receive(request, place.input, jobs.limits.upload);
    onUpload(bytes);
    return startJob(jobs, client, place, name, bytes, { ...asked, ...options });
  } catch (error) {
    await dropPlace(jobs, client, place);
    throw error;
  }
}

interface Received {
  bytes: number;
  options: BindSettings;
}

async function receiveFile(request: IncomingMessage, to: string, most: number): Promise<Received> {
  return { bytes: await saveBody(request, to, most), options: {} };
}

async function receiveJson(request: IncomingMessage, to: string, most: number): Promise<Received> {
  const body = await readJson(request, most);
  const options = checkOptions((body.options ?? {}) as Record<string, unknown>);
  return { bytes: await saveCharacter(body, to), options };
}

/** A name of a file that any disk takes, with the ending it had. */
function safeName(name: string): string {
  const ending = endingOf(name);
  const plain = path.posix.basename(name.replaceAll("\\", "/")).replace(/[^\w.-]/g, "_");
  const stem = plain.slice(0, -ending.length).replace(/^\.+/, "").slice(0, 100);
  return `${stem || "character"}${ending}`;
}

/** Writes a request's body to a file; an {@link ApiError} where it is larger than it may be. */
async function saveBody(request: IncomingMessage, file: string, most: number): Promise<number> {
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
async function saveCharacter(body: Record<string, unknown>, file: string): Promise<number> {
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
