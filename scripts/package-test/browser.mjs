import { createReadStream, existsSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { chromium } from "playwright-core";
import { findBrowser } from "../setup/browser.mjs";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };

/** Opens the page of a folder in Chromium and returns the result of its `bind`. */
export async function bindInBrowser(folder, options) {
  const server = createServer((request, response) => {
    const file = path.join(folder, request.url === "/" ? "index.html" : request.url);
    if (!existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    const type = TYPES[path.extname(file)] ?? "application/octet-stream";
    response.writeHead(200, { "Content-Type": type });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const args = ["--no-sandbox", "--disable-quic", "--disable-background-networking"];
  const browser = await chromium.launch({ executablePath: findBrowser(), args });
  try {
    const page = await browser.newPage();
    const faults = [];
    page.on("pageerror", (error) => faults.push(error.message));
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    await page.waitForFunction("globalThis.bind").catch((error) => {
      throw new Error(`${folder}: ${faults.join("; ") || error.message}`);
    });
    return await page.evaluate((given) => globalThis.bind(given), options);
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
  }
}
