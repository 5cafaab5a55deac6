/** The tools: the brush, the list of joints, doubts, symmetry, keyboard and screen readers, speed. */
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { makeSample } from "../../samples/index.ts";
import { subdivideCharacter } from "../../src/character/subdivide-character.ts";
import { writeCharacterFile } from "../../src/disk/character-files.ts";
import { fileFromCharacter } from "../../src/formats/file-from-character.ts";
import { readCharacter } from "../../src/formats/index.ts";
import { axeViolations } from "../helpers/axe-violations.ts";
import {
  badges,
  bindNames,
  bindNextBy,
  clickSample,
  download,
  onCanvas,
  openSample,
  type PageFixture,
  pictureUnlike,
  stillPicture,
  unfold,
  waitForBinding,
  waitForRest,
  waitForWords,
} from "../helpers/page-fixture.ts";
import { useFolder } from "../helpers/run-cli.ts";
import { usePage } from "../helpers/use-page.ts";

const folder = useFolder();
let fixture: PageFixture;
let page: Page;

usePage(async (opened, started) => {
  page = opened;
  fixture = started;
  await openSample(page, "fox", "heat");
  await page.waitForFunction(
    () => !document.querySelector<HTMLInputElement>("#paint-both")?.disabled,
  );
});

async function value(label: string): Promise<number> {
  return Number(await page.inputValue(`[aria-label="${label}"]`));
}

/** Presses a pen on the canvas with a pressure, and lifts it. */
async function penStroke(across: number, down: number, pressure: number): Promise<void> {
  const [x, y] = await onCanvas(page, across, down);
  await page.evaluate(
    ([x, y, pressure]) => {
      const canvas = document.getElementById("canvas")!;
      canvas.setPointerCapture = canvas.releasePointerCapture = () => undefined;
      const at = { clientX: x, clientY: y, pointerId: 7, pointerType: "pen", bubbles: true };
      const send = (type: string, button: number) =>
        canvas.dispatchEvent(new PointerEvent(type, { ...at, button, pressure }));
      send("pointerdown", 0);
      send("pointermove", -1);
      send("pointerup", 0);
    },
    [x, y, pressure],
  );
}

describe("the brush", () => {
  beforeAll(async () => {
    await unfold(page, "Touch up");
  });

  test("has a ring on the surface, and keys for on and off, size and strength", async () => {
    await page.focus("#canvas");
    await page.keyboard.press("b");
    expect(await page.isChecked("#paint-on")).toBe(true);
    const [x, y] = await onCanvas(page, 0.55, 0.4);
    await page.mouse.move(x - 40, y);
    await page.mouse.move(x, y);
    const small = await stillPicture(page);
    const size = await value("Brush size");
    for (let i = 0; i < 6; i++) await page.keyboard.press("]");
    expect(await value("Brush size")).toBe(size + 6);
    await page.mouse.move(x + 1, y);
    await pictureUnlike(page, small, 30);
    await page.keyboard.press("[");
    expect(await value("Brush size")).toBe(size + 5);
    const strength = await value("Brush strength");
    await page.keyboard.press("}");
    expect(await value("Brush strength")).toBeCloseTo(strength + 0.05);
    await page.keyboard.press("{");
  });

  test("follows the pressure of the pen", async () => {
    const weights = async () => {
      const { name, bytes } = await download(page, "#save-glb");
      return (await readCharacter({ name, bytes })).character.weights!.weights;
    };
    const before = await weights();
    const change = (after: Float32Array) =>
      after.reduce((sum, value, i) => sum + Math.abs(value - before[i]), 0);
    await penStroke(0.55, 0.4, 0.1);
    const light = change(await weights());
    await page.keyboard.press("Control+z");
    await penStroke(0.55, 0.4, 1);
    const hard = change(await weights());
    await page.keyboard.press("Control+z");
    expect(light).toBeGreaterThan(0);
    expect(hard).toBeGreaterThan(3 * light);
  });

  test("shows the plane of symmetry while it paints both sides", async () => {
    const without = await stillPicture(page);
    await page.check("#paint-both");
    await pictureUnlike(page, without, 500);
    await page.uncheck("#paint-both");
    await page.focus("#canvas");
    await page.keyboard.press("Escape");
    expect(await page.isChecked("#paint-on")).toBe(false);
  });

  test("paints with the first stroke on a large mesh", async () => {
    const other = await fixture.open();
    const large = subdivideCharacter(subdivideCharacter(makeSample("fish")));
    await writeCharacterFile(folder.at("large.glb"), fileFromCharacter(large), large.weights!);
    await bindNextBy(other, "euclid");
    await other.setInputFiles("#file-input", folder.at("large.glb"));
    await waitForBinding(other, "large");
    await waitForRest(other);
    await unfold(other, "Touch up");
    await other.check("#paint-on");
    const [x, y] = await onCanvas(other, 0.5, 0.45);
    await other.mouse.move(x, y);
    await other.evaluate(
      ([x, y]) => {
        const canvas = document.getElementById("canvas")!;
        canvas.setPointerCapture = canvas.releasePointerCapture = () => undefined;
        const at = { clientX: x, clientY: y, pointerId: 7, pointerType: "mouse", bubbles: true };
        canvas.dispatchEvent(new PointerEvent("pointerdown", { ...at, button: 0 }));
        canvas.dispatchEvent(new PointerEvent("pointerup", { ...at, button: 0 }));
      },
      [x, y],
    );
    expect(await bindNames(other)).toContain("Straight distance, painted");
    await other.close();
  });
});

