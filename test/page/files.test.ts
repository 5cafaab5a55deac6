/** Files as people have them: in ZIPs, without their images, in several formats; and the page's messages. */
import { writeFileSync } from "node:fs";
import { strToU8, zipSync } from "fflate";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { unzip } from "../../app/src/unzip.ts";
import { inputFromFiles, parseWeights, readCharacter } from "../../src/formats/index.ts";
import { takeWeights } from "../../src/weights/skin-weights.ts";
import { tubeGlb } from "../helpers/glb-builder.ts";
import { largestDifference } from "../helpers/largest-difference.ts";
import {
  bindNextBy,
  download,
  look,
  type PageFixture,
  pictureUnlike,
  stillPicture,
  waitForBinding,
  waitForWords,
} from "../helpers/page-fixture.ts";
import { plainPng } from "../helpers/rich-fbx.ts";
import { useFolder } from "../helpers/run-cli.ts";
import { usePage } from "../helpers/use-page.ts";

const folder = useFolder();
let page: Page;
let fixture: PageFixture;
usePage(async (opened, own) => {
  page = opened;
  fixture = own;
  await bindNextBy(page, "heat");
});

const open = (...names: string[]) =>
  page.setInputFiles(
    "#file-input",
    names.map((name) => folder.at(name)),
  );

const glb = (rings: number) => new Uint8Array(tubeGlb({ rings }).builder.glb());

test("a ZIP is unpacked, and the visitor chooses among several characters in it", async () => {
  const files = {
    "pack/one.glb": glb(20),
    "pack/two.glb": glb(24),
    "pack/readme.md": strToU8("hello"),
    "__MACOSX/pack/._one.glb": strToU8("no character"),
  };
  writeFileSync(folder.at("pack.zip"), zipSync(files));
  await open("pack.zip");
  await page.waitForSelector("dialog.ask");
  const texts = await page.locator(".ask-choices button").allTextContents();
  expect(texts.slice(0, 2)).toEqual(["Open pack/one.glb", "Open pack/two.glb"]);
  await page.click("[data-answer='1']");
  await waitForBinding(page, "pack/two.glb");
  writeFileSync(folder.at("single.zip"), zipSync({ "deep/in/it/tube.glb": glb(22) }));
  await open("single.zip");
  await waitForBinding(page, "deep/in/it/tube.glb");
});

test("a file chosen before the page is listening is opened", async () => {
  writeFileSync(folder.at("early.glb"), glb(18));
  // The page starts without its image only after a while.
  const script = "HTMLImageElement.prototype.decode = () => new Promise(() => undefined);";
  const early = await fixture.open({ at: "?method=heat", script });
  await early.setInputFiles("#file-input", folder.at("early.glb"));
  await waitForBinding(early, "early");
  await early.close();
});

test("problems of a ZIP are reported", async () => {
  const zip = zipSync({ "a.txt": strToU8("text") });
  await expect(unzip("a.zip", zip)).rejects.toThrow("there is no character in it");
  const whole = zipSync({ "a.glb": glb(20) });
  await expect(unzip("cut.zip", whole.subarray(0, 60))).rejects.toThrow("damaged or encrypted");
  // A ZIP that claims to hold 4 GB is refused before anything is unpacked.
  const bomb = whole.slice();
  const view = new DataView(bomb.buffer);
  for (let i = 0; i + 4 < bomb.length; i++) {
    if (view.getUint32(i, true) === 0x02014b50) view.setUint32(i + 24, 0xf0000000, true);
  }
  await expect(unzip("bomb.zip", bomb)).rejects.toThrow("too much for a browser");
});

