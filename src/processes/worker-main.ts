import { once } from "node:events";
import { parentPort, Worker } from "node:worker_threads";
import { InputError } from "../input-error.ts";
import { type OnProgress, paceProgress, type Stage } from "../stage-clock.ts";

/** Handles jobs one after the other. */
export interface Serve<Job, Answer> {
  (job: Job, onProgress?: OnProgress): Promise<Answer>;
  /** Buffers of an answer to transfer instead of copying. */
  buffersOf?: (answer: Answer) => ArrayBuffer[];
}

/** Messages to a worker: first its task, then jobs. */
export type WorkerRequest = WorkerTask | { job: unknown; isWatched: boolean };

/** A module's exported function that creates a {@link Serve} from settings. */
export interface WorkerTask {
  /** URL of the module. */
  module: string;
  name: string;
  settings: unknown;
}

export type WorkerProgress = { stage: Stage; fraction: number };

/** Messages from a worker: ready, an answer, or an error. */
export type WorkerAnswer = "ready" | { answer: unknown } | { error: string; isUserError: boolean };

// Runs inside a thread or a process; started by `createWorkerHost`.
const port = parentPort;
let serve: Promise<Serve<unknown, unknown>> | undefined;
/** Resolves once the watchdog of this process runs; a thread needs none. */
let watchdog: Promise<unknown> | undefined;

function post(message: WorkerAnswer | WorkerProgress, buffers: ArrayBuffer[] = []): void {
  if (port) port.postMessage(message, buffers);
  else if (process.connected) process.send?.(message);
}

async function receive(request: WorkerRequest): Promise<void> {
  if ("module" in request) {
    const { module, name, settings } = request;
    serve = import(module).then((exported) => exported[name](settings));
    // If the preparation fails, the first job reports it.
    await serve.catch(() => undefined);
    // A job that blocks this thread must not delay the watchdog.
    await watchdog;
    post("ready");
    return;
  }
  try {
    const work = await serve;
    const send: OnProgress = (stage, fraction) => post({ stage, fraction });
    const onProgress = request.isWatched ? paceProgress(send) : undefined;
    const answer = await work?.(request.job, onProgress);
    post({ answer }, port ? work?.buffersOf?.(answer) : []);
  } catch (error) {
    const { message, stack } = error as Error;
    const isUserError = error instanceof InputError;
    post({ error: isUserError ? message : (stack ?? message), isUserError });
  }
}

if (port) port.on("message", receive);
else {
  process.on("message", receive);
  // Ctrl-C and service managers signal all processes at once; the parent decides what happens to
  // running jobs.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined);
  // The parent may be killed at any time; this process must not outlive it.
  process.on("disconnect", () => process.exit());
  // A busy job does not see the disconnect, but a thread does. The parent's id is read here because
  // the parent may be gone by the time the thread runs.
  const look = `setInterval(
    () => process.ppid === ${process.ppid} || process.kill(process.pid, "SIGKILL"), 1000);`;
  const thread = new Worker(look, { eval: true, execArgv: [] });
  watchdog = once(thread, "online");
  thread.unref();
}
