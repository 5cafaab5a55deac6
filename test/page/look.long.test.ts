/** Real rendering: textures, parts without weights, motion, sentences about quality, and the first five seconds. */
import type { Page } from "playwright-core";
import type { PNG } from "pngjs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dressSample } from "../../samples/dress/index.ts";
import { makeSample, SAMPLES } from "../../samples/index.ts";
import { fileFromCharacter } from "../../src/formats/file-from-character.ts";
import { readClips, readLook } from "../../src/formats/index.ts";
import { writeCharacter } from "../../src/formats/write-character.ts";
import { axeViolations } from "../helpers/axe-violations.ts";
import { tubeGlb } from "../helpers/glb-builder.ts";
import {
  badges,
  changedPixels,
  coloredPixels,
  look,
  onCanvas,
  openSample,
  type PageFixture,
  pictureLike,
  pictureUnlike,
  pictureWhere,
  stillPicture,
  viewPicture,
  waitForBinding,
  waitForRest,
  waitForWords,
} from "../helpers/page-fixture.ts";
import { usePage } from "../helpers/use-page.ts";
import { validateGltf } from "../helpers/validate-gltf.ts";

let fixture: PageFixture;
let page: Page;

usePage((opened, started) => {
  page = opened;
  fixture = started;
});

/** Number of pixels close to a color. */
function pixelsNear({ data }: PNG, [r, g, b]: number[], within = 40): number {
  let count = 0;
  for (let i = 0; i < data.length; i += 4) {
    const away = Math.abs(data[i] - r) + Math.abs(data[i + 1] - g) + Math.abs(data[i + 2] - b);
    if (away < within) count++;
  }
  return count;
}

async function cover(percent: number): Promise<void> {
  await page.locator("[aria-label='Opacity of the colors']").fill(String(percent));
}

describe.each(SAMPLES.map(({ name }) => name))("sample %s", (name) => {
  test("has a texture, a motion and, dressed, is a valid file with the same weights", async () => {
    const character = makeSample(name);
    const file = fileFromCharacter(character, dressSample(character));
    const { bytes } = writeCharacter(file, character.weights!, { format: "glb" });
    expect(await validateGltf(bytes)).toEqual([]);
    expect(bytes.length).toBeLessThan(1e6);
    const { materials, images, uvs, colors } = readLook(file);
    expect(materials[0].texture?.image).toBe(0);
    expect(images).toHaveLength(1);
    expect([uvs, colors].every((list) => list && list.length > 0)).toBe(true);
    expect(file.source.json.animations).toHaveLength(1);
  });
});

describe("how a character looks", () => {
  beforeAll(async () => {
    await openSample(page, "fox", "heat");
    await waitForRest(page);
    // Overlays on the view depend on what is known of the weights.
    await waitForWords(page);
    await page.locator("label:has-text('Skeleton') input").uncheck();
  });

  test("shows its own colors, the weights, or the weights over its colors", async () => {
    await look(page, "plain");
    // Its texture arrives slightly later than the mesh.
    await pictureWhere(page, "as orange as a fox", (picture) => {
      return pixelsNear(picture, [214, 110, 44], 90) > 3000;
    });
    const own = await stillPicture(page);
    const orange = (picture: PNG) => pixelsNear(picture, [214, 110, 44], 60);
    await look(page, "heat");
    await cover(100);
    const heat = await pictureUnlike(page, own, 2000);
    expect(orange(heat)).toBeLessThan(orange(own) / 4);
    await cover(50);
    const both = await pictureUnlike(page, heat, 2000);
    expect(changedPixels(both, own)).toBeGreaterThan(2000);
    await cover(0);
    await pictureWhere(page, "its own again", (picture) => orange(picture) > 0.9 * orange(own));
    await cover(100);
  });

  test("parts without weights are visible, and follow their joints", async () => {
    const { attachments } = readLook(
      fileFromCharacter(makeSample("fox"), dressSample(makeSample("fox"))),
    );
    const head = makeSample("fox").skeleton.names.indexOf("head");
    expect(attachments.length).toBeGreaterThan(1);
    expect(attachments.every(({ joint }) => joint === head)).toBe(true);
    const center = (positions: Float32Array) =>
      [0, 1, 2].map(
        (axis) =>
          positions.reduce((sum, v, i) => sum + (i % 3 === axis ? v : 0), 0) /
          (positions.length / 3),
      );
    const [x, y, z] = center(attachments[0].positions);
    expect(Math.hypot(x - 0.062, y - 0.74, z - 0.497)).toBeLessThan(0.01);
    await look(page, "plain");
    await pictureWhere(page, "one with eyes", (picture) => {
      return pixelsNear(picture, [28, 30, 38], 60) > 20;
    });
  });
});

