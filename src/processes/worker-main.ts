import { once } from "node:events";
import { parentPort, Worker } from "node:worker_threads";
import { InputError } from "../input-error.ts";
import { type OnProgress, paceProgress } from "../stage-clock.ts";

/** A job handler. */
export interface Serve<Job, Answer> {
  /** @param onProgress if the caller wants progress events */
  (job: Job, onProgress?: OnProgress): Promise<Answer>;
  /** Buffers of an answer that are transferred to the other thread instead of copied. */
  buffersOf?: (answer: Answer) => ArrayBuffer[];
}

/** Messages to a worker: first its task, then one job after another. */
export type WorkerRequest = WorkerTask | { job: unknown; isWatched: boolean };

/** The task of a worker: an exported function of a module that creates a {@link Serve} from settings. */
export interface WorkerTask {
  /** URL of the module. */
  module: string;
  name: string;
  settings: unknown;
}

/** Progress events of a watched job. */
export interface WorkerProgress {
  stage: string;
  fraction: number;
}

/** Messages of a worker: ready, the answer of a job, or its error. */
export type WorkerAnswer = "ready" | { answer: unknown } | { error: string; isUserError: boolean };

// Runs inside a thread or a process; started by `createWorkerHost`.
const port = parentPort;
let serve: Promise<Serve<unknown, unknown>> | undefined;
/** Ends this process with its parent, once it is started; a thread needs none. */
let guard: Promise<unknown> | undefined;

function say(message: WorkerAnswer | WorkerProgress, buffers: ArrayBuffer[] = []): void {
  if (port) port.postMessage(message, buffers);
  else if (process.connected) process.send?.(message);
}

const tell = (stage: string, fraction: number) => say({ stage, fraction });

async function hear(request: WorkerRequest): Promise<void> {
  if ("module" in request) {
    const { module, name, settings } = request;
    serve = import(module).then((work) => work[name](settings));
    // If the preparation fails, the first job reports it.
    await serve.catch(() => undefined);
    // A job that blocks this thread must not delay the guard.
    await guard;
    say("ready");
    return;
  }
  try {
    const work = await serve;
    const onProgress = request.isWatched ? paceProgress(tell) : undefined;
    const answer = await work?.(request.job, onProgress);
    say({ answer }, port ? work?.buffersOf?.(answer) : []);
  } catch (error) {
    const { message, stack } = error as Error;
    const isUserError = error instanceof InputError;
    say({ error: isUserError ? message : (stack ?? message), isUserError });
  }
}

if (port) port.on("message", hear);
else {
  process.on("message", hear);
  // Ctrl-C, a closed terminal and service managers signal all processes at once: the parent decides whether to
  // finish or kill running jobs.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined);
  // The parent may be killed at any moment; this process must not outlive it.
  process.on("disconnect", () => process.exit());
  // A job that never yields does not receive the event, but a thread checks the parent. Its id is read here:
  // by the time the thread runs, the parent may be gone.
  const look = `setInterval(
    () => process.ppid === ${process.ppid} || process.kill(process.pid, "SIGKILL"), 1000);`;
  const thread = new Worker(look, { eval: true, execArgv: [] });
  guard = once(thread, "online");
  thread.unref();
}
