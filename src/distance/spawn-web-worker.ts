import type { SearchWorker } from "./search-pool.ts";

/** Starts a web worker; undefined if there are none. */
export function spawnWebWorker(): SearchWorker | undefined {
  if (typeof Worker === "undefined") return undefined;
  // Bundlers look for exactly this form.
  const worker = new Worker(new URL("./search-worker-web.js", import.meta.url), {
    type: "module",
  });
  return {
    post: (request) => worker.postMessage(request),
    onAnswer: (listener) => worker.addEventListener("message", (event) => listener(event.data)),
    onError: (listener) =>
      worker.addEventListener("error", (event) =>
        listener(new Error(event.message || "A distance worker could not be started.")),
      ),
    stop: () => worker.terminate(),
  };
}
