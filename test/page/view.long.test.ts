/** The view and its surroundings: sides, framing, tree, brush habits, poses of the check, links, screenshots. */
import type { Page } from "playwright-core";
import { PNG } from "pngjs";
import { describe, expect, test } from "vitest";
import {
  bindNames,
  changedPixels,
  download,
  look,
  onCanvas,
  openSample,
  type PageFixture,
  pictureLike,
  pictureUnlike,
  stillPicture,
  unfold,
  waitForBinding,
} from "../helpers/page-fixture.ts";
import { usePage } from "../helpers/use-page.ts";

let fixture: PageFixture;
let page: Page;

usePage(async (opened, started) => {
  page = opened;
  fixture = started;
  await openSample(page, "fox", "heat");
  await look(page, "dominant");
});

const selected = () => page.locator(".joints [aria-selected=true]").textContent();
const row = (name: string) => page.locator(`.joints li[title="${name}"]`);

/** A screenshot of the view without the bars over it. */
async function bareView(): Promise<PNG> {
  const cover = (visibility: string) =>
    page.evaluate((visibility) => {
      for (const part of document.querySelectorAll<HTMLElement>("#stage > :not(#canvas)")) {
        part.style.visibility = visibility;
      }
    }, visibility);
  await cover("hidden");
  const picture = await stillPicture(page);
  await cover("");
  return picture;
}

/** The columns and rows of a screenshot that contain strong colors, as fractions. */
function extent({ width, height, data }: PNG): {
  left: number;
  right: number;
  top: number;
  bottom: number;
} {
  const [xs, ys]: number[][] = [[], []];
  for (let i = 0; i < width * height; i++) {
    const [r, g, b] = data.subarray(i * 4, i * 4 + 3);
    if (Math.max(r, g, b) - Math.min(r, g, b) < 90) continue;
    xs.push((i % width) / width);
    ys.push(Math.floor(i / width) / height);
  }
  const end = (values: number[], at: number) =>
    values.sort((a, b) => a - b)[Math.floor(at * (values.length - 1))];
  return {
    left: end(xs, 0.002),
    right: end(xs, 0.998),
    top: end(ys, 0.002),
    bottom: end(ys, 0.998),
  };
}

describe("the view", () => {
  test("shows its sides by buttons and keys, and the whole character between its bars", async () => {
    const usual = await stillPicture(page);
    await page.click(".view-buttons button:text-is('Side')");
    const side = await pictureUnlike(page, usual, 2000);
    await page.focus("#canvas");
    await page.keyboard.press("7");
    await pictureUnlike(page, side, 2000);
    await page.click("#frame-button");
    const box = (await page.locator("#canvas").boundingBox())!;
    const bars = await page.evaluate(() =>
      ["badges", "motion-bar"].map(
        (id) => document.getElementById(id)!.getBoundingClientRect().top,
      ),
    );
    const { left, right, top, bottom } = extent(await bareView());
    expect(left).toBeGreaterThan(0.01);
    expect(right).toBeLessThan(0.99);
    expect(top * box.height + box.y).toBeGreaterThan(bars[0]);
    expect(bottom * box.height + box.y).toBeLessThan(bars[1]);
    expect(bottom - top).toBeGreaterThan(0.3);
  });

  test("side by side nothing is cropped", async () => {
    await page.check("input[name=arrangement][value=side]", { force: true });
    const picture = await bareView();
    const { width, height, data } = picture;
    const colored = (x: number) => {
      for (let y = 0; y < height; y++) {
        const [r, g, b] = data.subarray((y * width + x) * 4, (y * width + x) * 4 + 3);
        if (Math.max(r, g, b) - Math.min(r, g, b) > 110) return true;
      }
      return false;
    };
    const middle = Math.round(width / 2);
    for (const x of [2, middle - 3, middle + 3]) expect(colored(x), `column ${x}`).toBe(false);
    // Nor covered by the buttons of the view.
    const canvas = (await page.locator("#canvas").boundingBox())!;
    const tools = (await page.locator(".share-tools").boundingBox())!;
    const { top } = extent(picture);
    expect(top * canvas.height + canvas.y).toBeGreaterThan(tools.y + tools.height);
    await page.check("input[name=arrangement][value=one]", { force: true });
  });

  test("F frames what the joint moves, Home all of it", async () => {
    await row("head").click();
    await page.focus("#canvas");
    const whole = await stillPicture(page);
    await page.keyboard.press("f");
    const near = await pictureUnlike(page, whole, 5000);
    await page.keyboard.press("Home");
    await pictureUnlike(page, near, 5000);
  });

  test("the up axis can be changed", async () => {
    const before = await stillPicture(page);
    await page.selectOption("#up-axis", "z");
    await pictureUnlike(page, before, 2000);
    await page.selectOption("#up-axis", "y");
  });

  test("? shows the keys, and Escape closes them", async () => {
    await page.focus("#canvas");
    await page.keyboard.press("?");
    await page.waitForSelector("dialog.shortcuts");
    expect(await page.textContent("dialog.shortcuts")).toContain("subtract");
    await page.keyboard.press("Escape");
    await page.waitForSelector("dialog.shortcuts", { state: "detached" });
  });
});

