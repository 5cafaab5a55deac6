/** The page computes the weights of the command line, for every verb. */
import { writeFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { readCharacterFile, writeCharacterFile } from "../../src/disk/character-files.ts";
import { fileFromCharacter } from "../../src/formats/file-from-character.ts";
import { readCharacter } from "../../src/formats/index.ts";
import type { SkinWeights } from "../../src/weights/skin-weights.ts";
import { largestDifference } from "../helpers/largest-difference.ts";
import { objText } from "../helpers/obj-text.ts";
import { download, waitForBinding } from "../helpers/page-fixture.ts";
import { runCli, useOneFolder } from "../helpers/run-cli.ts";
import { smallSample } from "../helpers/small-sample.ts";
import { usePage } from "../helpers/use-page.ts";

const folder = useOneFolder();
let page: Page;
usePage((opened) => {
  page = opened;
});

/** The characters as files, with a copy of the fish whose weights bleed and one with soft weights. */
async function writeFiles(): Promise<void> {
  for (const name of ["fish", "mushroom"]) {
    const character = await smallSample(name);
    await writeCharacterFile(at(name), fileFromCharacter(character), character.weights!);
  }
}

const at = (name: string) => folder.at(`${name}.glb`);

async function saved(): Promise<SkinWeights> {
  const { name, bytes } = await download(page, "#save-glb");
  return (await readCharacter({ name, bytes })).character.weights!;
}

async function byCommand(verb: string, ...words: string[]): Promise<SkinWeights> {
  const { status, stderr } = await runCli(verb, ...words);
  expect([status, stderr]).toEqual([0, expect.any(String)]);
  const out = words.filter((word) => word.endsWith(".glb") && !word.startsWith("--")).at(-1)!;
  return (await readCharacterFile(out)).character.weights!;
}

/** Waits until new weights are shown, by the start of their name. */
async function waitForWeights(start: string): Promise<void> {
  await page.waitForFunction(
    (start) => document.getElementById("save-glb")?.textContent?.includes(start),
    start,
    { timeout: 200_000 },
  );
}

test("binds, refines and transfers as the commands do", { timeout: 300_000 }, async () => {
  await writeFiles();
  await page.setInputFiles("#file-input", at("fish"));
  await waitForBinding(page, "fish");
  const bound = await byCommand("bind", at("fish"), at("bound"), "--provider", "wasm");
  expect(largestDifference(await saved(), bound)).toBeLessThan(1e-6);

  await page.click("#refine-button");
  await waitForWeights("cleaned");
  const refined = await byCommand("refine", at("bound"), at("refined"));
  expect(largestDifference(await saved(), refined)).toBeLessThan(1e-6);

  await page.setInputFiles("#transfer-input", at("fish"));
  await waitForWeights("From fish");
  const transferred = await byCommand("transfer", at("fish"), at("fish"), at("transferred"));
  expect(largestDifference(await saved(), transferred)).toBeLessThan(1e-6);
});

test("fits the skeleton of another character as --fit does", { timeout: 600_000 }, async () => {
  // The fish, twice as large and at another position, provides skeleton and weights for its bare mesh.
  const fish = await smallSample("fish");
  const moved = (points: Float32Array) => points.map((value) => 2 * value + 3);
  const away = {
    ...fish,
    mesh: { ...fish.mesh, positions: moved(fish.mesh.positions) },
    skeleton: { ...fish.skeleton, positions: moved(fish.skeleton.positions) },
  };
  await writeCharacterFile(at("away"), fileFromCharacter(away), fish.weights!);
  writeFileSync(folder.at("bare.obj"), objText(fish.mesh));
  await page.setInputFiles("#file-input", [folder.at("bare.obj"), at("away")]);
  await page.click(".notice .offer");
  await page.waitForSelector(".notice", { state: "detached" });
  await page.waitForFunction(() => document.getElementById("stage-name")?.textContent === "");
  await page.click("#accept-skeleton");
  await waitForBinding(page, "bare.obj");
  expect(await page.textContent("#command")).toMatch(/--skeleton away.glb --fit/);
  const words = ["--skeleton", at("away"), "--fit", "--provider", "wasm"];
  const fitted = await byCommand("bind", folder.at("bare.obj"), ...words, at("fitted"));
  expect(largestDifference(await saved(), fitted)).toBeLessThan(1e-6);
});

// Last, because the learned style stays.
test("learns as --like does, for kin and for unrelated characters", {
  timeout: 600_000,
}, async () => {
  await page.setInputFiles("#file-input", at("mushroom"));
  await waitForBinding(page, "mushroom");
  const plain = await saved();
  await page.setInputFiles("#teach-input", at("fish"));
  await waitForWeights("adapted to fish");
  const words = ["--like", at("fish"), "--no-cache", "--provider", "wasm"];
  const stranger = await byCommand("bind", at("mushroom"), ...words, at("stranger"));
  const taught = await saved();
  // Learning rounds differently with different numbers of threads; a missing guard would be 0.1 off.
  expect(largestDifference(taught, stranger)).toBeLessThan(0.01);
  expect(largestDifference(plain, taught)).toBeGreaterThan(0.001);
});
