/** Caches the page in the browser, so that it opens, binds and saves offline. */

import { LARGE_FILES_CACHE } from "./fetch-cached.ts";

/** Files of the page; the build inserts the list. */
const { version, files, kept } = JSON.parse("PAGE_FILES") as {
  /** Changes with any file. */
  version: string;
  files: string[];
  /** Files of the page's own cache, with their version in the address. */
  kept: string[];
};

/** The parts of a service worker's scope that this one uses; the DOM types of the page lack them. */
interface Waiting extends Event {
  waitUntil(task: Promise<unknown>): void;
}
interface Fetching extends Event {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}
const worker = self as unknown as {
  registration: { scope: string };
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
  addEventListener(type: "install" | "activate", listener: (event: Waiting) => void): void;
  addEventListener(type: "fetch", listener: (event: Fetching) => void): void;
};

const PREFIX = "heterskin-page-";
const CACHE = `${PREFIX}${version}`;
/** Delay after which a page that has not arrived is served from the cache (ms). */
const PATIENCE = 4000;

worker.addEventListener("install", (event) => {
  event.waitUntil(
    (async () => {
      const page = await caches.open(CACHE);
      await page.addAll(files);
      const large = await caches.open(LARGE_FILES_CACHE);
      for (const file of kept) {
        const address = new URL(file, worker.registration.scope).href;
        if (await large.match(address)) continue;
        await large.delete(address, { ignoreSearch: true });
        await large.add(address);
      }
      await worker.skipWaiting();
    })(),
  );
});

worker.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) {
        if (name.startsWith(PREFIX) && name !== CACHE) await caches.delete(name);
      }
      await worker.clients.claim();
    })(),
  );
});

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { scope } = worker.registration;
  // Requests to a service on the same host are not files of the page.
  if (request.method !== "GET" || !request.url.startsWith(scope)) return;
  const path = request.url.slice(scope.length).replace(/[?#].*$/, "");
  if (path.startsWith("api/")) return;
  // Files with a fingerprint in their name never change; for all others the server is asked first.
  event.respondWith(path.startsWith("assets/") ? fromCache(request) : fromNetwork(request));
});

async function fromCache(request: Request): Promise<Response> {
  return (await caches.match(request, { ignoreSearch: true })) ?? fetch(request);
}

async function fromNetwork(request: Request): Promise<Response> {
  const isPage = request.mode === "navigate";
  try {
    return await fetch(request, isPage ? { signal: AbortSignal.timeout(PATIENCE) } : {});
  } catch (error) {
    const page = await caches.open(CACHE);
    const found = isPage
      ? await page.match("./index.html")
      : await page.match(request, { ignoreSearch: true });
    if (found) return found;
    throw error;
  }
}