test("an image dropped later is added, and saved; weights stay", async () => {
  const { builder } = tubeGlb({ rings: 20 });
  const { json } = builder;
  json.images = [{ uri: "skin.png" }];
  json.textures = [{ source: 0 }];
  json.materials = [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }];
  const [{ primitives }] = json.meshes!;
  const vertices = json.accessors![primitives[0].attributes.POSITION].count;
  const uvs = new Float32Array(vertices * 2).fill(0.5);
  primitives[0].material = 0;
  primitives[0].attributes.TEXCOORD_0 = builder.add(uvs, "VEC2");
  writeFileSync(folder.at("bare.glb"), builder.glb());
  writeFileSync(folder.at("skin.png"), plainPng([20, 160, 40, 255]));
  writeFileSync(folder.at("other.png"), plainPng([20, 160, 40, 255]));
  await open("bare.glb");
  await waitForBinding(page, "bare.glb");
  await look(page, "plain");
  const before = await stillPicture(page);
  const names = await page.locator("#binds strong").allTextContents();
  await open("other.png");
  await page.waitForSelector(".notice");
  expect(await page.textContent(".notice span")).toContain("refers to no image other.png");
  await open("skin.png");
  await page.waitForSelector('.notice:has-text("image was added")');
  await pictureUnlike(page, before, 1000);
  expect(await page.locator("#binds strong").allTextContents()).toEqual(names);
  expect(await page.textContent("#notes")).toBe("");
  const { name, bytes } = await download(page, "#save-glb");
  const { source } = await readCharacter({ name, bytes });
  expect(source.json.images?.[0]).toHaveProperty("bufferView");
});

test("a save reports where the file is and what it is for", async () => {
  await download(page, "#save-glb");
  await page.waitForSelector('.notice:has-text("bare.skinned.glb is saved")');
  expect(await page.textContent(".notice span")).toMatch(/Blender/);
});

test("a GLB is saved as FBX and as glTF, and its weights alone as JSON", async () => {
  const { name, bytes } = await download(page, "#save-glb");
  const { mesh, weights: wanted } = (await readCharacter({ name, bytes })).character;
  const fbx = await download(page, "#save-fbx");
  expect(fbx.name).toBe("bare.skinned.fbx");
  const file = await readCharacter(fbx);
  expect(file.format).toBe("fbx");
  // An FBX has its points in another order.
  const place = (positions: Float32Array, vertex: number) =>
    Array.from(positions.subarray(vertex * 3, vertex * 3 + 3), (x) => (x + 0).toFixed(3)).join();
  const count = mesh.positions.length / 3;
  const at = new Map(Array.from({ length: count }, (_, v) => [place(mesh.positions, v), v]));
  const other = file.character.mesh.positions;
  const same = Int32Array.from({ length: other.length / 3 }, (_, v) => at.get(place(other, v))!);
  expect(largestDifference(file.character.weights!, takeWeights(wanted!, same))).toBeLessThan(1e-3);
  const gltf = await download(page, "#save-gltf");
  expect(gltf.name).toBe("bare.skinned.zip");
  const parts = await unzip(gltf.name, gltf.bytes);
  expect(parts.map((part) => part.name).sort()).toEqual([
    "bare.skinned.bin",
    "bare.skinned.gltf",
    "skin.png",
  ]);
  const whole = await readCharacter(inputFromFiles(parts));
  expect(largestDifference(whole.character.weights!, wanted!)).toBe(0);
  await page.click("#save-bar summary");
  const json = await download(page, "#save-json");
  expect(json.name).toBe("bare.weights.json");
  const alone = parseWeights(json.name, json.bytes);
  expect(largestDifference(alone.meshes[0].weights, wanted!)).toBeLessThan(1e-6);
});

test("errors that the file already had are reported as the file's", async () => {
  const { builder } = tubeGlb({ rings: 20 });
  // The validator reports a normal of length 2 as an error, and the page does not change normals.
  const [{ primitives }] = builder.json.meshes!;
  const vertices = builder.json.accessors![primitives[0].attributes.POSITION].count;
  const normals = Float32Array.from({ length: vertices * 3 }, (_, i) => (i % 3 === 0 ? 2 : 0));
  primitives[0].attributes.NORMAL = builder.add(normals, "VEC3");
  writeFileSync(folder.at("odd.glb"), builder.glb());
  await open("odd.glb");
  await waitForBinding(page, "odd.glb");
  await waitForWords(page);
  expect(await page.textContent("#quality")).toMatch(
    /Khronos validator finds \d+ errors in the file to save(, 3 of them new)?, and \d+ in the file you opened/,
  );
});
