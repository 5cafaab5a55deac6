/** Names of the weights that are shown, binds that are kept and compared, and unsaved work. */
import { writeFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { makeSample } from "../../samples/index.ts";
import { writeCharacterFile } from "../../src/disk/character-files.ts";
import { fileFromCharacter } from "../../src/formats/file-from-character.ts";
import { readCharacter } from "../../src/formats/index.ts";
import { tubeGlb } from "../helpers/glb-builder.ts";
import {
  badges,
  bindNames,
  bindNextBy,
  clickSample,
  download,
  onCanvas,
  openSample,
  type PageFixture,
  pictureLike,
  pictureUnlike,
  pictureWhere,
  stillPicture,
  unfold,
  waitForBinding,
  waitForRest,
  waitForWords,
} from "../helpers/page-fixture.ts";
import { useFolder } from "../helpers/run-cli.ts";
import { usePage } from "../helpers/use-page.ts";

const folder = useFolder();
const FILE = "The file's own weights";
let fixture: PageFixture;
let page: Page;

usePage(async (opened, started) => {
  page = opened;
  fixture = started;
  await openSample(page, "fish", "heat");
});

async function bindBy(method: string, title: string): Promise<void> {
  await page.selectOption("#method", method);
  await page.click("#bind-button");
  await page.waitForFunction(
    (title) => document.querySelector("#binds .current strong")?.textContent === title,
    title,
  );
  await waitForRest(page);
}

async function choose(name: string): Promise<void> {
  await page.click(`#binds .bind-row:has(strong:text-is("${name}"))`);
}

async function arrange(value: "one" | "side" | "wipe"): Promise<void> {
  await page.check(`input[name=arrangement][value=${value}]`, { force: true });
}

/** A short stroke around a position on the canvas. */
async function stroke(across: number, down: number): Promise<void> {
  const [x, y] = await onCanvas(page, across, down);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 12, y + 6, { steps: 3 });
  await page.mouse.up();
}

async function inspected(across: number, down: number): Promise<string> {
  const [x, y] = await onCanvas(page, across, down);
  await page.mouse.move(x - 3, y);
  await page.mouse.move(x, y);
  await page.waitForFunction(() => !document.getElementById("inspector")?.hidden);
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
  return (await page.textContent("#inspector"))!;
}

test("the view and the save button always name the weights", async () => {
  expect(await badges(page)).toEqual(["Bone heat"]);
  expect(await page.textContent("#save-glb")).toBe("Save GLB: Bone heat");
  expect(await bindNames(page)).toEqual([FILE, "Bone heat"]);
  await choose(FILE);
  expect(await badges(page)).toEqual([FILE]);
  expect(await page.textContent("#save-glb")).toBe(`Save GLB: ${FILE}`);
  const { name, bytes } = await download(page, "#save-glb");
  const own = makeSample("fish").weights!;
  const { weights } = (await readCharacter({ name, bytes })).character;
  expect(weights!.weights.length / weights!.influences).toBe(own.weights.length / own.influences);
  expect([...weights!.joints.slice(0, 200)]).toEqual([...own.joints.slice(0, 200)]);
  await choose("Bone heat");
});

test("without a bind, the file's own weights are shown under their name", async () => {
  const other = await fixture.open({}, "**/models/**");
  await other.waitForSelector(".alert");
  await clickSample(other, "fish");
  await other.waitForSelector("#binds li");
  expect(await badges(other)).toEqual([FILE]);
  expect(await other.textContent("#save-glb")).toBe(`Save GLB: ${FILE}`);
  await other.close();
});

