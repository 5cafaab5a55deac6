import { startThread } from "../processes/start-worker.ts";
import type { SearchWorker } from "./search-pool.ts";

/** Starts a Node worker thread; undefined if the sources are TypeScript and no loader is available. */
export function spawnNodeWorker(): SearchWorker | undefined {
  const worker = startThread("./search-worker-node", import.meta.url);
  if (!worker) return undefined;
  // An idle worker must not keep the process alive.
  worker.keepAlive(false);
  return {
    post: worker.post,
    onAnswer: (listener) => {
      worker.keepAlive(true);
      worker.events.on("message", listener);
    },
    onError: (listener) => void worker.events.on("error", listener),
    stop: worker.stop,
  };
}
