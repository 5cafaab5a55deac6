import { createSearchServer } from "./search-pool.ts";

const serve = createSearchServer((message) => postMessage(message));
addEventListener("message", (event: MessageEvent) => serve(event.data));
