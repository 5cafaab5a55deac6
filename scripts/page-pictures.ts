// Takes the pictures of the page in docs/images, and those of the samples in its gallery.
//
//   npm run page:pictures [-- name ...]    all, or only those with these names; `posters` takes those of the
//                                          gallery and of the landing page, `card` the preview of shared links

import { mkdirSync, writeFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { makeFigure } from "../samples/show/index.ts";
import { SHOW } from "../samples/show/names.ts";
import { objText } from "../test/helpers/obj-text.ts";
import {
  download,
  look,
  onCanvas,
  openSample,
  startPage,
  unfold,
  waitForRest,
} from "../test/helpers/page-fixture.ts";

const FOLDER = "docs/images";
const BARE = "out/page-pictures/statue.obj";
const DESK = { width: 1280, height: 720 };

/** Pauses the motion at a fraction of its duration, so that a picture is reproducible. */
async function pauseAt(page: Page, share: number): Promise<void> {
  await page.locator("#scrub").evaluate((input, share) => {
    (input as HTMLInputElement).value = String(share);
    input.dispatchEvent(new Event("input"));
  }, share);
}

async function intro(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelectorAll("#binds li").length === 3, undefined, {
    timeout: 60_000,
  });
  await waitForRest(page);
  await pauseAt(page, 0.32);
}

/** Content of each picture by name, and the size of the window. */
const PICTURES: Record<
  string,
  {
    size: { width: number; height: number };
    at: string;
    show(page: Page): Promise<void>;
    isDark?: boolean;
  }
> = {
  intro: { size: DESK, at: "", show: intro },
  "intro-wipe": {
    size: DESK,
    at: "",
    async show(page) {
      await intro(page);
      await page.check("input[name=arrangement][value=wipe]", { force: true });
    },
  },
  phone: { size: { width: 390, height: 844 }, at: "", show: intro },
  "phone-tools": {
    size: { width: 390, height: 844 },
    isDark: true,
    at: "?open=nothing",
    async show(page) {
      await openSample(page, "tinbot");
      await look(page, "dominant");
    },
  },
  weights: {
    size: DESK,
    at: "?open=nothing",
    async show(page) {
      await openSample(page, "vixen");
      await page.fill("input[type=search]", "hindUpper.L");
      await look(page, "heat");
      await page.locator("[aria-label='Opacity of the colors']").fill("50");
      await waitForRest(page);
    },
  },
  compare: {
    size: DESK,
    at: "?open=nothing",
    async show(page) {
      await openSample(page, "witch", "euclid");
      await page.selectOption("#method", "network");
      await page.click("#bind-button");
      await page.waitForSelector('#binds .current strong:text-is("HeterSkin")');
      await page.click('[aria-label="Compare with Straight distance"]');
      await page.selectOption("#clips", { label: "walk" });
      await pauseAt(page, 0.2);
      await look(page, "dominant");
      await page.check("input[name=arrangement][value=side]", { force: true });
    },
  },
  wipe: {
    size: DESK,
    isDark: true,
    at: "?open=nothing",
    async show(page) {
      await openSample(page, "drake");
      await look(page, "dominant");
      await page.check("input[name=arrangement][value=wipe]", { force: true });
    },
  },
  pose: {
    size: DESK,
    at: "?open=nothing",
    async show(page) {
      await openSample(page, "drake");
      await look(page, "plain");
      await unfold(page, "Pose");
      await page.click("#random-button");
      await page.check("#turn-on");
      await page.fill("input[type=search]", "wing1.L");
    },
  },
  paint: {
    size: DESK,
    at: "?open=nothing",
    async show(page) {
      await openSample(page, "vixen");
      await page.locator(".joints li[title='tail3']").click();
      await unfold(page, "Touch up");
      await page.check("#paint-on");
      await page.check("#paint-both");
      const [x, y] = await onCanvas(page, 0.58, 0.42);
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + 20, y + 10, { steps: 4 });
      await page.mouse.up();
      await page.mouse.move(x + 21, y + 11);
      await page.locator("#undo-button").scrollIntoViewIfNeeded();
    },
  },
  skeleton: {
    size: DESK,
    isDark: true,
    at: "?open=nothing",
    async show(page) {
      await page.setInputFiles("#file-input", BARE);
      await page.waitForSelector("#accept-skeleton:visible");
      await page.waitForTimeout(600);
      await page.locator(".joints li[title='hindUpper.L']").click();
    },
  },
  bones: {
    size: DESK,
    isDark: true,
    at: "?open=nothing",
    async show(page) {
      await openSample(page, "child");
      await look(page, "dominant");
      await page.selectOption("#clips", { label: "walk" });
      await pauseAt(page, 0.3);
    },
  },
  check: {
    size: DESK,
    at: "?open=nothing",
    async show(page) {
      await openSample(page, "child", "heat");
      await look(page, "plain");
      await page.locator("label:has-text('Skeleton') input").uncheck();
      await page.locator("#pose-strip .pose").first().click();
      await page.locator("#pose-strip").scrollIntoViewIfNeeded();
    },
  },
};