test("the GPU poses like the CPU", async () => {
  // If each vertex follows one joint, linear blend (GPU) and dual quaternions (CPU) agree.
  await page.selectOption("#method", "euclid");
  await page.fill("#influences", "1");
  await page.press("#influences", "Enter");
  await page.click("#bind-button");
  await page.waitForSelector('#binds .current strong:text-is("Straight distance")');
  await unfold(page, "Pose");
  const rest = await bareView();
  await page.click("#random-button");
  await pictureUnlike(page, rest, 300);
  const onCard = await bareView();
  await page.check("input[name=blend][value=dual]", { force: true });
  await stillPicture(page);
  expect(changedPixels(onCard, await bareView())).toBeLessThan(150);
  await page.check("input[name=blend][value=linear]", { force: true });
  await page.click("#reset-button");
  await page.click('#binds .bind-row:has(strong:text-is("Bone heat"))');
});

describe("the tree of joints", () => {
  test("folds, and unfolds for a joint that is chosen", async () => {
    const all = await page.locator(".joints li:visible").count();
    await row("neck").click();
    await page.focus(".joints");
    await page.keyboard.press("ArrowLeft");
    expect(await row("neck").getAttribute("aria-expanded")).toBe("false");
    const few = await page.locator(".joints li:visible").count();
    expect(few).toBeLessThan(all);
    await page.keyboard.press("ArrowRight");
    expect(await page.locator(".joints li:visible").count()).toBe(all);
    await page.keyboard.press("ArrowRight");
    expect(await selected()).toBe("head");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    expect(await selected()).toBe("neck");
  });

  test("hides a bone, shows a part alone, and reports it", async () => {
    const before = await stillPicture(page);
    await page.keyboard.press("h");
    expect(await row("neck").getAttribute("aria-label")).toContain("hidden");
    await page.keyboard.press("h");
    await page.keyboard.press("s");
    expect(await row("neck").getAttribute("aria-label")).toContain("alone");
    await pictureUnlike(page, before, 3000);
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await page.keyboard.press("Escape");
    expect(await row("neck").getAttribute("aria-label")).toBeNull();
    await pictureLike(page, before, 300);
  });

  test("highlights the surface of a row, and the row of the surface", async () => {
    const before = await stillPicture(page);
    await row("tail2").hover();
    await pictureUnlike(page, before, 50);
    const [x, y] = await onCanvas(page, 0.5, 0.5);
    await page.mouse.move(x - 3, y);
    await page.mouse.move(x, y);
    await page.waitForSelector(".joints li.hovered:not([title=tail2])");
  });

  test("truncates no name while there is room", async () => {
    await page.focus("#side-handle");
    for (let i = 0; i < 6; i++) {
      await page.keyboard.press("ArrowLeft");
      const cut = await page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>(".joints li")]
          .filter((row) => row.querySelector<HTMLElement>(".reach")!.clientWidth > 0)
          .filter((row) => {
            const head = row.querySelector<HTMLElement>(".name-head")!;
            return head.scrollWidth > head.clientWidth;
          })
          .map(({ title }) => title),
      );
      expect(cut).toEqual([]);
    }
    for (let i = 0; i < 6; i++) await page.keyboard.press("ArrowRight");
  });
});

describe("the brush", () => {
  test("picks a weight, fills, and undoes all of it", async () => {
    await unfold(page, "Touch up");
    await page.check("#paint-on");
    await page.check("#paint-through");
    const histogram = () => page.locator("#histogram").textContent();
    await page.fill("[aria-label='Brush strength']", "1");
    const before = await histogram();
    await page.click("#fill-button");
    await page.waitForFunction(
      (text) => document.getElementById("histogram")?.textContent !== text,
      before,
    );
    expect(await bindNames(page)).toContain("Bone heat, painted");
    await page.focus("#canvas");
    await page.keyboard.press("Control+z");
    await page.waitForFunction(
      (text) => document.getElementById("histogram")?.textContent === text,
      before,
    );
    const [x, y] = await onCanvas(page, 0.5, 0.5);
    await page.mouse.move(x, y);
    await page.keyboard.press("e");
    expect(await page.isChecked("input[name=brush][value=replace]")).toBe(true);
    await page.keyboard.press("f");
    const size = Number(await page.inputValue("[aria-label='Brush size']"));
    await page.mouse.move(x + 60, y);
    await page.mouse.click(x + 60, y);
    expect(Number(await page.inputValue("[aria-label='Brush size']"))).toBeGreaterThan(size);
    // The click that confirms a size does not paint.
    expect(await page.locator("#redo-button").isEnabled()).toBe(true);
    for (const id of ["#paint-through", "#paint-on"]) await page.uncheck(id);
  });
});