describe("binds are kept", () => {
  test("each with its options, and any two can be compared", async () => {
    await bindBy("hollow", "HollowDist");
    expect(await bindNames(page)).toEqual([FILE, "Bone heat", "HollowDist"]);
    expect(await page.locator("#binds .note").nth(2).textContent()).toMatch(
      /^4 joints per vertex; \d+/,
    );
    await page.click(`[aria-label="Compare with Bone heat"]`);
    expect(await badges(page)).toEqual(["Bone heat", "HollowDist"]);
    await page.click(`[aria-label="Compare with ${FILE}"]`);
    expect(await badges(page)).toEqual([FILE, "HollowDist"]);
    await choose("Bone heat");
    expect(await badges(page)).toEqual([FILE, "Bone heat"]);
  });

  test("the line of the wipe moves by pointer and by keys", async () => {
    await arrange("wipe");
    const left = await page.locator("#wipe-line").boundingBox();
    const [x, y] = [left!.x + left!.width / 2, left!.y + left!.height / 2];
    const before = await stillPicture(page);
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x - 150, y, { steps: 4 });
    await page.mouse.up();
    const moved = await page.locator("#wipe-line").boundingBox();
    expect(moved!.x).toBeCloseTo(left!.x - 150, -1);
    await page.mouse.move(0, 0);
    await pictureUnlike(page, before, 100);
    await page.focus("#wipe-line");
    const now = Number(await page.getAttribute("#wipe-line", "aria-valuenow"));
    await page.keyboard.press("ArrowRight");
    expect(Number(await page.getAttribute("#wipe-line", "aria-valuenow"))).toBe(now + 5);
  });

  test("side by side shows the same twice, and the pointer reads the part it is in", async () => {
    await arrange("side");
    await pictureWhere(page, "one of two bodies", ({ width, height, data }) => {
      const filled = [0, 0];
      for (let i = 0; i < width * height; i++) {
        const isBody = data[i * 4] > data[i * 4 + 2] + 20 || data[i * 4 + 2] > data[i * 4] + 60;
        if (isBody) filled[i % width < width / 2 ? 0 : 1]++;
      }
      return Math.min(...filled) > 500;
    });
    const rows = [await inspected(0.25, 0.5), await inspected(0.75, 0.5)];
    const vertex = (text: string) => /Vertex (\d+)/.exec(text)?.[1];
    expect(vertex(rows[0])).toBe(vertex(rows[1]));
    expect(rows[0]).not.toBe(rows[1]);
  });

  test("the brush paints the part under the pointer; the file's own weights stay", async () => {
    await unfold(page, "Touch up");
    await page.check("#paint-on");
    await stroke(0.75, 0.5);
    expect(await bindNames(page)).toEqual([FILE, "Bone heat, painted", "HollowDist"]);
    expect(await badges(page)).toEqual([FILE, "Bone heat, painted"]);
    await stroke(0.25, 0.5);
    const copy = "A copy of the file's weights, painted";
    expect(await bindNames(page)).toEqual([FILE, "Bone heat, painted", "HollowDist", copy]);
    expect(await badges(page)).toEqual([copy, "Bone heat, painted"]);
    await page.uncheck("#paint-on");
    await arrange("one");
  });

  test("weights are cleaned, and transferred from another character", async () => {
    await choose("HollowDist");
    await page.click("#refine-button");
    await page.waitForSelector('#binds .current strong:text-is("HollowDist, cleaned")');
    const fish = makeSample("fish");
    await writeCharacterFile(folder.at("twin.glb"), fileFromCharacter(fish), fish.weights!);
    await page.setInputFiles("#transfer-input", folder.at("twin.glb"));
    await page.waitForSelector('#binds .current strong:text-is("From twin")');
    expect(await bindNames(page)).toHaveLength(6);
    await page.click('[aria-label="Remove From twin"]');
    await page.click('[aria-label="Remove HollowDist, cleaned"]');
    expect(await bindNames(page)).toHaveLength(4);
  });
});