describe("motion", () => {
  test("plays, pauses, is scrubbed and slowed", async () => {
    const rest = await stillPicture(page);
    await page.selectOption("#clips", { label: "trot" });
    await pictureWhere(page, "in motion", (picture) => changedPixels(rest, picture) > 300);
    await page.click("#play-button");
    expect(await page.getAttribute("#play-button", "aria-label")).toBe("Play");
    await page.locator("#scrub").fill("0.25");
    const quarter = await stillPicture(page);
    expect(changedPixels(quarter, await viewPicture(page))).toBe(0);
    await page.locator("#scrub").fill("0.75");
    await pictureUnlike(page, quarter, 300);
    await page.locator("#scrub").fill("0.25");
    await pictureLike(page, quarter, 20);
    // At a quarter of the speed a second of playing advances a quarter of a second, or less if it stalls.
    await page.selectOption("#speed", "0.25");
    await page.locator("#scrub").fill("0");
    const { share, seconds } = await page.evaluate(async () => {
      const play = document.getElementById("play-button")!;
      const scrub = document.getElementById("scrub") as HTMLInputElement;
      const began = performance.now();
      play.click();
      while (Number(scrub.value) === 0 || performance.now() - began < 300) {
        await new Promise(requestAnimationFrame);
      }
      play.click();
      return { share: Number(scrub.value), seconds: (performance.now() - began) / 1000 };
    });
    const fox = makeSample("fox");
    const { duration } = readClips(fileFromCharacter(fox, dressSample(fox))).clips[0];
    expect(share).toBeGreaterThan(0);
    expect(share * duration).toBeLessThanOrEqual(0.25 * seconds + 0.01);
  });

  test("one click rotates every joint through its range, in order", async () => {
    await page.click("#stress-button");
    expect(await page.getAttribute("#play-button", "aria-label")).toBe("Pause");
    await page.click("#play-button");
    await page.locator("#scrub").fill("0.05");
    const first = await stillPicture(page);
    await page.locator("#scrub").fill("0.4");
    const second = await pictureUnlike(page, first, 50);
    await page.locator("#scrub").fill("0.8");
    await pictureUnlike(page, second, 50);
    await page.selectOption("#clips", { label: "Still" });
  });
});

