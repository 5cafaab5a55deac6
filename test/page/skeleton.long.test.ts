/** Meshes without a skeleton, skeletons without a mesh, skeletons that do not fit, and other dead ends. */
import { writeFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { makeSample } from "../../samples/index.ts";
import { fitTemplate, meshDepth } from "../../src/fit/fit-template.ts";
import {
  fileFromCharacter,
  formatRigNetText,
  readCharacter,
  readClips,
  writeCharacter,
} from "../../src/formats/index.ts";
import { makeMotion } from "../../src/motion/motions.ts";
import { axeViolations } from "../helpers/axe-violations.ts";
import { tubeGlb } from "../helpers/glb-builder.ts";
import { objText } from "../helpers/obj-text.ts";
import {
  badges,
  bindNextBy,
  clickSample,
  download,
  onCanvas,
  openSample,
  type PageFixture,
  pictureUnlike,
  stillPicture,
  waitForBinding,
  waitForRest,
} from "../helpers/page-fixture.ts";
import { useFolder } from "../helpers/run-cli.ts";
import { usePage } from "../helpers/use-page.ts";

const folder = useFolder();
const fox = makeSample("fox");
let fixture: PageFixture;
let page: Page;

usePage(async (opened, started) => {
  page = opened;
  fixture = started;
  await bindNextBy(page, "heat");
});

async function open(...names: string[]): Promise<void> {
  await page.setInputFiles(
    "#file-input",
    names.map((name) => folder.at(name)),
  );
}

/** Writes a mesh without a skeleton, a skeleton, and the same skeleton on its back, in centimeters. */
function writeParts(): void {
  const { mesh, skeleton } = fox;
  writeFileSync(folder.at("body.obj"), objText(mesh));
  writeFileSync(folder.at("rig.txt"), formatRigNetText({ skeleton }));
  const positions = skeleton.positions.map((_, i) => {
    const at = i - (i % 3);
    const [x, y, z] = skeleton.positions.subarray(at, at + 3);
    return 100 * [x, -z, y][i % 3];
  });
  writeFileSync(folder.at("lying.txt"), formatRigNetText({ skeleton: { ...skeleton, positions } }));
}

async function openBare(): Promise<void> {
  writeParts();
  await open("body.obj");
  await page.waitForSelector("#accept-skeleton:visible");
  await page.waitForFunction(() =>
    document.getElementById("open-name")?.textContent?.startsWith("body.obj"),
  );
}

async function savedCharacter() {
  const { name, bytes } = await download(page, "#save-glb");
  return (await readCharacter({ name, bytes })).character;
}

/** The largest distance between joints of the same name. */
function farthest(a: typeof fox.skeleton, b: typeof fox.skeleton): number {
  return a.names.reduce((most, name, j) => {
    const i = b.names.indexOf(name);
    expect(i).toBeGreaterThanOrEqual(0);
    const away = [0, 1, 2].map((axis) => a.positions[j * 3 + axis] - b.positions[i * 3 + axis]);
    return Math.max(most, Math.hypot(...away));
  }, 0);
}

describe("a mesh without a skeleton", () => {
  test("receives a template in the middle of its body, chosen by its shape", async () => {
    await openBare();
    expect(await badges(page)).toEqual(["No weights yet: place the skeleton first"]);
    expect(await page.isChecked("input[name=template][value=quadruped]")).toBe(true);
    await page.check("input[name=template][value=bird]", { force: true });
    await page.waitForFunction(() =>
      document.getElementById("left")?.textContent?.includes("wing1"),
    );
    await page.check("input[name=template][value=quadruped]", { force: true });
    await page.waitForFunction(
      () => !document.getElementById("left")?.textContent?.includes("wing1"),
    );
    await page.click("#accept-skeleton");
    await waitForBinding(page, "body.obj");
    const { skeleton, weights, mesh } = await savedCharacter();
    const wanted = fitTemplate(fox.mesh, "quadruped", meshDepth(fox.mesh));
    expect(farthest(skeleton, wanted)).toBeLessThan(0.01);
    expect(weights).toBeSkinWeights(mesh.positions.length / 3, skeleton.names.length);
    expect(await page.textContent("#command")).toBe(
      "heterskin bind body.obj --method heat --skeleton template:quadruped --fit",
    );
  });

  test("a biped receives fingers and names for another program, walks at once, and can be placed again", async () => {
    writeFileSync(folder.at("statue.obj"), objText(makeSample("dancer").mesh));
    await open("statue.obj");
    await page.waitForFunction(() =>
      document.getElementById("open-name")?.textContent?.startsWith("statue.obj"),
    );
    await page.check("input[name=template][value=biped]", { force: true });
    await page.locator("[aria-label='Fingers per hand']").fill("2");
    await page.waitForSelector(".joints li[title='index1.L']");
    expect(await axeViolations(page)).toEqual([]);
    await page.selectOption("#joint-names", "mixamo");
    await page.click("#accept-skeleton");
    await waitForBinding(page, "statue.obj");
    expect(await page.textContent("#command")).toContain("--names mixamo --fingers 2");
    expect(await page.locator("#save-own").count()).toBe(0);
    expect(await page.locator("#clips option:checked").textContent()).toBe("Walk");
    await page.click("#play-button");
    const { skeleton } = await savedCharacter();
    expect(skeleton.names).toContain("mixamorig:LeftForeArm");
    expect(skeleton.names.filter((name) => /Index/.test(name)).length).toBeGreaterThan(4);
    await page.check("#with-motions");
    const { name, bytes } = await download(page, "#save-glb");
    const clips = readClips(await readCharacter({ name, bytes })).clips.map((clip) => clip.name);
    expect(clips).toContain("walk");
    await page.click("#adjust-skeleton");
    await page.waitForSelector("#accept-skeleton:visible");
    await page.focus("#canvas");
  });

  test("joints with VRM names save it as VRM", async () => {
    await page.selectOption("#joint-names", "vrm");
    await page.click("#accept-skeleton");
    await waitForBinding(page, "statue.obj");
    expect(await page.textContent("#save-own")).toBe("Save VRM: Bone heat");
    const vrm = await download(page, "#save-own");
    expect(vrm.name).toBe("statue.skinned.vrm");
    const { source, character } = await readCharacter(vrm);
    const { humanoid } = source.json.extensions!.VRMC_vrm as {
      humanoid: { humanBones: Record<string, { node: number }> };
    };
    const node = source.json.nodes![humanoid.humanBones.leftUpperArm.node];
    expect(node.name).toBe("leftUpperArm");
    expect(character.skeleton.names).toContain("leftUpperArm");
  });

  test("its joints are dragged, both sides at once, and snap to the middle", async () => {
    await openBare();
    const wanted = fitTemplate(fox.mesh, "quadruped", meshDepth(fox.mesh));
    await page.fill("input[type=search]", "hindLower.L");
    await page.fill("input[type=search]", "");
    // The selected joint is drawn in orange: its position on the screen is found by search.
    const picture = await stillPicture(page);
    let [sumX, sumY, count] = [0, 0, 0];
    for (let i = 0; i < picture.width * picture.height; i++) {
      const [r, g, b] = picture.data.subarray(i * 4, i * 4 + 3);
      // The view from the side, in a corner, also shows the joint.
      if (i % picture.width > 0.75 * picture.width && i > 0.65 * picture.width * picture.height)
        continue;
      if (r > 225 && g > 120 && g < 200 && b < 90) {
        sumX += i % picture.width;
        sumY += Math.floor(i / picture.width);
        count++;
      }
    }
    expect(count).toBeGreaterThan(10);
    const [x, y] = await onCanvas(
      page,
      sumX / count / picture.width,
      sumY / count / picture.height,
    );
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x, y + 25, { steps: 4 });
    await page.mouse.up();
    await page.click("#accept-skeleton");
    await waitForBinding(page, "body.obj");
    const { skeleton } = await savedCharacter();
    const at = (name: string, s: typeof skeleton) => {
      const j = s.names.indexOf(name);
      return Array.from(s.positions.subarray(j * 3, j * 3 + 3));
    };
    const moved = skeleton.names.filter((name) => {
      const [a, b] = [at(name, skeleton), at(name, wanted)];
      return Math.hypot(...a.map((value, axis) => value - b[axis])) > 0.01;
    });
    expect(moved.length).toBe(2);
    const [left, right] = [
      moved.find((n) => n.endsWith(".L"))!,
      moved.find((n) => n.endsWith(".R"))!,
    ];
    expect(at(left, skeleton)[0]).toBeCloseTo(-at(right, skeleton)[0], 2);
    expect(at(left, skeleton)[1]).toBeCloseTo(at(right, skeleton)[1], 2);
  });

  test.each([
    [["body.obj"], ["rig.txt"]],
    [["rig.txt"], ["body.obj"]],
  ])("uses the skeleton of a file: %j, then %j", async (first, second) => {
    writeParts();
    await page.setInputFiles("#file-input", []);
    const fresh = first[0] === "rig.txt";
    await open(...first);
    if (fresh) {
      await page.waitForSelector("dialog.ask");
      await page.click("[data-answer=next]");
      await page.waitForSelector(".notice");
    } else await page.waitForSelector("#accept-skeleton:visible");
    await open(...second);
    await waitForBinding(page, "body.obj");
    await waitForRest(page);
    const { skeleton } = await savedCharacter();
    expect(farthest(skeleton, fox.skeleton)).toBeLessThan(0.01);
  });

  test("the button uses the skeleton of a file too", async () => {
    await openBare();
    await page.setInputFiles("#skeleton-input", folder.at("rig.txt"));
    await waitForBinding(page, "body.obj");
    const { skeleton } = await savedCharacter();
    expect(farthest(skeleton, fox.skeleton)).toBeLessThan(0.01);
    // A picker that stayed open while its mesh received a skeleton, or was closed, is too late.
    await page.setInputFiles("#skeleton-input", folder.at("lying.txt"));
    expect(await page.textContent("#stage-name")).toBe("");
    expect(await page.textContent("#command")).toContain("--skeleton rig.txt");
  });

  test("a skeleton dropped on a character that has one replaces it, if the visitor agrees", async () => {
    writeParts();
    await openSample(page, "fox");
    await open("rig.txt");
    await page.waitForSelector("dialog.ask");
    await page.click("[data-answer=this]");
    await page.waitForFunction(() => document.querySelectorAll("#binds li").length === 1);
    await waitForRest(page);
    expect(farthest((await savedCharacter()).skeleton, fox.skeleton)).toBeLessThan(0.01);
    expect(await page.textContent("#command")).toContain("--skeleton rig.txt");
  });

  test("the animations of the file that gave the skeleton play at once, and are saved", async () => {
    writeParts();
    const skill = makeMotion(fox.skeleton, "walk")!;
    const rig = writeCharacter(fileFromCharacter(fox), fox.weights!, { motions: [skill] });
    writeFileSync(folder.at("moving.glb"), rig.bytes);
    await open("body.obj", "moving.glb");
    await waitForBinding(page, "body.obj");
    await page.waitForSelector("#play-button.playing");
    expect(await page.locator("#clips option:checked").textContent()).toBe("walk");
    expect(await page.isVisible("#with-motions")).toBe(false);
    await page.click("#play-button");
    const file = await readCharacter(await download(page, "#save-glb"));
    const { clips } = readClips(file);
    expect(clips.map(({ name }) => name)).toEqual(["walk"]);
    const { clips: own } = readClips(await readCharacter({ name: "moving.glb", bytes: rig.bytes }));
    expect(clips[0].channels.length).toBe(own[0].channels.length);
  });

  test("a skeleton that does not fit is reported, and aligned on request", async () => {
    writeParts();
    await open("body.obj", "lying.txt");
    await page.waitForSelector(".notice .offer");
    const sentence = await page.textContent(".notice span");
    expect(sentence).toMatch(/does not fit this mesh: only \d+ % .* Rotated and scaled, \d+ %/);
    expect(await page.locator("#accept-skeleton").isVisible()).toBe(true);
    await page.click(".notice .offer");
    await page.waitForSelector(".notice", { state: "detached" });
    await page.waitForFunction(() => document.getElementById("stage-name")?.textContent === "");
    await page.click("#accept-skeleton");
    // Until it is aligned and bound again; the previous weights may still be there.
    await waitForBinding(page, "body.obj");
    expect(await page.locator("#binds li").count()).toBe(1);
    expect(await page.textContent("#command")).toMatch(/--skeleton lying.txt --fit/);
    const { skeleton } = await savedCharacter();
    expect(farthest(skeleton, fox.skeleton)).toBeLessThan(0.15);
  });

  test("a skeleton above its mesh is in view, to be dragged", async () => {
    writeParts();
    const positions = fox.skeleton.positions.map((value, i) => value + (i % 3 === 1 ? 1.2 : 0));
    writeFileSync(
      folder.at("above.txt"),
      formatRigNetText({ skeleton: { ...fox.skeleton, positions } }),
    );
    await open("body.obj", "above.txt");
    await page.waitForSelector(".notice .offer");
    const chosen = (name: string) => page.click(`.joints li[title="${name}"]`);
    await chosen("tail1");
    const before = await stillPicture(page);
    await chosen("head");
    await pictureUnlike(page, before, 20);
    writeFileSync(folder.at("next.glb"), tubeGlb({ rings: 18 }).builder.glb());
    await open("next.glb");
    await page.click("[data-answer='open']");
    await waitForBinding(page, "next.glb");
  });
});

