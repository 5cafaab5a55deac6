import { readFileSync, writeFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { makeSample } from "../../samples/index.ts";
import { prepareCharacter } from "../../src/character/prepare-character.ts";
import { findSymmetry } from "../../src/character/symmetry.ts";
import { formatRigNetText, readCharacter } from "../../src/formats/index.ts";
import type { SkinWeights } from "../../src/weights/skin-weights.ts";
import { fbxSevenText } from "../helpers/fbx-sample.ts";
import { tubeGlb } from "../helpers/glb-builder.ts";
import { largestDifference } from "../helpers/largest-difference.ts";
import { objText } from "../helpers/obj-text.ts";
import {
  bindNextBy,
  changedPixels,
  clickSample,
  coloredPixels,
  download,
  look,
  openSample,
  type PageFixture,
  pictureLike,
  pictureUnlike,
  pictureWhere,
  stillPicture,
  unfold,
  waitForBinding,
  waitForWords,
} from "../helpers/page-fixture.ts";
import { savedCharacter, testPageSamples } from "../helpers/page-samples.ts";
import { runCli, useFolder } from "../helpers/run-cli.ts";
import { FEW_SAMPLES } from "../helpers/small-sample.ts";
import { usePage } from "../helpers/use-page.ts";

const folder = useFolder();
let fixture: PageFixture;
/** One page for all tests without special needs: its runtime is fetched once. */
let page: Page;

usePage((opened, started) => {
  page = opened;
  fixture = started;
});

async function savedWeights(from: Page): Promise<SkinWeights> {
  return (await savedCharacter(from)).weights!;
}

async function openFiles(on: Page, names: string[]): Promise<void> {
  await on.setInputFiles(
    "#file-input",
    names.map((name) => folder.at(name)),
  );
}

describe("each sample opens, binds, shows its heat map, and is saved with the weights of bind", () => {
  testPageSamples(FEW_SAMPLES, () => page);
});

describe("with a character open", () => {
  beforeAll(async () => {
    await openSample(page, "dancer", "heat");
  });

  test("another limit on influences binds again without solving", async () => {
    await page.fill("#influences", "2");
    await page.press("#influences", "Enter");
    await page.click("#bind-button");
    await page.waitForFunction(() =>
      /reused/.test(document.getElementById("bind-result")?.textContent ?? ""),
    );
    expect(await page.locator("#histogram .bar-row").count()).toBe(2);
    // Slots that no vertex uses are dropped when the file is read.
    expect((await savedWeights(page)).influences).toBe(2);
    expect(await page.textContent("#command")).toBe(
      "heterskin bind dancer.glb --method heat --max-influences 2",
    );
    await page.fill("#influences", "4");
    await page.press("#influences", "Enter");
    await page.click("#bind-button");
    await page.waitForFunction(() => document.querySelectorAll("#histogram .bar-row").length === 4);
  });

  test("another method binds again without measuring", async () => {
    const bindBy = async (method: string, done: string) => {
      await page.selectOption("#method", method);
      await page.click("#bind-button");
      await page.waitForFunction(
        (text) => document.getElementById("bind-result")?.textContent?.includes(text),
        done,
      );
      return page.textContent("#bind-result");
    };
    expect(await bindBy("hollow", "thread")).not.toContain("distances");
    // Its distances run inside the body in a finer grid, so it has to measure those.
    expect(await bindBy("geodesic-voxel", "distances")).toContain("distances");
    await bindBy("heat", "reused");
  });

  test("a pose moves it, linear and dual quaternion differ, and reset restores the rest pose", async () => {
    await unfold(page, "Pose");
    await waitForWords(page);
    const rest = await stillPicture(page);
    await page.click("#random-button");
    const posed = await pictureUnlike(page, rest, 500);
    await page.check("input[name=blend][value=dual]", { force: true });
    await pictureUnlike(page, posed, 0);
    await page.check("input[name=blend][value=linear]", { force: true });
    await page.click("#reset-button");
    await pictureLike(page, rest, 1);
  });

  test("paint changes weights that stay valid, and undo restores them exactly", async () => {
    const before = await savedWeights(page);
    await unfold(page, "Touch up");
    await page.check("#paint-on");
    const box = (await page.locator("#canvas").boundingBox())!;
    const [x, y] = [box.x + box.width / 2, box.y + box.height * 0.55];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 25, y + 10, { steps: 3 });
    await page.mouse.up();
    await page.uncheck("#paint-on");
    const painted = await savedWeights(page);
    expect(painted).toBeSkinWeights(
      makeSample("dancer").mesh.positions.length / 3,
      makeSample("dancer").skeleton.names.length,
    );
    expect(largestDifference(before, painted)).toBeGreaterThan(0.05);
    expect(await page.locator("#undo-button").isEnabled()).toBe(true);
    await page.keyboard.press("Control+z");
    expect(largestDifference(before, await savedWeights(page))).toBe(0);
    await page.click("#redo-button");
    expect(largestDifference(painted, await savedWeights(page))).toBe(0);
    await page.click("#undo-button");
  });

  test("a mirrored character has the same weights on both sides, joints exchanged", async () => {
    await unfold(page, "Touch up");
    await page.click("#mirror-left");
    const { character } = prepareCharacter(await savedCharacter(page));
    const { partners, twins } = findSymmetry(character, 0);
    const { influences, joints, weights } = character.weights!;
    const weightOf = (v: number, joint: number) => {
      const row = joints.subarray(v * influences, (v + 1) * influences);
      const slot = row.findIndex((own, i) => own === joint && weights[v * influences + i] > 0);
      return slot < 0 ? 0 : weights[v * influences + slot];
    };
    let pairs = 0;
    partners.forEach((partner, v) => {
      if (partner < 0 || partner === v) return;
      for (let slot = v * influences; slot < (v + 1) * influences; slot++) {
        const twin = twins[joints[slot]];
        if (weights[slot] === 0 || twin < 0) continue;
        expect(Math.abs(weightOf(partner, twin) - weights[slot])).toBeLessThan(1e-3);
        pairs++;
      }
    });
    expect(pairs).toBeGreaterThan(1000);
    while (await page.locator("#undo-button").isEnabled()) await page.click("#undo-button");
  });

  test("its weights are compared with those of the file", async () => {
    await page.waitForSelector("#figures dd", { state: "attached" });
    const l1 = Number(await page.locator("#figures dd").first().textContent());
    expect(l1).toBeGreaterThan(0);
    expect(l1).toBeLessThan(2);
    await page.check("input[name=shown][value=before]", { force: true });
    const before = await stillPicture(page);
    await page.check("input[name=arrangement][value=wipe]", { force: true });
    const split = await pictureUnlike(page, before, 0);
    await page.check("input[name=arrangement][value=one]", { force: true });
    const after = await pictureUnlike(page, split, 0);
    expect(changedPixels(before, after)).toBeGreaterThan(50);
    await look(page, "dominant");
    const bones = await pictureWhere(page, "more colored than before", (picture) => {
      return coloredPixels(picture) > coloredPixels(after);
    });
    await page.click("#error-button");
    expect(coloredPixels(await pictureUnlike(page, bones, 500))).toBeGreaterThan(300);
    await look(page, "hollow");
    await pictureUnlike(page, after, 500);
    await look(page, "heat");
  });

  test("the pointer shows a vertex's weights and selects its bone", async () => {
    const box = (await page.locator("#canvas").boundingBox())!;
    const found: [heaviest: string | null, chosen: string | null][] = [];
    for (const down of [0.58, 0.6, 0.62, 0.64, 0.66]) {
      const [x, y] = [box.x + box.width / 2, box.y + box.height * down];
      await page.mouse.move(x, y);
      // A point between the legs hits nothing.
      const shown = page.waitForSelector("#inspector dd", {
        timeout: down === 0.62 ? 30_000 : 1000,
      });
      if (!(await shown.catch(() => undefined))) continue;
      const values = await page.locator("#inspector dd").allTextContents();
      expect(values.reduce((total, text) => total + Number(text), 0)).toBeCloseTo(1, 2);
      const heaviest = await page.locator("#inspector dt").first().textContent();
      await page.mouse.click(x, y);
      found.push([heaviest, await page.locator(".joints [aria-selected=true]").textContent()]);
    }
    // If a joint is drawn under the pointer, the click selects that one instead.
    const same = found.filter(([heaviest, chosen]) => heaviest === chosen);
    expect(same.length, JSON.stringify(found)).toBeGreaterThanOrEqual(1);
  });

  test("the keyboard reaches the joints, the view and every step", async () => {
    await page.focus("input[type=search]");
    await page.keyboard.type("hand.l");
    expect(await page.locator(".joints [aria-selected=true]").textContent()).toBe("hand.L");
    await page.fill("input[type=search]", "");
    await page.focus(".joints");
    await page.keyboard.press("ArrowDown");
    expect(await page.locator(".joints [aria-selected=true]").textContent()).toBe("thumb.L");
    const before = await stillPicture(page);
    await page.focus("#canvas");
    await page.keyboard.press("ArrowRight");
    await pictureUnlike(page, before, 500);
    await page.keyboard.press("Home");
    const unnamed = await page.evaluate(() =>
      [...document.querySelectorAll("button, input, select, canvas[tabindex]")]
        .filter((element) => element.checkVisibility())
        .filter((element) => {
          const { labels } = element as HTMLInputElement;
          const text = `${element.textContent}${element.getAttribute("aria-label") ?? ""}`;
          return text.trim() === "" && !(labels && labels.length > 0);
        })
        .map((element) => element.outerHTML),
    );
    expect(unnamed).toEqual([]);
  });

  test("the report describes the bind", async () => {
    await waitForWords(page);
    await page.click("#save-bar summary");
    const { bytes } = await download(page, "#save-report");
    const report = JSON.parse(new TextDecoder().decode(bytes));
    expect(report.check.ok).toBe(true);
    expect(report.method).toBe("heat");
    expect(report.input.joints).toBe(makeSample("dancer").skeleton.names.length);
    expect(report.score.l1).toBeGreaterThan(0);
  });
});

