/**
 * Measures the first seconds of a first visit:
 *
 *     npm run bench page-landing -- [rounds]
 *
 * Each round opens the landing page in a new browser profile, once as fast as the machine serves it and once over
 * an emulated line of 10 Mbit/s with a round trip of 60 ms. It records the time at which the poster is painted, and
 * all bytes received before that. The medians over the rounds go to bench/results/page-landing.json.
 */
import { loadavg } from "node:os";
import type { CDPSession, Page } from "playwright-core";
import { startPage } from "../test/helpers/page-fixture.ts";
import { machineText, saveJson } from "./save-results.ts";

const rounds = Number(process.argv[2] ?? 5);
const LINES = {
  "this machine": undefined,
  "10 Mbit/s, 60 ms": { latency: 60, downloadThroughput: 1.25e6, uploadThroughput: 1.25e6 },
};

interface Visit {
  /** Milliseconds until the first text or image, until the poster is painted, and until the character walks. */
  text: number;
  poster: number;
  walk: number;
  /** Bytes received until then. */
  bytes: number;
}

/** Counts received bytes, with the time in milliseconds since the start of the visit. */
async function meter(client: CDPSession, line: (typeof LINES)[keyof typeof LINES]) {
  const pieces: { at: number; bytes: number }[] = [];
  let began = 0;
  await client.send("Network.enable");
  if (line) await client.send("Network.emulateNetworkConditions", { offline: false, ...line });
  client.on("Network.requestWillBeSent", ({ timestamp }) => {
    began ||= timestamp;
  });
  client.on("Network.responseReceived", ({ timestamp, response }) => {
    pieces.push({ at: (timestamp - began) * 1000, bytes: response.encodedDataLength });
  });
  client.on("Network.dataReceived", ({ timestamp, encodedDataLength }) => {
    pieces.push({ at: (timestamp - began) * 1000, bytes: encodedDataLength });
  });
  return (until: number) =>
    pieces.filter(({ at }) => at <= until).reduce((sum, { bytes }) => sum + bytes, 0);
}

async function paints(page: Page): Promise<Omit<Visit, "bytes">> {
  const found = await page.waitForFunction(() => {
    const all = (globalThis as unknown as { paints: PerformanceEntry[] }).paints;
    const poster = all.find(({ entryType }) => entryType === "element");
    const text = all.find(({ name }) => name === "first-contentful-paint");
    const at = (poster as { renderTime?: number } | undefined)?.renderTime;
    const { walks } = globalThis as unknown as { walks?: number };
    return at && text && walks && { text: text.startTime, poster: at, walk: walks };
  });
  return (await found.jsonValue()) as Omit<Visit, "bytes">;
}

const WATCH = `
  globalThis.paints = [];
  for (const type of ["paint", "element"])
    new PerformanceObserver((list) => paints.push(...list.getEntries())).observe({ type, buffered: true });
  // The poster is removed once the view draws the character.
  const watch = () => {
    if (document.body && document.readyState !== "loading" && !document.getElementById("poster"))
      globalThis.walks = performance.now();
    else requestAnimationFrame(watch);
  };
  watch();
`;

const fixture = await startPage();
async function visit(line: (typeof LINES)[keyof typeof LINES]): Promise<Visit> {
  // A file of a few bytes, so that measurement can be set up before the page itself loads.
  const viewport = { width: 1280, height: 720 };
  const page = await fixture.open({ at: "service.json", script: WATCH, viewport });
  const bytesUntil = await meter(await page.context().newCDPSession(page), line);
  await page.goto(fixture.address, { waitUntil: "commit" });
  const { poster, ...times } = await paints(page);
  const bytes = bytesUntil(poster);
  await page.close();
  return { poster, bytes, ...times };
}

const median = (list: number[]) => Math.round(list.sort((a, b) => a - b)[list.length >> 1]);
const result: Record<string, unknown> = { machine: machineText(), rounds };
for (const [name, line] of Object.entries(LINES)) {
  const visits: Visit[] = [];
  for (let round = 0; round < rounds; round++) visits.push(await visit(line));
  result[name] = {
    load: Number(loadavg()[0].toFixed(1)),
    firstText: median(visits.map(({ text }) => text)),
    poster: median(visits.map(({ poster }) => poster)),
    slowestPoster: Math.round(Math.max(...visits.map(({ poster }) => poster))),
    walks: median(visits.map(({ walk }) => walk)),
    bytesBefore: median(visits.map(({ bytes }) => bytes)),
    mostBytesBefore: Math.max(...visits.map(({ bytes }) => bytes)),
  };
}
await fixture.close();
saveJson("page-landing.json", result);
console.log(result);
process.exit(0);
