import { readdirSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import path from "node:path";
import type { BatchVerb } from "../../batch/row.ts";
import { onceClosed, refuse, sendEvents, sendFile, sendJson, sendText } from "./answers.ts";
import {
  type ApiJob,
  closeJobs,
  countJobs,
  type JobRunner,
  type JobSet,
  jobsOf,
  openJobs,
  removeJob,
} from "./jobs.ts";
import {
  type ApiClients,
  ApiError,
  type ApiLimits,
  countClient,
  createApiClients,
  createRateLimit,
  type RateLimit,
} from "./limits.ts";
import { openApi } from "./openapi.ts";
import { fileView, receiveJob, receiveUpload } from "./receive-job.ts";

/** Options for {@link createApi}. */
interface ApiOptions {
  /** Folder of uploads and results, with a subfolder for each job. */
  folder: string;
  runner: JobRunner;
  limits: ApiLimits;
  /** Tokens of clients; without any, everyone has access. */
  tokens: readonly string[];
}

/** The HTTP service. */
export interface Api {
  /** Whether a request is for the service. */
  owns(request: IncomingMessage): boolean;
  /** Answers a request; never throws. */
  answer(request: IncomingMessage, response: ServerResponse): Promise<void>;
  close(): Promise<void>;
}

interface Service {
  jobs: JobSet;
  metrics: ApiMetrics;
  limits: ApiLimits;
  limit: RateLimit;
  clients: ApiClients;
  /** Number of open event streams and downloads of each client. */
  streams: Map<string, number>;
}

interface Call {
  request: IncomingMessage;
  response: ServerResponse;
  url: URL;
  /** `GET` for `HEAD` as well. */
  method: string;
}

/** Creates the service; `openApi` describes its endpoints. */
export function createApi({ folder, runner, limits, tokens }: ApiOptions): Api {
  const limit = createRateLimit(limits.rate);
  const service: Service = {
    limits,
    limit,
    clients: createApiClients(tokens, limit),
    jobs: openJobs(folder, runner, limits),
    metrics: createApiMetrics(),
    streams: new Map(),
  };
  return {
    owns: ({ url = "" }) => /^\/(api|healthz|metrics|service\.json)(?=[/?]|$)/.test(url),
    async answer(request, response) {
      // A client that disconnects during its upload gets no answer.
      response.on("close", () => {
        if (response.headersSent) service.metrics.answered(response.statusCode);
      });
      try {
        const { method = "GET" } = request;
        const url = new URL(request.url ?? "/", "http://localhost");
        const call = { request, response, url, method: method === "HEAD" ? "GET" : method };
        await route(service, call);
      } catch (error) {
        refuse(request, response, error);
      }
    },
    close: () => closeJobs(service.jobs),
  };
}

const NOT_FOUND = "Not found; see /api/openapi.json.";

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
  const verb = method === "POST" ? VERB_PATHS[url.pathname] : undefined;
  if (verb) return submit(service, call, client, verb);
  if (method === "POST" && url.pathname === "/api/files") return upload(service, call, client);
  const [, list] = (method === "GET" && /^\/api\/(jobs|files)$/.exec(url.pathname)) || [];
  if (list) return sendJson(response, 200, listOf(service, client, list));
  const [, kind, id, part] =
    /^\/api\/(jobs|files)\/([\w-]{1,64})(?:\/(\w+))?$/.exec(url.pathname) ?? [];
  if (id === undefined) throw new ApiError(404, NOT_FOUND);
  const found = service.jobs.jobs.get(id);
  const job = found && isFile(found) === (kind === "files") ? found : undefined;
  // Jobs of other clients are not found.
  if (!job || (service.clients.needsToken && job.client !== client)) {
    throw new ApiError(404, "There is no such job; jobs are deleted some time after they end.");
  }
  if (part) openStream(service, client, response);
  await answerJob(service, call, job, part);
}

/** Counts an answer that may take long, so that one client cannot use up the descriptors of the process. */
function openStream({ streams, limits }: Service, client: string, response: ServerResponse): void {
  if ((streams.get(client) ?? 0) >= limits.streams) {
    throw new ApiError(429, `You have ${limits.streams} open streams; close one.`, 1);
  }
  countClient(streams, client, 1);
  onceClosed(response, () => countClient(streams, client, -1));
}

/** Endpoints that receive a character, and what they do with it. */
const VERB_PATHS: Readonly<Record<string, BatchVerb>> = {
  "/api/jobs": "bind",
  "/api/refine": "refine",
  "/api/transfer": "transfer",
  "/api/fix": "fix",
};

const isFile = ({ record }: ApiJob) => record.verb === "file";