describe("generated files receive the weights of the command line", () => {
  /** Binds files in the page and by the command, and compares. */
  async function agrees(names: string[], main: string, skeleton?: string): Promise<void> {
    await bindNextBy(page, "heat");
    await openFiles(page, names);
    await waitForBinding(page, main);
    const more = skeleton ? ["--skeleton", folder.at(skeleton)] : [];
    const args = ["bind", folder.at(main), folder.at("cli.glb"), "--method", "heat", ...more];
    const run = await runCli(...args);
    expect(run.stderr).toBe("");
    const bytes = readFileSync(folder.at("cli.glb"));
    const wanted = await readCharacter({ name: "cli.glb", bytes: new Uint8Array(bytes) });
    const saved = await savedWeights(page);
    expect(largestDifference(saved, wanted.character.weights!)).toBeLessThan(1e-3);
  }

  test("a VRM keeps its extension and plays its animation", async () => {
    const { builder } = tubeGlb({ rings: 40 });
    builder.json.extensionsUsed = ["VRMC_vrm"];
    builder.json.extensions = { VRMC_vrm: { specVersion: "1.0", humanoid: { humanBones: {} } } };
    const half = Math.SQRT1_2;
    builder.json.animations = [
      {
        name: "bend",
        channels: [{ sampler: 0, target: { node: 4, path: "rotation" } }],
        samplers: [
          {
            input: builder.add(Float32Array.of(0, 0.5, 1), "SCALAR", { min: [0], max: [1] }),
            output: builder.add(Float32Array.of(0, 0, 0, 1, half, 0, 0, half, 0, 0, 0, 1), "VEC4"),
          },
        ],
      },
    ];
    writeFileSync(folder.at("avatar.vrm"), builder.glb());
    await agrees(["avatar.vrm"], "avatar.vrm");
    const { name, bytes } = await download(page, "#save-own");
    expect(name).toBe("avatar.skinned.vrm");
    const { source } = await readCharacter({ name, bytes });
    expect(source.json.extensions).toHaveProperty("VRMC_vrm");
    expect(source.json.animations).toHaveLength(1);
    const rest = await stillPicture(page);
    await page.selectOption("#clips", { label: "bend" });
    await pictureWhere(page, "in motion", (picture) => changedPixels(rest, picture) > 200);
    await page.selectOption("#clips", { label: "Still" });
  });

  test("a .gltf with its buffer", async () => {
    const { builder } = tubeGlb({ rings: 30, isScaled: true });
    builder.json.buffers[0].uri = "tube data.bin";
    const bin = builder.bin();
    builder.json.buffers[0].byteLength = bin.length;
    writeFileSync(folder.at("tube.gltf"), JSON.stringify(builder.json));
    writeFileSync(folder.at("tube data.bin"), bin);
    await agrees(["tube data.bin", "tube.gltf"], "tube.gltf");
  });

  test("an .obj with its skeleton in a text", async () => {
    const { mesh, skeleton } = makeSample("mushroom");
    writeFileSync(folder.at("body.obj"), objText(mesh));
    writeFileSync(folder.at("rig.txt"), formatRigNetText({ skeleton }));
    await agrees(["rig.txt", "body.obj"], "body.obj", "rig.txt");
  });

  test("the gallery opened while a file is bound stays open", async () => {
    writeFileSync(folder.at("waits.glb"), tubeGlb({ rings: 20 }).builder.glb());
    await bindNextBy(page, "heat");
    // Pressed as soon as its name appears: no bind is as quick as that.
    await page.evaluate(() => {
      const name = document.getElementById("open-name")!;
      const watch = new MutationObserver(() => {
        if (!name.textContent?.startsWith("waits")) return;
        watch.disconnect();
        document.getElementById("samples-button")!.click();
      });
      watch.observe(name, { childList: true, characterData: true, subtree: true });
    });
    await openFiles(page, ["waits.glb"]);
    await waitForBinding(page, "waits");
    await waitForWords(page);
    expect(await page.locator("#landing").isVisible()).toBe(true);
    await page.click("#samples-button");
  });

  test("an .fbx", async () => {
    writeFileSync(folder.at("square.fbx"), fbxSevenText());
    await agrees(["square.fbx"], "square.fbx");
    const wanted = await savedWeights(page);
    const { name, bytes } = await download(page, "#save-own");
    expect(name).toBe("square.skinned.fbx");
    const { character, format } = await readCharacter({ name, bytes });
    expect(format).toBe("fbx");
    expect(largestDifference(character.weights!, wanted)).toBeLessThan(1e-6);
  });
});

