/** The promise that no file leaves the browser, tested without a server. */
import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { makeSample } from "../../samples/index.ts";
import { writeCharacterFile } from "../../src/disk/character-files.ts";
import { fileFromCharacter } from "../../src/formats/file-from-character.ts";
import { readCharacter } from "../../src/formats/index.ts";
import { tubeGlb } from "../helpers/glb-builder.ts";
import {
  download,
  openSample,
  type PageFixture,
  startPage,
  unfold,
  waitForBinding,
  waitForWords,
} from "../helpers/page-fixture.ts";
import { useFolder } from "../helpers/run-cli.ts";

const folder = useFolder();
let fixture: PageFixture | undefined;
afterAll(() => fixture?.close());

test("without a network the page reloads, opens, binds, checks, learns and saves", async () => {
  fixture = await startPage();
  const page = await fixture.open({ serviceWorkers: "allow" });
  await page.waitForSelector("#runtime:text-is('Ready offline')");
  expect(fixture.sent()).toBeLessThan(6e6);
  await fixture.unplug();
  await page.reload();
  await page.waitForSelector("#runtime:text-is('Ready offline')");
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  writeFileSync(folder.at("tube.glb"), tubeGlb({ rings: 20 }).builder.glb());
  await page.setInputFiles("#file-input", folder.at("tube.glb"));
  await waitForBinding(page, "tube.glb");
  await waitForWords(page);
  const { name, bytes } = await download(page, "#save-glb");
  expect((await readCharacter({ name, bytes })).character.weights).toBeDefined();
  await openSample(page, "fish", "heat");
  const example = makeSample("fish");
  await writeCharacterFile(folder.at("twin.glb"), fileFromCharacter(example), example.weights!);
  await unfold(page, "Teach");
  await page.setInputFiles("#teach-input", folder.at("twin.glb"));
  // Only that it learns; other tests check how well.
  await page.waitForFunction(() =>
    /^Learning/.test(document.getElementById("stage-name")?.textContent ?? ""),
  );
  await page.click("#cancel-button");
  expect(await page.locator(".alert").count()).toBe(0);
}, 180_000);

test("can be installed, and opens files from the operating system", () => {
  const manifest = JSON.parse(readFileSync("app/dist/manifest.webmanifest", "utf8"));
  const sizes = manifest.icons.map(({ sizes }: { sizes: string }) => sizes);
  expect(sizes).toEqual(expect.arrayContaining(["192x192", "512x512"]));
  for (const { src } of manifest.icons) {
    expect(readFileSync(`app/dist/${src}`).length).toBeGreaterThan(300);
  }
  const [{ accept }] = manifest.file_handlers;
  expect(Object.values(accept).flat()).toEqual(
    expect.arrayContaining([".glb", ".vrm", ".fbx", ".obj"]),
  );
});

test("a page for a static host has an absolute address for the preview of shared links", async () => {
  // A variable, so that the type check does not follow it into plain JavaScript.
  const app = "../../scripts/setup/app.mjs";
  const { exportApp } = (await import(app)) as {
    exportApp(folder: string, address?: string): string;
  };
  exportApp(folder.at("site"), "https://rig.example.com/page");
  const index = readFileSync(folder.at("site/index.html"), "utf8");
  expect(index).toContain('property="og:image" content="https://rig.example.com/page/share.jpg"');
  expect(readFileSync(folder.at("site/share.jpg")).length).toBeGreaterThan(10_000);
});