test("the quality is described in sentences", async () => {
  await waitForWords(page);
  const words = await page.locator("#quality li").allTextContents();
  expect(words[0]).toMatch(/^(Nothing stands out|[\d,]+ (vertex is|vertices are) worth a look)\.$/);
  expect(words[1]).toBe("The file to save is valid according to the Khronos validator.");
  expect(words[2]).toMatch(/the file's own weights/);
});

describe("the first five seconds", () => {
  let fresh: Page;

  beforeAll(async () => {
    fresh = await fixture.open({ at: "", viewport: { width: 1280, height: 720 } });
  });

  afterAll(async () => {
    await fresh.close();
  });

  test("shows a moving, colored character, one sentence, one image, nothing disabled", async () => {
    await fresh.waitForSelector("#badges .badge");
    const first = await pictureWhere(fresh, "coloured", (picture) => {
      return coloredPixels(picture) > 2000;
    });
    await pictureWhere(fresh, "in motion", (picture) => changedPixels(first, picture) > 300);
    expect(await fresh.textContent(".headline")).toContain("Rig any character");
    expect(await fresh.locator("#landing > img").isVisible()).toBe(true);
    const disabled = await fresh.evaluate(
      () =>
        [...document.querySelectorAll<HTMLButtonElement>("button, input, select")].filter(
          (element) => element.disabled && element.checkVisibility(),
        ).length,
    );
    expect(disabled).toBe(0);
    expect(await fresh.locator("#landing a").count()).toBeGreaterThan(1);
  });

  test("is dark until the visitor chooses, and fits its card without scrolling", async () => {
    const scheme = () =>
      fresh.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
    expect(await scheme()).toBe("dark");
    await fresh.click("#theme-button");
    expect(await scheme()).toBe("light");
    expect(await axeViolations(fresh)).toEqual([]);
    await fresh.click("#theme-button");
    expect(await scheme()).toBe("dark");
    const { scrollHeight, clientHeight } = await fresh
      .locator("#landing")
      .evaluate(({ scrollHeight, clientHeight }) => ({ scrollHeight, clientHeight }));
    expect(scrollHeight).toBeLessThanOrEqual(clientHeight);
  });

  test("before and after are one click apart", async () => {
    await fresh.waitForFunction(() => document.querySelectorAll("#binds li").length === 3);
    await fresh.locator("#scrub").fill("0.3");
    expect(await badges(fresh)).toEqual(["HeterSkin"]);
    const after = await stillPicture(fresh);
    await fresh.check("input[name=shown][value=before]", { force: true });
    expect(await badges(fresh)).toEqual(["Naive"]);
    await pictureUnlike(fresh, after, 200);
    await fresh.check("input[name=shown][value=after]", { force: true });
    // Next to the card the view is narrower than the stage: the line is where the image is cut.
    await fresh.check("input[name=arrangement][value=wipe]", { force: true });
    const [line, canvas] = await Promise.all(
      ["#wipe-line", "#canvas"].map(async (part) => (await fresh.locator(part).boundingBox())!),
    );
    const cut = Number(await fresh.getAttribute("#wipe-line", "aria-valuenow")) / 100;
    expect(line.x + line.width / 2).toBeCloseTo(canvas.x + cut * canvas.width, -1);
    await fresh.check("input[name=arrangement][value=one]", { force: true });
  });

  test("a file dragged over the page shows where to drop it", async () => {
    const shown = () => fresh.locator(".drop-here").isVisible();
    expect(await shown()).toBe(false);
    await fresh.evaluate(() => dispatchEvent(new DragEvent("dragover", { cancelable: true })));
    expect(await shown()).toBe(true);
    await fresh.evaluate(() => dispatchEvent(new DragEvent("dragleave")));
    expect(await shown()).toBe(false);
  });

  test.each([390, 720, 820, 1024, 1280, 1920, 2560])("fits a window %i wide", async (width) => {
    await fresh.setViewportSize({ width, height: 720 });
    const facts = () =>
      fresh.evaluate(() => ({
        wide: document.documentElement.scrollWidth,
        canvas: document.getElementById("canvas")!.clientWidth,
        overlaps: [
          ...document.querySelectorAll<HTMLElement>(
            ".stage-top > *, .badge, #legend, .view-tools > *, .compare-bar, .motion-bar",
          ),
        ]
          .filter((bar) => bar.checkVisibility() && bar.offsetWidth > 0)
          .map((bar) => ({ name: bar.id || bar.className, box: bar.getBoundingClientRect() }))
          .flatMap(({ name, box }, i, all) =>
            all
              .slice(i + 1)
              .filter(
                ({ box: other }) =>
                  Math.min(box.right, other.right) - Math.max(box.left, other.left) > 1 &&
                  Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top) > 1,
              )
              .map((other) => `${name}, ${other.name}`),
          ),
        cut: [...document.querySelectorAll<HTMLElement>("button, select")]
          .filter((element) => element.checkVisibility() && !element.closest("#landing"))
          .filter((element) => {
            const box = element.getBoundingClientRect();
            return box.left < -1 || box.right > innerWidth + 1;
          })
          .map((element) => element.id || element.textContent),
      }));
    const intro = await facts();
    expect(intro.wide).toBeLessThanOrEqual(width);
    expect(intro.canvas).toBeGreaterThan(Math.min(250, width / 3));
    expect(intro.cut).toEqual([]);
    expect(intro.overlaps).toEqual([]);
    await fresh.evaluate(() => document.body.classList.remove("intro"));
    await fresh.evaluate(() => {
      document.getElementById("landing")!.hidden = true;
    });
    const tools = await facts();
    expect(tools.wide).toBeLessThanOrEqual(width);
    expect(tools.canvas).toBeGreaterThan(Math.min(250, width / 3));
    expect(tools.cut).toEqual([]);
    expect(tools.overlaps).toEqual([]);
    if (width > 820) {
      const box = (await fresh.locator("#save-glb").boundingBox())!;
      expect(box.y + box.height).toBeLessThanOrEqual(720);
    }
    await fresh.evaluate(() => {
      document.body.classList.add("intro");
      document.getElementById("landing")!.hidden = false;
    });
  });

  test("a file opened while the character moves is at rest, without errors", async () => {
    await fresh.check("input[name=shown][value=after]", { force: true });
    await fresh.click("#play-button");
    const { builder } = tubeGlb({ rings: 20 });
    const content = { name: "tube.glb", mimeType: "", buffer: Buffer.from(builder.glb()) };
    await fresh.setInputFiles("#file-input", content);
    await waitForBinding(fresh, "tube.glb");
    expect(await fresh.inputValue("#clips")).toBe("-1");
    expect(fixture.faults).toEqual([]);
    await fresh.goto(fixture.address);
    await fresh.waitForSelector("#badges .badge");
  });

  test("the tools are one click away", async () => {
    await fresh.setViewportSize({ width: 1280, height: 720 });
    await fresh.click("#tools-button");
    // While the character is being bound, the button cancels instead.
    await fresh.waitForSelector("#bind-button");
    const [x, y] = await onCanvas(fresh, 0.5, 0.5);
    await fresh.mouse.click(x, y);
    expect(await fresh.locator(".joints [aria-selected=true]").count()).toBe(1);
  });
});
