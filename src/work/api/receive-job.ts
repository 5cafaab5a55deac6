import type { IncomingMessage } from "node:http";
import path from "node:path";
import { ENDINGS, endingOf } from "../../io/endings.ts";
import type { BindSettings } from "../bind-file.ts";
import { ApiError } from "./api-error.ts";
import { checkOptions, optionsOfQuery } from "./api-options.ts";
import type { ApiJob, JobSet } from "./job-life.ts";
import { dropPlace, preparePlace, startJob } from "./job-table.ts";
import { readJson, saveBody, saveCharacter } from "./read-upload.ts";

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
