// Makes the pictures of the page in docs/images, and those of the samples in its gallery.
//
//   npm run page:pictures [-- name ...]    all, or only the pictures of these names

import { mkdirSync, writeFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { makeSample, SAMPLES } from "../samples/index.ts";
import { objText } from "../test/helpers/obj-text.ts";
import {
  look,
  onCanvas,
  openSample,
  startPage,
  unfold,
  waitForBinding,
  waitForRest,
} from "../test/helpers/page-fixture.ts";

const FOLDER = "docs/images";
const BARE = "out/page-pictures/statue.obj";
const DESK = { width: 1280, height: 720 };

/** Stops the clock of the motion at a share of it, so that a picture is the same each time. */
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

/** What each picture shows, by its name, and how large the window is. */
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
  phone: { size: { width: 390, height: 844 }, at: "", show: intro },
  "phone-tools": {
    size: { width: 390, height: 844 },
    at: "?open=nothing",
    async show(page) {
      await openSample(page, "robot", "heat");
      await look(page, "dominant");
    },
  },
  weights: {
    size: DESK,
    at: "?open=nothing",
    async show(page) {
      await openSample(page, "fox", "heat");
      await page.fill("input[type=search]", "hindUpper.L");
      await look(page, "heat");
      await page.locator("[aria-label='How much the colors cover the character']").fill("70");
      await waitForRest(page);
    },
  },
  compare: {
    size: DESK,
    at: "?open=nothing",
    async show(page) {
      await openSample(page, "dragon", "euclid");
      await page.selectOption("#method", "heat");
      await page.click("#bind-button");
      await page.waitForSelector('#binds .current strong:text-is("Bone heat")');
      await page.selectOption("#clips", { label: "hover" });
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
      await openSample(page, "octopus", "heat");
      await look(page, "heat");
      await page.check("input[name=arrangement][value=wipe]", { force: true });
    },
  },
  pose: {
    size: DESK,
    at: "?open=nothing",
    async show(page) {
      await openSample(page, "dragon", "heat");
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
      await openSample(page, "fox", "heat");
      await unfold(page, "Touch up");
      await page.check("#paint-on");
      await page.check("#paint-both");
      const [x, y] = await onCanvas(page, 0.55, 0.42);
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
    at: "?open=nothing",
    async show(page) {
      await page.setInputFiles("#file-input", BARE);
      await page.waitForSelector("#accept-skeleton:visible");
      await page.click("#close-landing").catch(() => undefined);
    },
  },
};

/** The gallery's pictures: each sample as it looks, 160 by 160, on nothing. */
async function drawGallery(page: Page): Promise<void> {
  await page.selectOption("#method", "heat");
  for (const { name } of SAMPLES) {
    await openSample(page, name);
    await waitForBinding(page, name);
    await look(page, "plain");
    await page.locator("label:has-text('Skeleton') input").uncheck();
    await page.evaluate(() => {
      const place = { position: "fixed", inset: "0 auto auto 0", width: "160px", height: "160px" };
      Object.assign(document.getElementById("canvas")!.style, place, { visibility: "visible" });
      document.body.style.visibility = "hidden";
      document.documentElement.style.background = "transparent";
    });
    await page.focus("#canvas");
    await page.keyboard.press("Home");
    await page.waitForTimeout(300);
    const clip = { x: 0, y: 0, width: 160, height: 160 };
    const path = `app/public/samples/${name}.png`;
    await page.screenshot({ path, clip, omitBackground: true });
    await page.evaluate(() => {
      document.getElementById("canvas")!.removeAttribute("style");
      document.body.style.visibility = "";
    });
  }
}

async function main(wanted: string[]): Promise<void> {
  mkdirSync("out/page-pictures", { recursive: true });
  writeFileSync(BARE, objText(makeSample("dancer").mesh));
  const fixture = await startPage();
  for (const [name, { size, at, show, isDark = false }] of Object.entries(PICTURES)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const colorScheme = isDark ? "dark" : "light";
    const page = await fixture.open({ viewport: size, at, colorScheme });
    await show(page);
    await page.waitForTimeout(400);
    await page.screenshot({ path: `${FOLDER}/page-${name}.png` });
    console.log(`${FOLDER}/page-${name}.png`);
    await page.close();
  }
  if (wanted.includes("gallery")) {
    const page = await fixture.open({ viewport: DESK });
    await drawGallery(page);
    await page.close();
  }
  await fixture.close();
  if (fixture.faults.length > 0) throw new Error(`page: ${fixture.faults.join("; ")}`);
}

await main(process.argv.slice(2));