describe("the list of joints", () => {
  test("folds the common prefix of names, and shows their ends", async () => {
    const fish = makeSample("fish");
    const names = fish.skeleton.names.map((name) => `mixamorig:ARatherLongNamespace_${name}`);
    const renamed = { ...fish, skeleton: { ...fish.skeleton, names } };
    await writeCharacterFile(folder.at("long.glb"), fileFromCharacter(renamed), fish.weights!);
    await page.setInputFiles("#file-input", folder.at("long.glb"));
    await waitForBinding(page, "long");
    expect(await page.textContent("#joint-prefix")).toContain("mixamorig:ARatherLongNamespace_");
    const first = page.locator(".joints li").first();
    expect(await first.textContent()).toBe("spine1");
    expect(await first.getAttribute("title")).toBe("mixamorig:ARatherLongNamespace_spine1");
    const tails = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>(".name-tail")].every(
        (tail) => tail.scrollWidth <= tail.clientWidth + 1,
      ),
    );
    expect(tails).toBe(true);
  });

  test("is searched, navigated and locked by keys", async () => {
    await page.fill("input[type=search]", "dorsal");
    expect(await page.locator(".joints li:visible").count()).toBe(2);
    await page.focus(".joints");
    await page.keyboard.press("End");
    expect(await page.locator(".joints [aria-selected=true]").textContent()).toBe("dorsalTip");
    await page.keyboard.press("l");
    expect(await page.locator(".joints .locked").count()).toBe(1);
    expect(await page.getAttribute(".joints .locked", "aria-label")).toContain("locked");
    await page.keyboard.press("l");
    expect(await page.locator(".joints .locked").count()).toBe(0);
    await page.fill("input[type=search]", "");
  });

  test("can be made wider", async () => {
    const width = async () => (await page.locator("#left").boundingBox())!.width;
    const before = await width();
    await page.focus("#side-handle");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    expect(await width()).toBeCloseTo(before + 40, 0);
  });
});

describe("doubts", () => {
  test("are grammatical, without noise, and fly the camera there", async () => {
    await openSample(page, "dragon", "heat");
    await page.waitForSelector("#doubts li button");
    const texts = await page.locator("#doubts li").allTextContents();
    for (const text of texts) {
      expect(text).toMatch(/^([\d,]+ vertices at \S+ are|1 vertex at \S+ is|\S+ is) [a-z]/);
    }
    const fewest = (0.002 * makeSample("dragon").mesh.positions.length) / 3;
    for (const text of texts.filter((text) => text.includes("vertices"))) {
      expect(Number(text.split(" ")[0].replace(",", ""))).toBeGreaterThanOrEqual(fewest);
    }
    const before = await stillPicture(page);
    await page.locator("#doubts li button").first().click();
    await pictureUnlike(page, before, 5000);
    await page.focus("#canvas");
    await page.keyboard.press("Home");
  });

  test("are few for the mushroom", async () => {
    await openSample(page, "mushroom", "heat");
    await page.waitForFunction(
      () => document.querySelector("#quality li")?.textContent !== "Reviewing …",
    );
    const [first] = await page.locator("#quality li").allTextContents();
    const count = Number(/^[\d,]+/.exec(first)?.[0].replace(",", "") ?? 0);
    expect(count).toBeLessThan((0.1 * makeSample("mushroom").mesh.positions.length) / 3);
  });
});