describe("errors are reported, and the page keeps working", () => {
  async function alertText(): Promise<string> {
    await page.waitForSelector(".alert:not(.notice)");
    const text = await page.locator(".alert span").textContent();
    await page.click(".alert button");
    return text ?? "";
  }

  test("a bad file is reported in the words of the command line", async () => {
    const bytes = tubeGlb().builder.glb().slice(0, 400);
    writeFileSync(folder.at("cut.glb"), bytes);
    const sentence = await readCharacter({ name: "cut.glb", bytes }).catch(
      (error: Error) => error.message,
    );
    await openFiles(page, ["cut.glb"]);
    expect(await alertText()).toBe(sentence);
    writeFileSync(folder.at("notes.doc"), "hello");
    await openFiles(page, ["notes.doc"]);
    expect(await alertText()).toContain("None of these files is a character");
    writeFileSync(folder.at("notes.txt"), "hello");
    await openFiles(page, ["notes.txt"]);
    expect(await alertText()).toContain("notes.txt is not a skeleton");
  });

  test("a file of 200 MB that is not a character", async () => {
    await page.evaluate(() => {
      const input = document.getElementById("file-input") as HTMLInputElement;
      const files = new DataTransfer();
      files.items.add(new File([new Uint8Array(200 * 2 ** 20)], "huge.fbx"));
      input.files = files.files;
      input.dispatchEvent(new Event("change", { bubbles: true }));
    });
    expect(await alertText()).toContain("huge.fbx");
  });

  test("a bind can be cancelled and started again, and frames are drawn in the meantime", async () => {
    await openSample(page, "fish", "heat");
    await page.selectOption("#method", "network");
    // Pressed as soon as it appears: no bind is as quick as that.
    const wasOffered = await page.evaluate(async () => {
      const [bind, cancel] = ["bind-button", "cancel-button"].map(
        (id) => document.getElementById(id)!,
      );
      bind.click();
      await new Promise((done) => setTimeout(done));
      const isOffered = cancel.checkVisibility();
      cancel.click();
      return isOffered;
    });
    expect(wasOffered).toBe(true);
    await page.waitForSelector("#bind-button:visible");
    expect(await page.locator("#binds .current strong").textContent()).toBe("Bone heat");
    // No error is shown even if the network was still loading.
    expect(await page.locator(".alert").count()).toBe(0);
    await page.evaluate(() => {
      const counted = { frames: 0 };
      Object.assign(window, { counted });
      const step = () => {
        counted.frames++;
        requestAnimationFrame(step);
      };
      requestAnimationFrame(step);
    });
    await page.click("#bind-button");
    await page.waitForFunction(() =>
      document.getElementById("bind-result")?.textContent?.includes("WebAssembly"),
    );
    const frames = await page.evaluate(
      () => (window as unknown as { counted: { frames: number } }).counted.frames,
    );
    // A bind in the page's own thread would allow two frames: one before it and one after.
    expect(frames).toBeGreaterThan(5);
  });

  test("a lost WebGL context is reported, and the view returns with it", async () => {
    // "Difference", over the view, is available once the weights are compared.
    await waitForWords(page);
    const before = await stillPicture(page);
    await page.evaluate(() => {
      const canvas = document.getElementById("canvas") as HTMLCanvasElement;
      const control = canvas.getContext("webgl2")!.getExtension("WEBGL_lose_context")!;
      Object.assign(window, { restoreCard: () => control.restoreContext() });
      control.loseContext();
    });
    await page.waitForSelector(".alert");
    await page.evaluate(() => (window as unknown as { restoreCard(): void }).restoreCard());
    await page.waitForSelector(".alert", { state: "detached" });
    await pictureLike(page, before, 50);
  });

  test("without its worker the page still opens files and reports why it does not bind", async () => {
    const other = await fixture.open({}, "**/assets/bind-worker*");
    await other.waitForSelector(".alert");
    expect(await other.locator(".alert span").textContent()).toContain("worker");
    await clickSample(other, "fish");
    await other.waitForFunction(() =>
      document.getElementById("open-name")?.textContent?.startsWith("fish"),
    );
    await other.close();
  });

  test("without the network's files the other methods work", async () => {
    const other = await fixture.open({}, "**/models/**");
    await other.waitForSelector(".alert");
    await openSample(other, "fish", "heat");
    await other.close();
  });
});

