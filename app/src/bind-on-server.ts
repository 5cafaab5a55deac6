import { VisitorError } from "./call-worker.ts";

type Report = (stage: string, fraction: number) => void;

/** A character to bind on the server. */
export interface ServerJob {
  /** GLB with only the mesh, the skeleton and the weights. */
  bytes: Uint8Array<ArrayBuffer>;
  /** Options by the service's names. */
  options: Record<string, string | number | boolean | undefined>;
  token: string;
  /** Aborting it also cancels the job on the server. */
  signal: AbortSignal;
  report: Report;
}

/** Result of the service. */
export interface ServerResult {
  /** GLB with the new weights. */
  bytes: Uint8Array<ArrayBuffer>;
  /** Milliseconds by stage, on the server. */
  timings: Record<string, number>;
  warnings: string[];
}

/** The fields of a job that the page needs; see `/api/openapi.json`. */
interface JobState {
  id: string;
  state: "waiting" | "running" | "done" | "failed";
  stage?: string;
  fraction?: number;
  error?: string;
}

/** Maximum consecutive attempts to reach a server that does not respond, and the delay between them (ms). */
const TRIES = 10;
const PAUSE = 1000;
const LOST = "The server does not answer; try again, or bind in this browser.";

/**
 * Binds a character on the page's host: uploads it, follows the job, downloads the result and deletes the job.
 * Problems are a `VisitorError`.
 */
export async function bindOnServer(job: ServerJob): Promise<ServerResult> {
  try {
    return await bindBySteps(job);
  } catch (error) {
    if (job.signal.aborted) throw new VisitorError("Cancelled.");
    throw error instanceof VisitorError ? error : new VisitorError(LOST);
  }
}

async function bindBySteps(job: ServerJob): Promise<ServerResult> {
  const { bytes, options, report } = job;
  const query = new URLSearchParams({ name: "character.glb" });
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined) query.set(name, String(value));
  }
  report("server:send", 0);
  const made = await ask(job, `?${query}`, { method: "POST", body: bytes });
  const { id } = (await made.json()) as JobState;
  // At once, since a page that is closing runs no code after its last event.
  const cancel = () => forget(job, id);
  job.signal.addEventListener("abort", cancel, { once: true });
  try {
    await untilDone(job, id);
    report("server:fetch", 0);
    const [file, summary] = await Promise.all([
      ask(job, `/${id}/result`).then((answer) => answer.arrayBuffer()),
      ask(job, `/${id}/report`).then((answer) => answer.json()),
    ]);
    const { timings, repaired } = summary;
    return { bytes: new Uint8Array(file), timings, warnings: repaired };
  } finally {
    job.signal.removeEventListener("abort", cancel);
    if (!job.signal.aborted) forget(job, id);
  }
}

/** Follows a job to its end, even across a restart of the server. */
async function untilDone(job: ServerJob, id: string): Promise<void> {
  for (let tries = 0; tries < TRIES; ) {
    const last = await follow(job, id).catch((error) => {
      if (job.signal.aborted || (error instanceof Refusal && error.status < 500)) throw error;
      return undefined;
    });
    if (last?.state === "done") return;
    if (last?.state === "failed")
      throw new VisitorError(last.error ?? "The server gave up on this bind.");
    // Proxies close long streams; the next attempt reconnects.
    tries = last ? 0 : tries + 1;
    await new Promise((resume) => setTimeout(resume, PAUSE));
    job.signal.throwIfAborted();
  }
  throw new VisitorError(LOST);
}

/** Reads the events of a job until the stream ends. Returns the last one. */
async function follow(job: ServerJob, id: string): Promise<JobState | undefined> {
  const { body } = await ask(job, `/${id}/events`);
  if (!body) return undefined;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  let last: JobState | undefined;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return last;
    const events = (text + value).split("\n\n");
    text = events.pop() ?? "";
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1];
      if (data === undefined) continue;
      last = JSON.parse(data) as JobState;
      job.report(`server:${last.stage ?? last.state}`, last.fraction ?? 0);
    }
  }
}

/** An error response of the service, with its reason. */
class Refusal extends VisitorError {
  status: number;

  constructor(status: number, sentence: string) {
    super(sentence);
    this.status = status;
  }
}

/** Sends a request to the service; throws a {@link Refusal} for an error response. */
async function ask(
  { token, signal }: ServerJob,
  address: string,
  options: RequestInit = {},
): Promise<Response> {
  const answer = await fetch(addressOf(address), { ...options, signal, headers: headersOf(token) });
  if (answer.ok) return answer;
  throw new Refusal(answer.status, await sentenceOf(answer, token));
}

async function sentenceOf(answer: Response, token: string): Promise<string> {
  if (answer.status === 401) {
    return token
      ? "The server does not know this token; enter the one you received."
      : "The server requires a token; enter it below the choice of the server.";
  }
  const { error } = await answer.json().catch(() => ({ error: undefined }));
  return error ?? `The server refused the request (status ${answer.status}).`;
}

/** Cancels a job and deletes its files, even while the page is closing. */
function forget({ token }: ServerJob, id: string): void {
  const options = { method: "DELETE", keepalive: true, headers: headersOf(token) };
  fetch(addressOf(`/${id}`), options).catch(() => undefined);
}

const addressOf = (rest: string) => new URL(`api/jobs${rest}`, document.baseURI);

const headersOf = (token: string): Record<string, string> =>
  token ? { Authorization: `Bearer ${token}` } : {};
