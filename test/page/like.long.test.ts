/** The page learns from a character in WebAssembly, without the compiler. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { writeCharacterFile } from "../../src/disk/character-files.ts";
import { fileFromCharacter } from "../../src/formats/file-from-character.ts";
import { readCharacter } from "../../src/formats/index.ts";
import { smallFish } from "../helpers/doc-folder.ts";
import { badges, download, type PageFixture, waitForBinding } from "../helpers/page-fixture.ts";
import { useFolder } from "../helpers/run-cli.ts";
import { usePage } from "../helpers/use-page.ts";

const folder = useFolder();
let fixture: PageFixture;
let page: Page;

usePage((opened, started) => {
  page = opened;
  fixture = started;
});

async function savedWeights(): Promise<Float32Array> {
  const { name, bytes } = await download(page, "#save-glb");
  return (await readCharacter({ name, bytes })).character.weights!.weights;
}

/** Waits for a text of the teaching panel, while the page is idle. */
async function waitForResult(start: string): Promise<void> {
  await page.waitForFunction(
    (start) => {
      const text = document.getElementById("teach-result")?.textContent ?? "";
      const isBusy = !document.getElementById("cancel-button")?.hidden;
      return !isBusy && (start === "" ? text === "" : text.startsWith(start));
    },
    start,
    { timeout: 200_000 },
  );
}

test("the page learns a style from a character, and forgets it on request", async () => {
  const fish = await smallFish();
  await writeCharacterFile(folder.at("fish.glb"), fileFromCharacter(fish), fish.weights!);
  await page.setInputFiles("#file-input", folder.at("fish.glb"));
  await waitForBinding(page, "fish");
  const before = await savedWeights();
  await page.setInputFiles("#teach-input", folder.at("fish.glb"));
  await waitForResult("Learned from");
  expect(await badges(page)).toEqual(["HeterSkin, adapted to fish"]);
  await page.evaluate(() => {
    for (const details of document.querySelectorAll("details")) details.open = true;
  });
  const after = await savedWeights();
  const distance = (a: Float32Array, b: Float32Array) =>
    a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i])), 0);
  expect(distance(before, after)).toBeGreaterThan(0.02);
  // The learned style is stored, and equals the model that is saved.
  const { name, bytes } = await download(page, "#save-learned");
  expect(name).toBe("fish.onnx");
  expect(bytes.length).toBeGreaterThan(1e6);
  await page.reload();
  await waitForResult("Learned from");
  await page.setInputFiles("#file-input", folder.at("fish.glb"));
  await waitForBinding(page, "fish");
  expect(distance(after, await savedWeights())).toBeLessThan(1e-3);
  await page.evaluate(() => document.getElementById("forget-button")?.click());
  await waitForResult("");
  expect(distance(before, await savedWeights())).toBeLessThan(1e-3);
  expect(fixture.strangers).toEqual([]);
  expect(fixture.faults).toEqual([]);
}, 300_000);
