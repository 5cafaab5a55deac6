import type { IncomingMessage, ServerResponse } from "node:http";
import { refuse, sendEvents, sendFile, sendJson, sendText, whenOver } from "./answers.ts";
import type { JobRunner } from "./job-runner.ts";
import { type ApiJob, closeJobs, forget, type JobSet, openJobs } from "./jobs.ts";
import {
  type ApiClients,
  ApiError,
  type ApiLimits,
  createApiClients,
  createRateLimit,
  type RateLimit,
} from "./limits.ts";
import { type ApiMetrics, createApiMetrics } from "./metrics.ts";
import { openApi } from "./openapi.ts";
import { receiveJob } from "./receive-job.ts";

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

/** What answers are made of. */
interface Service {
  jobs: JobSet;
  metrics: ApiMetrics;
  limits: ApiLimits;
  limit: RateLimit;
  clients: ApiClients;
}

/** A request on its way to its answer. */
interface Call {
  request: IncomingMessage;
  response: ServerResponse;
  url: URL;
  /** `GET` for `HEAD` as well. */
  method: string;
}

/** Makes the service; see `openApi` for what it answers. */
export function createApi({ folder, runner, limits, tokens }: ApiOptions): Api {
  const limit = createRateLimit(limits.rate);
  const service: Service = {
    limits,
    limit,
    clients: createApiClients(tokens, limit),
    jobs: openJobs(folder, runner, limits),
    metrics: createApiMetrics(),
  };
  return {
    owns: ({ url = "" }) => /^\/(api|healthz|metrics|service\.json)(?=[/?]|$)/.test(url),
    async answer(request, response) {
      // A client that went away during its upload has no answer.
      response.on("close", () => {
        if (response.headersSent) service.metrics.answered(response.statusCode);
      });
      try {
        await route(service, callOf(request, response));
      } catch (error) {
        refuse(request, response, error);
      }
    },
    close: () => closeJobs(service.jobs),
  };
}

function callOf(request: IncomingMessage, response: ServerResponse): Call {
  const { method = "GET" } = request;
  const url = new URL(request.url ?? "/", "http://localhost");
  return { request, response, url, method: method === "HEAD" ? "GET" : method };
}

const NOTHING = "There is nothing here; see /api/openapi.json.";

async function route(service: Service, call: Call): Promise<void> {
  const { request, response, url, method } = call;
  if (method === "GET") {
    const facts = publicFacts(service, url.pathname);
    if (facts) return sendJson(response, 200, facts);
  }
  const client = service.clients.of(request);
  if (method === "GET" && url.pathname === "/metrics") {
    return sendText(response, service.metrics.text(service.jobs));
  }
  service.limit(client);
  if (method === "POST" && url.pathname === "/api/jobs") return submit(service, call, client);
  const [, id, part] = /^\/api\/jobs\/([\w-]{1,64})(?:\/(\w+))?$/.exec(url.pathname) ?? [];
  if (id === undefined) throw new ApiError(404, NOTHING);
  await answerJob(service, call, jobOf(service, id, client), part);
}

/** What everybody may know, by its address. */
function publicFacts({ clients, limits }: Service, address: string): object | undefined {
  if (address === "/healthz") return { status: "ok" };
  if (address === "/api/openapi.json") return openApi();
  if (address !== "/service.json") return undefined;
  const { needsToken } = clients;
  return { service: true, needsToken, maxUpload: limits.upload, keepSeconds: limits.keep };
}

async function submit(
  { jobs, metrics }: Service,
  { request, response, url }: Call,
  client: string,
): Promise<void> {
  const job = await receiveJob(request, client, url.searchParams, jobs, metrics.uploaded);
  // Whoever has gone away never learns its id, and nobody else can end it.
  whenOver(response, (isSent) => isSent || forget(jobs, job).catch(() => undefined));
  const { view } = job;
  sendJson(response, 202, view, { Location: `/api/jobs/${view.id}` });
}

function jobOf({ jobs, clients }: Service, id: string, client: string): ApiJob {
  const job = jobs.entries.get(id);
  // Somebody else's is as if it were not there.
  if (job && (!clients.needsToken || job.client === client)) return job;
  throw new ApiError(404, "There is no such job; results are kept for a while only.");
}

async function answerJob(
  { jobs }: Service,
  { request, response, method }: Call,
  job: ApiJob,
  part: string | undefined,
): Promise<void> {
  if (method === "DELETE" && !part) {
    await forget(jobs, job);
    response.writeHead(204).end();
    return;
  }
  if (method !== "GET") throw new ApiError(405, `${request.method} is not for this address.`);
  if (!part) return sendJson(response, 200, job.view);
  if (part === "events") return sendEvents(response, job);
  if (part === "result") return sendFile(response, job, job.output, "model/gltf-binary");
  if (part === "report") return sendFile(response, job, job.report, "application/json");
  throw new ApiError(404, NOTHING);
}
