import { parentPort } from "node:worker_threads";
import { createSearchServer } from "./search-server.ts";

const port = parentPort;
if (!port) throw new Error("search-worker-node: runs as a worker thread only.");
port.on(
  "message",
  createSearchServer((message) => port.postMessage(message)),
);
