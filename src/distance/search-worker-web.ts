import { createSearchServer } from "./search-server.ts";

const serve = createSearchServer((message) => postMessage(message));
addEventListener("message", (event: MessageEvent) => serve(event.data));