describe("poses of the check", () => {
  test("are shown as pictures; a click poses, a second one resets, and both are undone", async () => {
    await page.waitForSelector("#pose-strip .pose canvas");
    const count = await page.locator("#pose-strip .pose").count();
    expect(count).toBeGreaterThan(3);
    expect(count).toBeLessThanOrEqual(8);
    await page.click("#frame-button");
    const rest = await stillPicture(page);
    await page.locator("#pose-strip .pose").first().click();
    await pictureUnlike(page, rest, 1000);
    expect(await page.locator("#pose-words").textContent()).not.toBe("");
    await page.click("#pose-next");
    expect(await page.locator(".pose[aria-pressed=true]").count()).toBe(1);
    // Without a finding, the whole pose is visible.
    const before = await stillPicture(page);
    await page.locator("#pose-strip .pose:not(.faulty)").last().click();
    await pictureUnlike(page, before, 1000);
    const { left, right, top, bottom } = extent(await bareView());
    for (const edge of [left, top, 1 - right, 1 - bottom]) expect(edge).toBeGreaterThan(0.01);
    expect(bottom - top + right - left).toBeGreaterThan(0.25);
    // Different weights are checked in the same pose.
    await page.click("#refine-button");
    await page.waitForSelector("#binds .current strong:text-is('Bone heat, cleaned')");
    await page.waitForSelector(".pose[aria-pressed=true]");
    await page.click("#binds .bind-row:has(strong:text-is('Bone heat'))");
    await page.waitForSelector(".pose[aria-pressed=true]");
    await page.click("#pose-rest");
    expect(await page.locator(".pose[aria-pressed=true]").count()).toBe(0);
    await page.click("#frame-button");
    const again = await stillPicture(page);
    expect(changedPixels(rest, again)).toBeLessThan(300);
  });
});

describe("sharing", () => {
  test("the address describes the view: sample, look, joint, view, motion and camera", async () => {
    await page.check("input[name=arrangement][value=wipe]", { force: true });
    await page.selectOption("#clips", { label: "trot" });
    await page.click("#play-button");
    await row("tail1").click();
    await page.waitForFunction(() => /joint=tail1/.test(location.search));
    const said = new URLSearchParams(new URL(page.url()).search);
    expect(said.get("open")).toBe("fox");
    expect(said.get("view")).toBe("wipe");
    expect(said.get("motion")).toBe("trot");
    const other = await fixture.open({ at: `?${said}` });
    await waitForBinding(other, "fox");
    expect(await other.locator(".joints [aria-selected=true]").textContent()).toBe("tail1");
    const lookOf = (on: Page) => on.locator("input[name=look]:checked").inputValue();
    expect(await lookOf(other)).toBe(await lookOf(page));
    expect(await lookOf(other)).not.toBe("plain");
    expect(await other.isChecked("input[name=arrangement][value=wipe]")).toBe(true);
    expect(await other.inputValue("#clips")).toBe(await page.inputValue("#clips"));
    await other.close();
  });

  test("Back opens the previous sample", async () => {
    await openSample(page, "fish", "heat");
    await page.waitForFunction(() => /open=fish/.test(location.search));
    await page.goBack();
    await waitForBinding(page, "fox");
  });

  test("a screenshot has no ground, and a clip is a video", async () => {
    await page.check("input[name=arrangement][value=one]", { force: true });
    await page.selectOption("#clips", { label: "Still" });
    await page.click("#frame-button");
    const before = await bareView();
    const { name, bytes } = await download(page, "#picture-button");
    expect(changedPixels(before, await bareView())).toBeLessThan(20);
    expect(name).toBe("fox.png");
    const picture = PNG.sync.read(Buffer.from(bytes));
    expect(picture.data[3]).toBe(0);
    const filled = picture.data.filter((value, i) => i % 4 === 3 && value > 250).length;
    expect(filled).toBeGreaterThan(0.02 * picture.width * picture.height);
    const film = await download(page, "#clip-button");
    expect(film.name).toBe("fox.webm");
    // The magic of Matroska files.
    expect([...film.bytes.subarray(0, 4)]).toEqual([0x1a, 0x45, 0xdf, 0xa3]);
  });
});
