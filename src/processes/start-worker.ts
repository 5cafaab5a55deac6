import { fork } from "node:child_process";
import type { EventEmitter } from "node:events";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";

/** A worker thread or child process. */
export interface StartedWorker {
  /** Emits `message`, `error` and `exit`. */
  events: EventEmitter;
  /** Process id of a child process. */
  pid?: number | undefined;
  post(message: unknown): void;
  /** Sets whether it keeps this program alive. */
  keepAlive(isNeeded: boolean): void;
  stop(): Promise<unknown>;
}

/**
 * Starts a file next to the caller as a thread; undefined if it is TypeScript and no loader is available.
 *
 * @param module the file without its extension: `.ts` in the sources, `.js` once built
 * @param from `import.meta.url` of the caller
 */
export function startThread(module: string, from: string): StartedWorker | undefined {
  const worker = threadOf(workerFile(module, from));
  let isEnding = false;
  return (
    worker && {
      events: worker,
      post: (message) => worker.postMessage(message),
      keepAlive: (isNeeded) => (isNeeded || isEnding ? worker.ref() : worker.unref()),
      stop: () => {
        // Keeps the program alive until the worker has terminated.
        isEnding = true;
        worker.ref();
        return worker.terminate();
      },
    }
  );
}

/** Starts a file next to the caller as a process; see {@link startThread}. */
export function startProcess(module: string, from: string): StartedWorker {
  const file = workerFile(module, from);
  const loader = file.pathname.endsWith(".ts") ? sourceLoader("tsx") : undefined;
  const child = fork(fileURLToPath(file), {
    // Warnings of libraries go to stderr; stdout is for the caller's output.
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    // The default, JSON, would turn NaN into null.
    serialization: "advanced",
    ...(loader ? { execArgv: ["--import", loader] } : {}),
  });
  return {
    events: child,
    pid: child.pid,
    post: (message) => child.connected && child.send(message as object),
    keepAlive(isNeeded) {
      if (isNeeded) child.ref();
      else child.unref();
      if (isNeeded) child.channel?.ref();
      else child.channel?.unref();
    },
    stop: async () => child.kill("SIGKILL"),
  };
}

/**
 * URL of a module next to the caller: the TypeScript source, or the built JavaScript.
 *
 * `HETERSKIN_BUILD` is the URL of an up-to-date `dist`. Sources then start their workers from it, because
 * compiling TypeScript in every new process takes longer than most jobs of the tests.
 */
export function workerFile(module: string, from: string): URL {
  if (!from.endsWith(".ts")) return new URL(`${module}.js`, from);
  const source = new URL(`${module}.ts`, from);
  const build = process.env.HETERSKIN_BUILD;
  const root = build && new URL("..", build).href;
  if (!root || !source.href.startsWith(root)) return source;
  return new URL(source.href.slice(root.length).replace(/\.ts$/, ".js"), build);
}

/** Node 20 does not run TypeScript: from the sources, workers first load tsx. */
function sourceLoader(name: string): string | undefined {
  try {
    // Its CommonJS version does not find its own files from here.
    const file = createRequire(import.meta.url)
      .resolve(name)
      .replace(/\.cjs$/, ".mjs");
    return pathToFileURL(file).href;
  } catch {
    return undefined;
  }
}

function threadOf(file: URL): Worker | undefined {
  if (!file.pathname.endsWith(".ts")) return new Worker(file);
  const loader = sourceLoader("tsx/esm/api");
  if (!loader) return undefined;
  const code = `import(${JSON.stringify(loader)})
    .then((tsx) => tsx.register())
    .then(() => import(${JSON.stringify(file.href)}));`;
  return new Worker(code, { eval: true });
}
