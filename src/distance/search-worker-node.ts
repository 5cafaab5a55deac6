import { parentPort } from "node:worker_threads";
import { createSearchServer } from "./search-pool.ts";

const port = parentPort;
if (!port) throw new Error("search-worker-node: must run as a worker thread.");
port.on(
  "message",
  createSearchServer((message) => port.postMessage(message)),
);