/** The preview of a link to the page. */
async function drawCard(page: Page): Promise<void> {
  await intro(page);
  const path = "app/public/share.jpg";
  await page.screenshot({ path, type: "jpeg", quality: 82 });
}

/** Saves a PNG as a WebP of a given quality, cropped to its content, in a square of `side` pixels if given. */
async function saveWebp(page: Page, png: Buffer, path: string, side?: number): Promise<void> {
  const url = await page.evaluate(
    async ({ data, side }) => {
      const picture = new Image();
      picture.src = data;
      await picture.decode();
      const [wide, high] = [picture.naturalWidth, picture.naturalHeight];
      const canvas = document.createElement("canvas");
      const pen = canvas.getContext("2d", { willReadFrequently: true })!;
      [canvas.width, canvas.height] = [wide, high];
      pen.drawImage(picture, 0, 0);
      if (!side) return canvas.toDataURL("image/webp", 0.86);
      // Without the name in the corner.
      pen.clearRect(wide - 220, high - 70, 220, 70);
      const { data: pixels } = pen.getImageData(0, 0, wide, high);
      let [left, right, top, bottom] = [wide, 0, high, 0];
      for (let i = 3; i < pixels.length; i += 4) {
        if (pixels[i] < 40) continue;
        const [x, y] = [((i - 3) / 4) % wide, Math.floor((i - 3) / 4 / wide)];
        [left, right] = [Math.min(left, x), Math.max(right, x)];
        [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
      }
      const size = Math.max(right - left, bottom - top) * 1.06;
      const corner = [(left + right - size) / 2, (top + bottom - size) / 2];
      const cut = document.createElement("canvas");
      [cut.width, cut.height] = [side, side];
      const out = cut.getContext("2d")!;
      out.imageSmoothingQuality = "high";
      out.drawImage(canvas, corner[0], corner[1], size, size, 0, 0, side, side);
      return cut.toDataURL("image/webp", 0.86);
    },
    { data: `data:image/png;base64,${png.toString("base64")}`, side },
  );
  writeFileSync(path, Buffer.from(url.split(",")[1], "base64"));
  console.log(path);
}

/** Side of a poster in pixels: sharp on high-density screens. */
const POSTER = 256;

/** Takes the posters of the show characters, with a transparent background. */
async function drawPosters(page: Page): Promise<void> {
  for (const { name } of SHOW) {
    await openSample(page, name, "heat");
    await look(page, "plain");
    await pauseAt(page, 0.3);
    await page.focus("#canvas");
    await page.keyboard.press("Home");
    await page.waitForTimeout(1200);
    const { bytes } = await download(page, "#picture-button");
    const png = Buffer.from(bytes);
    await saveWebp(page, png, `app/public/samples/${name}.webp`, POSTER);
  }
}

/** Takes the image that the landing page shows until the view is ready: the first state of the canvas. */
async function drawLanding(page: Page): Promise<void> {
  await intro(page);
  await pauseAt(page, 0);
  await page.evaluate(() => {
    document.getElementById("canvas")!.style.visibility = "visible";
    document.body.style.visibility = "hidden";
    document.documentElement.style.background = "transparent";
    for (const part of document.querySelectorAll<HTMLElement>(".stage, body")) {
      part.style.background = "transparent";
    }
  });
  await page.waitForTimeout(1500);
  const clip = (await page.locator("#canvas").boundingBox())!;
  const png = await page.screenshot({ clip, omitBackground: true });
  await saveWebp(page, png, "app/public/samples/landing.webp");
}

async function main(wanted: string[]): Promise<void> {
  mkdirSync("out/page-pictures", { recursive: true });
  writeFileSync(BARE, objText(makeFigure("vixen").character.mesh));
  const fixture = await startPage();
  for (const [name, { size, at, show, isDark = false }] of Object.entries(PICTURES)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const colorScheme = isDark ? "dark" : "light";
    const page = await fixture.open({ viewport: size, at, colorScheme });
    await show(page);
    await page.waitForFunction(
      () => document.querySelector("#pose-strip .pose:not(:has(canvas))") === null,
    );
    // Colors fade slowly, and drawing in software takes time.
    await page.waitForTimeout(2500);
    await page.screenshot({ path: `${FOLDER}/page-${name}.png` });
    console.log(`${FOLDER}/page-${name}.png`);
    await page.close();
  }
  if (wanted.includes("posters")) {
    const page = await fixture.open({ viewport: DESK });
    await drawPosters(page);
    await page.close();
    const landing = await fixture.open({ viewport: DESK, at: "" });
    await drawLanding(landing);
    await landing.close();
  }
  if (wanted.includes("card")) {
    const size = { width: 1200, height: 630 };
    const page = await fixture.open({ viewport: size, at: "", colorScheme: "dark" });
    await drawCard(page);
    await page.close();
  }
  await fixture.close();
  if (fixture.faults.length > 0) throw new Error(`page: ${fixture.faults.join("; ")}`);
}

await main(process.argv.slice(2));