describe("painting survives", () => {
  test("binding again: the painted weights stay in the list", async () => {
    await choose("Bone heat, painted");
    await bindBy("heat", "Bone heat");
    expect(await bindNames(page)).toContain("Bone heat, painted");
    expect(await page.textContent(".notice span")).toContain("Your painted weights are kept");
    await page.click(".notice .offer");
    expect(await badges(page)).toEqual(["Bone heat, painted"]);
    await choose("Bone heat");
  });

  test("opening another file asks first, and staying keeps it", async () => {
    await clickSample(page, "mushroom");
    await page.waitForSelector("dialog.ask");
    expect(await page.textContent("#ask-question")).toContain("have not saved");
    // Opening another file replaces the question.
    const other = makeSample("robot");
    await writeCharacterFile(folder.at("other.glb"), fileFromCharacter(other), other.weights!);
    await page.setInputFiles("#file-input", folder.at("other.glb"));
    await page.waitForFunction(() =>
      document.getElementById("ask-question")?.textContent?.includes("other.glb"),
    );
    expect(await page.locator("dialog.ask").count()).toBe(1);
    await page.click("dialog.ask .quiet-button");
    expect(await bindNames(page)).toContain("Bone heat, painted");
    expect(await page.textContent("#open-name")).toContain("fish");
  });

  test("leaving the page asks first", async () => {
    const asked = page.waitForEvent("dialog");
    void page.evaluate(() => location.reload());
    const dialog = await asked;
    expect(dialog.type()).toBe("beforeunload");
    await dialog.dismiss();
    expect(await bindNames(page)).toContain("Bone heat, painted");
  });

  test("undo reverts poses as well as paint, Ctrl+Y repeats them", async () => {
    await unfold(page, "Pose");
    await page.click("#reset-button");
    await waitForWords(page);
    const rest = await stillPicture(page);
    await page.click("#random-button");
    const posed = await pictureUnlike(page, rest, 300);
    await page.keyboard.press("Control+z");
    await pictureLike(page, rest, 20);
    await page.keyboard.press("Control+y");
    await pictureLike(page, posed, 20);
    await page.keyboard.press("Control+z");
  });
});

describe("files opened in between", () => {
  test("a broken one does not disturb the bind", async () => {
    await page.selectOption("#method", "network");
    // Pressed and dropped in one task of the page: no bind is as quick as that.
    await page.evaluate(
      (bytes) => {
        document.getElementById("bind-button")!.click();
        const input = document.getElementById("file-input") as HTMLInputElement;
        const dropped = new DataTransfer();
        dropped.items.add(new File([new Uint8Array(bytes)], "broken.glb"));
        input.files = dropped.files;
        input.dispatchEvent(new Event("change"));
      },
      [...tubeGlb().builder.glb().slice(0, 300)],
    );
    await page.waitForSelector(".alert");
    expect(await page.textContent(".alert span")).toContain("broken.glb");
    await page.waitForSelector('#binds .current strong:text-is("HeterSkin")');
    await page.click(".alert button");
  });

  test("a second file replaces one that is still being read, immediately", async () => {
    // A long text FBX takes seconds to read; the second file must not wait for it.
    const long = `; FBX 7.4.0 project file\nObjects: {\n${"  Vertices: *3 { a: 0,1,2 }\n".repeat(1_500_000)}}\n`;
    writeFileSync(folder.at("long.fbx"), long);
    writeFileSync(folder.at("tube.glb"), tubeGlb({ rings: 20 }).builder.glb());
    await bindNextBy(page, "heat");
    const texts: string[] = [];
    await page.exposeFunction("noteStage", (text: string) => texts.push(text));
    await page.evaluate(() => {
      const stage = document.getElementById("stage-name")!;
      const note = (window as unknown as { noteStage(text: string): void }).noteStage;
      new MutationObserver(() => note(stage.textContent ?? "")).observe(stage, { childList: true });
    });
    await page.setInputFiles("#file-input", folder.at("long.fbx"));
    await page.waitForFunction(() =>
      document.getElementById("stage-name")?.textContent?.includes("long.fbx"),
    );
    await page.setInputFiles("#file-input", folder.at("tube.glb"));
    await page.waitForSelector("dialog.ask");
    await page.click("[data-answer=open]");
    await waitForBinding(page, "tube.glb");
    expect(await page.locator(".alert").count()).toBe(0);
    const last = texts.lastIndexOf(texts.findLast((text) => text.includes("long.fbx"))!);
    expect(texts.slice(last + 1).some((text) => text.includes("tube.glb"))).toBe(true);
  });
});
