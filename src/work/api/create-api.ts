import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import path from "node:path";
import { ENDINGS, endingOf } from "../../io/endings.ts";
import { refuse, sendEvents, sendFile, sendJson, sendText } from "./api-answers.ts";
import { ApiError } from "./api-error.ts";
import { type ApiLimits, createRateLimit } from "./api-limits.ts";
import { createApiMetrics } from "./api-metrics.ts";
import { checkOptions, optionsOfQuery } from "./api-options.ts";
import type { JobRunner } from "./job-runner.ts";
import { createJobTable } from "./job-table.ts";
import { openApi } from "./openapi.ts";
import { readJson, saveBody, saveCharacter } from "./read-upload.ts";

/** What the service is made with. */
export interface ApiOptions {
  /** Where uploads and results are kept, each job in a folder of its own. */
  folder: string;
  runner: JobRunner;
  limits: ApiLimits;
  /** Who may use it; everybody where there are none. */
  tokens: readonly string[];
}

/** The service: answers requests to its addresses and leaves others alone. */
export interface Api {
  /** Whether the address is the service's. */
  owns(request: IncomingMessage): boolean;
  /** Answers a request; never throws. */
  answer(request: IncomingMessage, response: ServerResponse): Promise<void>;
  close(): Promise<void>;
}

/** Makes the service; see `openApi` for what it answers. */
export function createApi({ folder, runner, limits, tokens }: ApiOptions): Api {
  const jobs = createJobTable(folder, runner, limits);
  const metrics = createApiMetrics();
  const limit = createRateLimit(limits.rate);
  const known = tokens.map(hashOf);

  const clientOf = (request: IncomingMessage) => {
    const address = request.socket.remoteAddress ?? "";
    if (known.length === 0) return address;
    const token = /^Bearer (.+)$/i.exec(request.headers.authorization ?? "")?.[1] ?? "";
    const hash = hashOf(token);
    // All of them, in the same time whichever fits.
    const fitting = known.filter((each) => timingSafeEqual(each, hash));
    if (fitting.length > 0) return hash.toString("hex");
    limit(address);
    throw new ApiError(401, "This needs a token: Authorization: Bearer <token>.");
  };

  const submit = async (request: IncomingMessage, client: string, query: URLSearchParams) => {
    const isJson = /^application\/json\b/i.test(request.headers["content-type"] ?? "");
    const name = query.get("name") ?? (isJson ? "character.glb" : "");
    query.delete("name");
    if (!isJson && !ENDINGS.includes(endingOf(name))) {
      throw new ApiError(400, `Name the file with ?name=; it ends in ${ENDINGS.join(", ")}.`);
    }
    let options = optionsOfQuery(query);
    const place = await jobs.prepare(client, isJson ? "character.glb" : safeName(name));
    try {
      let bytes: number;
      if (isJson) {
        const body = await readJson(request, limits.upload);
        options = { ...options, ...checkOptions((body.options ?? {}) as Record<string, unknown>) };
        bytes = await saveCharacter(body, place.input);
      } else bytes = await saveBody(request, place.input, limits.upload);
      metrics.uploaded(bytes);
      return jobs.start(client, place, name, bytes, options);
    } catch (error) {
      await jobs.drop(client, place);
      throw error;
    }
  };

  const jobOf = (id: string, client: string) => {
    const job = jobs.get(id);
    // Somebody else's is as if it were not there.
    if (job && (known.length === 0 || job.client === client)) return job;
    throw new ApiError(404, "There is no such job; results are kept for a while only.");
  };

  const route = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    const method = request.method === "HEAD" ? "GET" : request.method;
    const is = (verb: string, address: string) => method === verb && url.pathname === address;
    if (is("GET", "/healthz")) return sendJson(response, 200, { status: "ok" });
    if (is("GET", "/api/openapi.json")) return sendJson(response, 200, openApi());
    refuseStrangers(request);
    const client = clientOf(request);
    if (is("GET", "/metrics")) return sendText(response, metrics.text(jobs));
    limit(client);
    if (is("POST", "/api/jobs")) {
      const { view } = await submit(request, client, url.searchParams);
      return sendJson(response, 202, view, { Location: `/api/jobs/${view.id}` });
    }
    const [, id, part] = /^\/api\/jobs\/([\w-]{1,64})(?:\/(\w+))?$/.exec(url.pathname) ?? [];
    if (id === undefined) throw new ApiError(404, "There is nothing here; see /api/openapi.json.");
    const job = jobOf(id, client);
    if (method === "DELETE" && !part) {
      await jobs.remove(job);
      response.writeHead(204).end();
    } else if (method !== "GET")
      throw new ApiError(405, `${request.method} is not for this address.`);
    else if (!part) sendJson(response, 200, job.view);
    else if (part === "events") sendEvents(response, job);
    else if (part === "result") await sendFile(response, job, job.output, "model/gltf-binary");
    else if (part === "report") await sendFile(response, job, job.report, "application/json");
    else throw new ApiError(404, "There is nothing here; see /api/openapi.json.");
  };

  return {
    owns: ({ url = "" }) => /^\/(api|healthz|metrics)(?=[/?]|$)/.test(url),
    async answer(request, response) {
      response.on("close", () => metrics.answered(response.statusCode));
      try {
        await route(request, response);
      } catch (error) {
        refuse(request, response, error);
      }
    },
    close: () => jobs.close(),
  };
}

/** A page of another site may not use the service through its visitors' browsers. */
function refuseStrangers({ headers }: IncomingMessage): void {
  const { origin, host } = headers;
  if (origin === undefined || (URL.canParse(origin) && new URL(origin).host === host)) return;
  throw new ApiError(403, "Pages of other sites may not use this service.");
}

const hashOf = (token: string) => createHash("sha256").update(token).digest();

/** A name of a file that any disk takes, with the ending it had. */
function safeName(name: string): string {
  const ending = endingOf(name);
  const plain = path.posix.basename(name.replaceAll("\\", "/")).replace(/[^\w.-]/g, "_");
  const stem = plain.slice(0, -ending.length).replace(/^\.+/, "").slice(0, 100);
  return `${stem || "character"}${ending}`;
}
