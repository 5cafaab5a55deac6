import { mkdirSync, rmSync, statSync } from "node:fs";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  type Browser,
  type BrowserContextOptions,
  type BrowserServer,
  chromium,
  type LaunchOptions,
  type Page,
} from "playwright-core";
import { PNG } from "pngjs";
import type { Api } from "../../src/serve/api/create-api.ts";
import { createPageServer, pageFolders } from "../../src/serve/page-server.ts";

/** The web page, built and served as by `heterskin serve`, and a browser to open it in. */
export interface PageFixture {
  address: string;
  /**
   * Opens the page in a separate browser, empty unless the address names a character. A script that changes the
   * browser's features can run first, and files whose address matches `missing` are not served.
   */
  open(
    options?: BrowserContextOptions & { at?: string | undefined; script?: string | undefined },
    missing?: string,
  ): Promise<Page>;
  /** Bytes the server has sent so far, including headers. */
  sent(): number;
  /** Addresses on other hosts that any opened page requested. */
  strangers: string[];
  /** Uncaught errors of all pages. */
  faults: string[];
  /** Stops the server from answering. */
  unplug(): Promise<void>;
  close(): Promise<void>;
}

/** Device pixels per CSS pixel: software draws half of them in half the time, and the layout is the same. */
const SCALE = process.env.VITEST ? 0.7 : 1;

/** Builds the page unless it is up to date. */
export async function preparePage(): Promise<void> {
  // A variable, so that the type check does not follow it into plain JavaScript.
  const app = "../../scripts/setup/app.mjs";
  const { ensureApp } = (await import(app)) as { ensureApp(): string };
  await alone(ensureApp);
}

async function launchOptions(): Promise<LaunchOptions> {
  const setup = "../../scripts/setup/browser.mjs";
  const { findBrowser } = (await import(setup)) as { findBrowser(): string };
  return {
    executablePath: findBrowser(),
    args: [
      "--no-sandbox",
      "--disable-quic",
      "--disable-background-networking",
      "--use-angle=swiftshader",
      "--enable-unsafe-swiftshader",
      // Without a GPU, the CPU composites a page in two thirds of the time.
      ...(process.env.VITEST ? ["--disable-gpu-compositing"] : []),
    ],
  };
}

/** Starts Chromium for several processes to connect to. */
export async function launchBrowserServer(): Promise<BrowserServer> {
  return chromium.launchServer(await launchOptions());
}

/** Connects to the browser that the test run shares, or launches one. */
async function openBrowser(): Promise<Browser> {
  const shared = process.env.HETERSKIN_BROWSER;
  if (shared) return chromium.connect(shared);
  await preparePage();
  return chromium.launch(await launchOptions());
}

/**
 * Serves the page and opens a browser; closing the fixture closes the pages it opened.
 *
 * @param api a service on the same host, as with `serve --api`
 */
export async function startPage(api?: Api): Promise<PageFixture> {
  const browser = await openBrowser();
  const server = createPageServer(pageFolders(), { api });
  const sockets = new Set<Socket>();
  let sentBefore = 0;
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => {
      sockets.delete(socket);
      sentBefore += socket.bytesWritten;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const unplug = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  };
  const strangers: string[] = [];
  const faults: string[] = [];
  return {
    address,
    strangers,
    faults,
    sent: () => [...sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, sentBefore),
    async open({ at = "?open=nothing", script = "", ...options } = {}, missing) {
      const page = await browser.newPage({
        viewport: { width: 1280, height: 800 },
        deviceScaleFactor: SCALE,
        // It would answer instead of the routes of the tests.
        serviceWorkers: "block",
        ...options,
      });
      // A busy machine is not a failure.
      page.setDefaultTimeout(120_000);
      page.on("request", (request) => {
        const url = request.url();
        if (!url.startsWith(address) && !/^(blob|data):/.test(url)) strangers.push(url);
      });
      page.on("pageerror", (error) => faults.push(error.message));
      page.on("console", (message) => {
        // A file that a test withholds is reported as missing, and a frame drawn in software as slow.
        const isExpected = /Failed to load resource|GPU stall|GL Driver/.test(message.text());
        if (message.type() === "error" && !isExpected) faults.push(message.text());
      });
      if (process.env.VITEST) await page.addInitScript(ROUGH_EDGES);
      // Programs run by tsx send functions into the page that require this helper.
      await page.addInitScript(`globalThis.__name ??= (named) => named; ${script}`);
      if (missing) await page.route(missing, (route) => route.abort());
      await page.goto(`${address}${at}`);
      return page;
    },
    unplug,
    async close() {
      await browser.close();
      await unplug();
    },
  };
}

