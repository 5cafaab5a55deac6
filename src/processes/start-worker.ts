import { fork } from "node:child_process";
import type { EventEmitter } from "node:events";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";

/** A thread or a process of our own. */
export interface StartedWorker {
  /** Emits `message`, `error` and `exit`. */
  events: EventEmitter;
  /** Of a process. */
  pid?: number | undefined;
  post(message: unknown): void;
  /** Whether it keeps this program alive. */
  keepAlive(isNeeded: boolean): void;
  stop(): Promise<unknown>;
}

/**
 * Starts a file beside the caller as a thread; nothing where it is TypeScript and no loader is there.
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
        // Whoever waits for the end must not be left waiting by a program that has nothing else to do.
        isEnding = true;
        worker.ref();
        return worker.terminate();
      },
    }
  );
}

/** Starts a file beside the caller as a process; see {@link startThread}. */
export function startProcess(module: string, from: string): StartedWorker {
  const file = workerFile(module, from);
  const loader = file.pathname.endsWith(".ts") ? sourceLoader("tsx") : undefined;
  const child = fork(fileURLToPath(file), {
    // Warnings of libraries belong to stderr; stdout is for the caller's tables.
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    // JSON, the default, would turn NaN into null.
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

/** Node 20 runs no TypeScript of its own: from the sources, workers first load the developers' loader. */
function sourceLoader(name: string): string | undefined {
  try {
    // Its CommonJS twin does not find its own files from here.
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
