import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";
import type { SearchWorker } from "./search-server.ts";

/** Starts a worker thread of Node; nothing where the sources are TypeScript and no loader is there. */
export function spawnNodeWorker(): SearchWorker | undefined {
  const worker = import.meta.url.endsWith(".ts")
    ? sourceWorker(new URL("./search-worker-node.ts", import.meta.url))
    : new Worker(new URL("./search-worker-node.js", import.meta.url));
  if (!worker) return undefined;
  // A worker left behind must not keep the process alive.
  worker.unref();
  return {
    post: (request) => worker.postMessage(request),
    onAnswer: (listener) => {
      worker.ref();
      worker.on("message", listener);
    },
    onError: (listener) => {
      worker.on("error", listener);
    },
    stop: () => {
      worker.terminate();
    },
  };
}

/** Node 20 runs no TypeScript of its own: from sources, a worker first loads the developers' loader. */
function sourceWorker(file: URL): Worker | undefined {
  let loader: string;
  try {
    // Its CommonJS twin does not find its own files from here.
    loader = createRequire(import.meta.url)
      .resolve("tsx/esm/api")
      .replace(/\.cjs$/, ".mjs");
  } catch {
    return undefined;
  }
  const code = `
    const { pathToFileURL } = require("node:url");
    import(pathToFileURL(${JSON.stringify(loader)}))
      .then((tsx) => tsx.register())
      .then(() => import(${JSON.stringify(file.href)}));`;
  return new Worker(code, { eval: true });
}