describe("dead ends", () => {
  test("the visitor chooses between two characters", async () => {
    writeFileSync(folder.at("a.glb"), tubeGlb({ rings: 20 }).builder.glb());
    writeFileSync(folder.at("b.glb"), tubeGlb({ rings: 24 }).builder.glb());
    await open("a.glb", "b.glb");
    await page.waitForSelector("dialog.ask");
    expect(await page.locator(".ask-choices button").count()).toBe(5);
    await page.click("[data-answer='1']");
    await waitForBinding(page, "b.glb");
    await open("a.glb", "b.glb");
    await page.waitForSelector("dialog.ask");
    await page.keyboard.press("Escape");
    await page.waitForSelector("dialog.ask", { state: "detached" });
    expect(await page.textContent("#open-name")).toContain("b.glb");
  });

  test("a folder of more than a hundred files is read completely", async () => {
    const { builder } = tubeGlb({ rings: 22 });
    builder.json.buffers[0].uri = "last.bin";
    const bin = builder.bin();
    builder.json.buffers[0].byteLength = bin.length;
    const files = { "last.gltf": JSON.stringify(builder.json), "last.bin": [...bin] };
    // Browsers return entries in batches of a hundred; a page that reads one batch misses the rest.
    await page.evaluate((files) => {
      const entry = (file: File) => ({
        isFile: true,
        file: (done: (file: File) => void) => done(file),
      });
      const pictures = Array.from({ length: 250 }, (_, i) => new File([""], `${i}.png`));
      const parts = [
        new File([files["last.gltf"]], "last.gltf"),
        new File([new Uint8Array(files["last.bin"])], "last.bin"),
      ];
      const left = [...pictures, ...parts].map(entry);
      const readEntries = (done: (entries: unknown[]) => void) => done(left.splice(0, 100));
      const folder = { isFile: false, createReader: () => ({ readEntries }) };
      const drop = new DragEvent("drop", { cancelable: true });
      const items = [{ webkitGetAsEntry: () => folder }];
      Object.defineProperty(drop, "dataTransfer", { value: { items, files: [] } });
      dispatchEvent(drop);
    }, files);
    await waitForBinding(page, "last.gltf");
  });

  test("messages contain no words of a terminal or a parser", async () => {
    writeFileSync(folder.at("bad.gltf"), '{"asset": {"version": "2.0"}, oops');
    writeFileSync(folder.at("none.glb"), "");
    for (const [name, hint] of [
      ["bad.gltf", "bad.gltf"],
      ["none.glb", "empty"],
    ]) {
      await open(name);
      await page.waitForSelector(".alert");
      const text = (await page.textContent(".alert span"))!;
      expect(text).toContain(hint);
      expect(text).not.toMatch(/--\w|heterskin |JSON|token|position \d|undefined|\bat \w+\.\w+/);
      await page.click(".alert .close");
    }
  });

  test("without WebGL the page shows a lasting message, and works", async () => {
    const script = "HTMLCanvasElement.prototype.getContext = () => null;";
    const other = await fixture.open({ script });
    await other.waitForSelector(".alert");
    expect(await other.textContent(".alert span")).toContain("WebGL");
    await bindNextBy(other, "heat");
    await clickSample(other, "fish");
    await waitForBinding(other, "fish");
    expect(await other.textContent(".alert span")).toContain("WebGL");
    const { bytes } = await download(other, "#save-glb");
    expect(bytes.length).toBeGreaterThan(1000);
    await other.close();
  });
});