/** Draws without antialiasing: in software, smooth edges take a third of the time. */
const ROUGH_EDGES = `{
  const { getContext } = HTMLCanvasElement.prototype;
  HTMLCanvasElement.prototype.getContext = function (kind, options) {
    const isDrawn3d = kind.startsWith("webgl");
    return getContext.call(this, kind, isDrawn3d ? { ...options, antialias: false } : options);
  };
}`;

/** Runs a function that only one of the test processes may run at a time. */
async function alone(task: () => void): Promise<void> {
  const lock = path.join(tmpdir(), `heterskin-page-${path.basename(process.cwd())}.lock`);
  for (;;) {
    try {
      mkdirSync(lock);
      break;
    } catch {
      // A lock that was not released within three minutes is left over.
      const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
      if (Date.now() - since > 180_000) rmSync(lock, { recursive: true, force: true });
      await new Promise((done) => setTimeout(done, 200));
    }
  }
  try {
    task();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

/** Waits until a character is open and bound and the page is idle; ignores an earlier one of the same name. */
export async function waitForBinding(page: Page, name: string): Promise<void> {
  await page.waitForFunction((name) => {
    const text = (id: string) => document.getElementById(id)?.textContent ?? "";
    const isAtRest = text("stage-name") === "";
    return isAtRest && text("open-name").startsWith(name) && text("bind-result").startsWith("Done");
  }, name);
}

/** Takes a screenshot of the 3D view as soon as the requested frames are drawn. */
export async function viewPicture(page: Page): Promise<PNG> {
  // Two frames: one to draw, one to be shown.
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
  return PNG.sync.read(await page.locator("#canvas").screenshot());
}

/** Takes a screenshot of the view once it has settled: `data-frame` of the canvas counts the frames drawn. */
export async function stillPicture(page: Page): Promise<PNG> {
  await page.evaluate(async () => {
    const canvas = document.getElementById("canvas")!;
    const nextFrame = () => new Promise((done) => requestAnimationFrame(done));
    for (let still = 0, last = ""; still < 3; ) {
      await nextFrame();
      const { frame = "" } = canvas.dataset;
      still = frame === last ? still + 1 : 0;
      last = frame;
    }
  });
  return viewPicture(page);
}

/** Maximum time until a change of the view is visible, on the busiest machine (ms). */
const PATIENCE = 15_000;

/** Waits until the view differs from a screenshot in more than `pixels` pixels; returns a settled screenshot. */
export async function pictureUnlike(page: Page, before: PNG, pixels: number): Promise<PNG> {
  await pictureWhere(page, `unlike another in ${pixels} pixels`, (picture) => {
    return changedPixels(before, picture) > pixels;
  });
  return stillPicture(page);
}

/** Waits until the view differs from a screenshot in fewer than `pixels` pixels. */
export async function pictureLike(page: Page, wanted: PNG, pixels: number): Promise<void> {
  await pictureWhere(page, `like another but for ${pixels} pixels`, (picture) => {
    return changedPixels(wanted, picture) < pixels;
  });
}

/** Waits for a screenshot of the view that satisfies a condition, or throws. */
export async function pictureWhere(
  page: Page,
  what: string,
  isSo: (picture: PNG) => boolean,
): Promise<PNG> {
  for (const end = Date.now() + PATIENCE; Date.now() < end; ) {
    const frame = await page.locator("#canvas").getAttribute("data-frame");
    const picture = await viewPicture(page);
    if (isSo(picture)) return picture;
    // Another screenshot of the same frame would be the same, unless the frame was shown late.
    await page
      .waitForFunction(
        (frame) => document.getElementById("canvas")?.dataset.frame !== frame,
        frame,
        { timeout: 300 },
      )
      .catch(() => undefined);
  }
  throw new Error(`pictureWhere: the view was not ${what} in ${PATIENCE / 1000} s.`);
}

/** Waits until the review of the shown weights is complete; the validity of the file comes last. */
export async function waitForWords(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    document.getElementById("quality")?.textContent?.includes("Khronos validator"),
  );
}

/** Number of strongly colored CSS pixels: a heat map has many, clay has none. */
export function coloredPixels({ data }: PNG): number {
  let count = 0;
  for (let i = 0; i < data.length; i += 4) {
    const [r, g, b] = [data[i], data[i + 1], data[i + 2]];
    if (Math.max(r, g, b) - Math.min(r, g, b) > 90) count++;
  }
  return count / SCALE ** 2;
}

/** Number of CSS pixels that differ between two screenshots of the same size. */
export function changedPixels(a: PNG, b: PNG): number {
  let count = 0;
  for (let i = 0; i < a.data.length; i += 4) {
    const difference =
      Math.abs(a.data[i] - b.data[i]) +
      Math.abs(a.data[i + 1] - b.data[i + 1]) +
      Math.abs(a.data[i + 2] - b.data[i + 2]);
    if (difference > 40) count++;
  }
  return count / SCALE ** 2;
}

/** Clicks a button that downloads, and returns the file. */
export async function download(
  page: Page,
  button: string,
): Promise<{ name: string; bytes: Uint8Array }> {
  const [file] = await Promise.all([page.waitForEvent("download"), page.click(button)]);
  const chunks: Buffer[] = [];
  for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer);
  return { name: file.suggestedFilename(), bytes: new Uint8Array(Buffer.concat(chunks)) };
}