function listOf({ jobs }: Service, client: string, list: string): object {
  const own = jobsOf(jobs, client);
  return list === "files"
    ? { files: own.filter(isFile).map(fileView) }
    : { jobs: own.filter((job) => !isFile(job)).map(({ view }) => view) };
}

async function upload(
  { jobs, metrics }: Service,
  { request, response, url }: Call,
  client: string,
): Promise<void> {
  const kept = await receiveUpload(request, client, url.searchParams, jobs, metrics.uploaded);
  const view = fileView(kept);
  sendJson(response, 201, view, { Location: `/api/files/${view.id}` });
}

function publicFacts({ clients, limits }: Service, pathname: string): object | undefined {
  if (pathname === "/healthz") return { status: "ok" };
  if (pathname === "/api/openapi.json") return openApi();
  if (pathname !== "/service.json") return undefined;
  const { needsToken } = clients;
  return { service: true, needsToken, maxUpload: limits.upload, keepSeconds: limits.keep };
}

async function submit(
  { jobs, metrics }: Service,
  { request, response, url }: Call,
  client: string,
  verb: BatchVerb,
): Promise<void> {
  const job = await receiveJob(request, client, url.searchParams, jobs, metrics.uploaded, verb);
  // A client that has disconnected never learns the id, and no other client can cancel the job.
  onceClosed(response, (isSent) => isSent || removeJob(jobs, job).catch(() => undefined));
  const { view } = job;
  sendJson(response, 202, view, { Location: `/api/jobs/${view.id}` });
}

/** Media types of results; VRM is a GLB. */
const TYPES: Readonly<Record<string, string>> = {
  ".glb": "model/gltf-binary",
  ".vrm": "model/gltf-binary",
  ".dae": "model/vnd.collada+xml",
  ".xml": "application/xml",
  ".json": "application/json",
  ".csv": "text/csv",
  ".usdz": "model/vnd.usdz+zip",
};

function typeOf(file: string): string {
  return TYPES[path.extname(file)] ?? "application/octet-stream";
}

async function answerJob(
  { jobs }: Service,
  { request, response, method }: Call,
  job: ApiJob,
  part: string | undefined,
): Promise<void> {
  if (method === "DELETE" && !part) {
    await removeJob(jobs, job);
    response.writeHead(204).end();
    return;
  }
  if (method !== "GET") throw new ApiError(405, `${request.method} is not supported here.`);
  if (!part) return sendJson(response, 200, isFile(job) ? fileView(job) : job.view);
  if (isFile(job)) throw new ApiError(404, NOT_FOUND);
  if (part === "events") return sendEvents(response, job);
  if (part === "result") return sendFile(response, job, job.output, typeOf(job.output));
  if (part === "report") return sendFile(response, job, job.report, "application/json");
  throw new ApiError(404, NOT_FOUND);
}

/** Counters of the service. */
interface ApiMetrics {
  answered(status: number): void;
  uploaded(bytes: number): void;
  /** Returns all counters in the format of Prometheus. */
  text(jobs: JobSet): string;
}

/** Creates the counters of a service. */
function createApiMetrics(): ApiMetrics {
  const answers = new Map<number, number>();
  let bytes = 0;
  return {
    answered: (status) => answers.set(status, (answers.get(status) ?? 0) + 1),
    uploaded: (more) => {
      bytes += more;
    },
    text(jobs) {
      const { now, ended } = countJobs(jobs);
      const memory = process.memoryUsage.rss();
      const codes = Object.fromEntries([...answers].sort(([a], [b]) => a - b));
      return [
        ...metric("heterskin_jobs", "gauge", "Jobs by state.", now, "state"),
        ...metric("heterskin_jobs_ended_total", "counter", "Ended jobs.", ended, "state"),
        ...metric("heterskin_answers_total", "counter", "Answers by status.", codes, "status"),
        ...metric("heterskin_upload_bytes_total", "counter", "Bytes of files received.", bytes),
        ...metric("process_resident_memory_bytes", "gauge", "Memory in use.", memory),
        ...metric("process_open_fds", "gauge", "Open descriptors.", openDescriptors()),
        "",
      ].join("\n");
    },
  };
}

function metric(
  name: string,
  type: "gauge" | "counter",
  help: string,
  value: number | Record<string, number>,
  label = "",
): string[] {
  const lines =
    typeof value === "number"
      ? [`${name} ${value}`]
      : Object.entries(value).map(([key, each]) => `${name}{${label}="${key}"} ${each}`);
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines];
}

function openDescriptors(): number {
  try {
    return readdirSync("/proc/self/fd").length;
  } catch {
    return 0;
  }
}
