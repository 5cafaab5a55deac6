import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { Character } from "../../src/character/character.ts";
import { readCharacter } from "../../src/formats/index.ts";
import { skin } from "../../src/skin.ts";
import { largestDifference } from "./largest-difference.ts";
import {
  coloredPixels,
  download,
  look,
  openSample,
  pictureUnlike,
  stillPicture,
} from "./page-fixture.ts";
import { validateGltf } from "./validate-gltf.ts";

/** The character that the page saves, as a valid file. */
export async function savedCharacter(from: Page): Promise<Character> {
  const { name, bytes } = await download(from, "#save-glb");
  expect(await validateGltf(bytes)).toEqual([]);
  return (await readCharacter({ name, bytes })).character;
}

/** Tests that the page binds samples, shows their weights, and saves what the library computes. */
export function testPageSamples(names: string[], page: () => Page): void {
  test.each(names)("%s", async (name) => {
    // The network is slow on a busy machine, so only one sample uses it.
    const method = name === "fish" ? "network" : "heat";
    await openSample(page(), name, method);
    await look(page(), "plain");
    const plain = await stillPicture(page());
    await look(page(), "heat");
    const heat = await pictureUnlike(page(), plain, 2000);
    expect(coloredPixels(heat)).toBeGreaterThan(300);
    const model = method === "heat" ? {} : { model: readFileSync("models/heterskin.onnx") };
    const saved = await savedCharacter(page());
    const { weights } = await skin(saved, { method, ...model });
    expect(largestDifference(saved.weights!, weights)).toBeLessThan(1e-3);
  });
}
