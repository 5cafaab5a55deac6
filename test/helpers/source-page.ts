import { mkdtempSync, rmSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium, type Page } from "playwright-core";
import { createServer } from "vite";

/** A page that loads our sources as they are, and a browser to open it in. */
export interface SourcePage {
  /** Opens `/open`, or `/isolated` if the page may share memory between threads. */
  open(path: "/open" | "/isolated"): Promise<Page>;
  close(): Promise<void>;
}

/**
 * Serves the sources and a page with one script, and starts Chromium.
 *
 * @param script a module; imports from `/src` and `/samples`
 * @param flags additional flags of Chromium
 */
export async function startSourcePage(script: string, flags: string[] = []): Promise<SourcePage> {
  const cacheDir = mkdtempSync(join(tmpdir(), "heterskin-vite-"));
  const server = await createServer({
    root: fileURLToPath(new URL("../..", import.meta.url)),
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
          vite.middlewares.use(servePage(script));
        },
      },
    ],
  });
  await server.listen();
  // Composed, so that the type check does not follow it into plain JavaScript.
  const finder = "../../scripts/setup/browser.mjs";
  const executablePath = ((await import(finder)) as { findBrowser(): string }).findBrowser();
  const args = ["--no-sandbox", "--disable-quic", "--disable-background-networking", ...flags];
  const browser = await chromium.launch({ executablePath, args });
  return {
    async open(path) {
      const page = await browser.newPage();
      const { port } = server.httpServer!.address() as AddressInfo;
      await page.goto(`http://localhost:${port}${path}`);
      return page;
    },
    async close() {
      await browser.close();
      await server.close();
      rmSync(cacheDir, { recursive: true, force: true });
    },
  };
}

/** Workers have the policy of their page, so all files of the isolated one are served with it. */
function servePage(script: string) {
  return (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    const isOpen = request.url === "/open" || request.headers.referer?.endsWith("/open");
    if (!isOpen) {
      response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
      response.setHeader("Cross-Origin-Embedder-Policy", "require-corp");
    }
    if (request.url === "/open" || request.url === "/isolated") {
      const page = `<!doctype html><title>test</title><script type="module">${script}</script>`;
      response.setHeader("Content-Type", "text/html").end(page);
    } else {
      next();
    }
  };
}
