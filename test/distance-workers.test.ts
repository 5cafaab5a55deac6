import { mkdtempSync, rmSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, chromium } from "playwright-core";
import { createServer, type ViteDevServer } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeSample } from "../samples/index.ts";
import { createHollowScene } from "../src/distance/hollow.ts";
import { voxelizeCharacter } from "../src/distance/measure.ts";
import { searchAllBones } from "../src/distance/search-scene.ts";

/** Measures with two web workers and leaves the result, and how many workers there were. */
const SCRIPT = `
  import { makeSample } from "/samples/index.ts";
  import { createHollowScene } from "/src/distance/hollow.ts";
  import { voxelizeCharacter } from "/src/distance/measure.ts";
  import { searchInPool } from "/src/distance/search-pool.ts";
  import { spawnWebWorker } from "/src/distance/spawn-web-worker.ts";
  const { mesh, skeleton } = makeSample("fish");
  const { grid, bones } = voxelizeCharacter({ mesh, skeleton }, { resolution: 40 });
  const scene = createHollowScene(mesh, bones, grid, { k: 4 });
  let workers = 0;
  const spawn = () => (workers++, spawnWebWorker());
  searchInPool(scene, 2, spawn).then(
    ({ bones, distances }) => {
      window.result = {
        workers,
        shared: typeof SharedArrayBuffer !== "undefined",
        bones: [...bones],
        distances: [...distances],
      };
    },
    (error) => {
      window.result = { error: String(error) };
    },
  );`;

let server: ViteDevServer;
let browser: Browser;
const cacheDir = mkdtempSync(join(tmpdir(), "heterskin-vite-"));

beforeAll(async () => {
  server = await createServer({
    root: fileURLToPath(new URL("..", import.meta.url)),
    configFile: false,
    cacheDir,
    logLevel: "silent",
    appType: "custom",
    optimizeDeps: { noDiscovery: true, include: [] },
    server: { port: 0, hmr: false, ws: false, watch: null },
    plugins: [
      {
        name: "page",
        configureServer(vite) {
          vite.middlewares.use(servePage);
        },
      },
    ],
  });
  await server.listen();
  const finder = "../scripts/setup/browser.mjs";
  const executablePath = ((await import(finder)) as { findBrowser(): string }).findBrowser();
  browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-quic"] });
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
  rmSync(cacheDir, { recursive: true, force: true });
});

test.each([
  ["with shared memory", true],
  ["without shared memory", false],
])("two web workers give the bits of one thread, %s", async (_, isolated) => {
  const page = await browser.newPage();
  const { port } = server.httpServer!.address() as AddressInfo;
  await page.goto(`http://localhost:${port}/${isolated ? "isolated" : "open"}`);
  await page.waitForFunction("window.result");
  const result = (await page.evaluate("window.result")) as Record<string, unknown>;
  await page.close();
  const { mesh, skeleton } = makeSample("fish");
  const { grid, bones } = voxelizeCharacter({ mesh, skeleton }, { resolution: 40 });
  const alone = searchAllBones(createHollowScene(mesh, bones, grid, { k: 4 }));
  expect(result).toEqual({
    workers: 2,
    shared: isolated,
    bones: [...alone.bones],
    distances: [...alone.distances],
  });
});

/** Workers come under the same rules as their page, so all files of the isolated one are served so. */
function servePage(request: IncomingMessage, response: ServerResponse, next: () => void): void {
  const isOpen = request.url === "/open" || request.headers.referer?.endsWith("/open");
  if (!isOpen) {
    response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
    response.setHeader("Cross-Origin-Embedder-Policy", "require-corp");
  }
  if (request.url === "/open" || request.url === "/isolated") {
    const page = `<!doctype html><title>test</title><script type="module">${SCRIPT}</script>`;
    response.setHeader("Content-Type", "text/html").end(page);
  } else {
    next();
  }
}
