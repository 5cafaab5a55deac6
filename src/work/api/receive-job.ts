import type { IncomingMessage } from "node:http";
import path from "node:path";
import { ENDINGS, endingOf } from "../../io/endings.ts";
import type { BindSettings } from "../bind-file.ts";
import { ApiError } from "./api-error.ts";
import { checkOptions, optionsOfQuery } from "./api-options.ts";
import type { ApiJob } from "./job-life.ts";
import type { JobTable } from "./job-table.ts";
import { readJson, saveBody, saveCharacter } from "./read-upload.ts";

/** What a job is made with. */
export interface JobDesk {
  jobs: JobTable;
  /** Bytes an upload may have. */
  most: number;
  /** Told the bytes of each file. */
  onUpload(bytes: number): void;
}

/** Takes a character, as a file or as JSON, and starts its job. */
export async function receiveJob(
  request: IncomingMessage,
  client: string,
  query: URLSearchParams,
  { jobs, most, onUpload }: JobDesk,
): Promise<ApiJob> {
  const isJson = /^application\/json\b/i.test(request.headers["content-type"] ?? "");
  const name = query.get("name") ?? (isJson ? "character.glb" : "");
  query.delete("name");
  if (!isJson && !ENDINGS.includes(endingOf(name))) {
    throw new ApiError(400, `Name the file with ?name=; it ends in ${ENDINGS.join(", ")}.`);
  }
  const asked = optionsOfQuery(query);
  const place = await jobs.prepare(client, isJson ? "character.glb" : safeName(name));
  try {
    const receive = isJson ? receiveJson : receiveFile;
    const { bytes, options } = await receive(request, place.input, most);
    onUpload(bytes);
    return jobs.start(client, place, name, bytes, { ...asked, ...options });
  } catch (error) {
    await jobs.drop(client, place);
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
