import { fork } from "node:child_process";
import type { EventEmitter } from "node:events";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";

/** A worker thread or child process. */
export interface StartedWorker {
  /** Emits `message`, `error` and `exit`. */
  events: EventEmitter;
  /** Set for a process. */
  pid?: number | undefined;
  post(message: unknown): void;
  /** Sets whether the worker keeps this program running. */
  keepAlive(isNeeded: boolean): void;
  stop(): Promise<unknown>;
}

/**
 * Starts a module as a thread; returns undefined for TypeScript without a loader.
 *
 * @param module path relative to `from`, without extension (`.ts` in the sources, `.js` once built)
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
        // Keep the program running until the thread has ended.
        isEnding = true;
        worker.ref();
        return worker.terminate();
      },
    }
  );
}

/** Starts a module as a process; see {@link startThread}. */
export function startProcess(module: string, from: string): StartedWorker {
  const file = workerFile(module, from);
  const loader = file.pathname.endsWith(".ts") ? sourceLoader("tsx") : undefined;
  const child = fork(fileURLToPath(file), {
    // Library warnings go to stderr; stdout is reserved for the caller's output.
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    // JSON, the default, turns NaN into null.
    serialization: "advanced",
    ...(loader ? { execArgv: ["--import", loader] } : {}),
  });
  return {
    events: child,
    pid: child.pid,
    post: (message) => child.connected && child.send(message as object),
    keepAlive(isNeeded) {
      for (const handle of [child, child.channel]) isNeeded ? handle?.ref() : handle?.unref();
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

/** Node 20 cannot run TypeScript, so workers of the sources load tsx first. */
function sourceLoader(name: string): string | undefined {
  try {
    // The CommonJS build cannot resolve its own files from here.
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