test("fits a phone and follows the system's colors", async () => {
  const phone = await fixture.open({
    viewport: { width: 400, height: 800 },
    colorScheme: "dark",
  });
  await openSample(phone, "robot", "heat");
  const facts = await phone.evaluate(() => ({
    width: document.documentElement.scrollWidth,
    background: getComputedStyle(document.documentElement).backgroundColor,
  }));
  expect(facts.width).toBeLessThanOrEqual(400);
  const darkness = facts.background.match(/\d+/g)!.slice(0, 3).map(Number);
  expect(Math.max(...darkness)).toBeLessThan(80);
  await phone.click("#theme-button");
  const light = await phone.evaluate(
    () => getComputedStyle(document.documentElement).backgroundColor,
  );
  expect(Math.min(...light.match(/\d+/g)!.slice(0, 3).map(Number))).toBeGreaterThan(200);
  await phone.close();
});

test("is small: the page itself, and the files it fetches in the background, compressed", async () => {
  const files = (await readdir("app/dist", { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    // The characters of the gallery have a separate limit.
    .filter((file) => !/[\\/]samples[\\/]/.test(file));
  let bytes = 0;
  for (const file of files) bytes += gzipSync(await readFile(file)).length;
  expect(bytes).toBeLessThan(1.5e6);
  const runtime = path.resolve("runtime");
  const largest = gzipSync(
    await readFile(path.join(runtime, "ort-wasm-simd-threaded.asyncify.wasm")),
    { level: 3 },
  );
  const model = gzipSync(await readFile("models/heterskin.onnx"), { level: 3 });
  expect(largest.length + model.length).toBeLessThan(14e6);
});

test("sends no request to other hosts, obeys its policy, and logs no errors", async () => {
  expect(fixture.strangers).toEqual([]);
  expect(fixture.faults).toEqual([]);
  const { headers } = await fetch(fixture.address);
  expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(headers.get("cross-origin-embedder-policy")).toBe("require-corp");
  const outside = await fetch(`${fixture.address}..%2f..%2fpackage.json`);
  expect(outside.status).toBe(404);
});