/** Lets characters open with another method than the default, through the page's address. */
export async function bindNextBy(page: Page, method: string): Promise<void> {
  await page.evaluate((method) => {
    const address = new URL(location.href);
    address.searchParams.set("method", method);
    history.replaceState(null, "", address);
  }, method);
}

/** Clicks a sample of the gallery; the simple ones are folded. */
export async function clickSample(page: Page, name: string): Promise<void> {
  await page.waitForSelector("#more-fold", { state: "attached" });
  if (await page.locator("#landing").isHidden()) await page.click("#samples-button");
  await page.locator("#more-fold").evaluate((fold) => {
    (fold as HTMLDetailsElement).open = true;
  });
  await page.click(`[data-sample=${name}]`);
}

/** Opens a sample from the gallery with a method, and waits until it is bound. */
export async function openSample(page: Page, name: string, method?: string): Promise<void> {
  if (method) await bindNextBy(page, method);
  await clickSample(page, name);
  await waitForBinding(page, name);
}

/** Opens a folded step of the side bar. */
export async function unfold(page: Page, title: string): Promise<void> {
  const step = page.locator("details.section", { has: page.locator("h2", { hasText: title }) });
  if ((await step.getAttribute("open")) === null) await step.locator("summary").first().click();
}

/** Waits until nothing is being read or bound. */
export async function waitForRest(page: Page): Promise<void> {
  await page.waitForFunction(() => document.getElementById("stage-name")?.textContent === "");
}

/** A position on the canvas, as fractions of its width and height, in the window. */
export async function onCanvas(
  page: Page,
  across: number,
  down: number,
): Promise<[x: number, y: number]> {
  const box = (await page.locator("#canvas").boundingBox())!;
  return [box.x + box.width * across, box.y + box.height * down];
}

/** Chooses what the colors show. */
export async function look(page: Page, value: string): Promise<void> {
  await page.check(`input[name=look][value=${value}]`, { force: true });
}

/** Texts of the badges in the view. */
export async function badges(page: Page): Promise<string[]> {
  return page.locator("#badges .badge").allTextContents();
}

/** The names in the list of weights. */
export async function bindNames(page: Page): Promise<string[]> {
  return page.locator("#binds .bind-row strong").allTextContents();
}
