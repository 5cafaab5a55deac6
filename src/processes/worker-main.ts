import { once } from "node:events";
import { parentPort, Worker } from "node:worker_threads";
import { InputError } from "../input-error.ts";
import { type OnProgress, paceProgress } from "../stage-clock.ts";

/** Does one job after another. */
export interface Serve<Job, Answer> {
  /** @param onProgress where somebody wants to know how far the job is */
  (job: Job, onProgress?: OnProgress): Promise<Answer>;
  /** What of an answer moves to the other thread instead of being copied. */
  buffersOf?: (answer: Answer) => ArrayBuffer[];
}

/** What a worker is sent: first where its work is, then one job after another. */
export type WorkerRequest = WorkerTask | { job: unknown; isWatched: boolean };

/** The work of a worker: an exported function of a module that makes, from settings, a {@link Serve}. */
export interface WorkerTask {
  /** URL of the module. */
  module: string;
  name: string;
  settings: unknown;
}

/** What a worker says while a job that is watched runs. */
export interface WorkerProgress {
  stage: string;
  fraction: number;
}

/** What a worker says: that it is ready, what a job gave, or why it failed. */
export type WorkerAnswer =
  | "ready"
  | { answer: unknown }
  | { error: string; isInputAtFault: boolean };

// Runs inside a thread or a process; started by `createWorkerHost`.
const port = parentPort;
let serve: Promise<Serve<unknown, unknown>> | undefined;
/** What ends this process with its parent, once it is awake; a thread ends by itself. */
let guard: Promise<unknown> | undefined;

function say(message: WorkerAnswer | WorkerProgress, buffers: ArrayBuffer[] = []): void {
  if (port) port.postMessage(message, buffers);
  else if (process.connected) process.send?.(message);
}

const tell = (stage: string, fraction: number) => say({ stage, fraction });

async function prepare({ module, name, settings }: WorkerTask) {
  return (await import(module))[name](settings);
}

async function hear(request: WorkerRequest): Promise<void> {
  if ("module" in request) {
    serve = prepare(request);
    // Where the preparation fails, the first job says so.
    await serve.catch(() => undefined);
    // A job that blocks this thread must not keep the guard from starting.
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
    const isInputAtFault = error instanceof InputError;
    say({ error: isInputAtFault ? message : (stack ?? message), isInputAtFault });
  }
}

if (port) port.on("message", hear);
else {
  process.on("message", hear);
  // Ctrl-C, a terminal that closes and service managers tell all processes at once: what is under way is
  // for whoever started this to finish or to end.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined);
  // Whoever asked may be killed at any moment; its helper must not outlive it.
  process.on("disconnect", () => process.exit());
  // A job that computes without end hears nothing of it; a thread beside it does.
  // Who started this is asked here: by the time the thread runs, they may be gone.
  const look = `setInterval(
    () => process.ppid === ${process.ppid} || process.kill(process.pid, "SIGKILL"), 1000);`;
  const thread = new Worker(look, { eval: true, execArgv: [] });
  guard = once(thread, "online");
  thread.unref();
}