test("a symmetric character is recognized, and bound either way", async () => {
  await openSample(page, "robot", "network");
  await page.waitForFunction(() =>
    /is symmetric: both sides/.test(document.getElementById("symmetry-note")?.textContent ?? ""),
  );
  expect(await page.isChecked("#symmetry")).toBe(true);
  await page.uncheck("#symmetry");
  // Like all options it takes effect with the button.
  expect(await page.textContent("#stage-name")).toBe("");
  await page.click("#bind-button");
  await page.waitForFunction(() => document.querySelectorAll("#binds li").length === 3);
  expect(await page.locator("#binds .current .note").textContent()).toContain("sides separately");
  expect(await badges(page)).toEqual(["HeterSkin"]);
  await page.check("#symmetry");
  await waitForRest(page);
});

describe("for everyone", () => {
  test.each(["light", "dark"] as const)("axe finds no serious issue, %s", async (colorScheme) => {
    // Colors that fade from one scheme to the other have low contrast.
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.evaluate(() => {
      for (const details of document.querySelectorAll("details")) details.open = true;
    });
    // A joint that is hidden and locked.
    const mark = async () => {
      await page.focus(".joints");
      for (const key of ["h", "l"]) await page.keyboard.press(key);
    };
    await mark();
    expect(await axeViolations(page)).toEqual([]);
    await mark();
    await page.click("#samples-button");
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    expect(await page.locator("#landing").isHidden()).toBe(true);
    await page.click("#shortcuts-button");
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press("Escape");
  });

  test("the focus moves through the page in reading order", async () => {
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await page.focus("#open-button");
    const parts: string[] = [];
    for (let i = 0; i < 40; i++) {
      const part = await page.evaluate(() => {
        const element = document.activeElement;
        return (
          element?.closest(".top, #left, #side-handle, #stage, #right, #right-foot")?.id ||
          (element?.closest(".top") ? "top" : "")
        );
      });
      if (part && parts.at(-1) !== part) parts.push(part);
      await page.keyboard.press("Tab");
    }
    expect(parts.slice(0, 5)).toEqual(["top", "left", "side-handle", "stage", "right"]);
  });
});

describe("speed", () => {
  test("a first visit requests same-origin files only, at most 6 MB, the network before any file", async () => {
    const fresh = await fixture.open({ at: "icon.svg" });
    const sentBefore = fixture.sent();
    const methods = new Set<string>();
    const paths = new Set<string>();
    fresh.on("request", (request) => {
      methods.add(request.method());
      paths.add(new URL(request.url()).pathname);
    });
    await fresh.goto(`${fixture.address}?open=nothing`);
    await fresh.waitForSelector("#runtime:text-is('Network ready')");
    const early = [...paths];
    expect(early.some((path) => path.endsWith("heterskin.onnx"))).toBe(true);
    expect(early.some((path) => path.endsWith("simd-threaded.wasm"))).toBe(true);
    await openSample(fresh, "fish");
    await waitForWords(fresh);
    const total = fixture.sent() - sentBefore;
    expect(total).toBeGreaterThan(3e6);
    expect(total).toBeLessThan(6e6);
    expect([...methods]).toEqual(["GET"]);
    expect(fixture.strangers).toEqual([]);
    await fresh.close();
  });

  test("a closed tab leaves nothing behind, and the next one starts fresh", async () => {
    const closing = await fixture.open();
    await clickSample(closing, "fish");
    await closing.waitForFunction(() =>
      document.getElementById("open-name")?.textContent?.includes("fish"),
    );
    await closing.close();
    const next = await fixture.open();
    expect(await next.textContent("#open-name")).toBe("Nothing is open.");
    await openSample(next, "fish", "heat");
    await next.close();
  });

  test("a lost adapter is ignored: the network runs in WebAssembly", async () => {
    const script = `
      const adapter = { info: {}, features: new Set(), limits: {}, requestDevice: () => Promise.reject(new Error("lost")) };
      Object.defineProperty(navigator, "gpu", { value: { requestAdapter: async () => adapter } });`;
    const other = await fixture.open({ script });
    await openSample(other, "fish");
    expect(await other.textContent("#bind-result")).toContain("WebAssembly");
    await other.close();
  });
});
