/**
 * Measures the main thread's time per frame while a large character moves in the page:
 *
 *     npm run bench page-frames -- [vertices,...]
 *
 * Samples reduced to a number of vertices (default 9,000, 47,000 and 137,000) with 60 joints walk for ten seconds
 * in headless Chromium, and the camera orbits for another five. The browser's own counters report the script time
 * and the total time of the main thread. The GPU is emulated in software there, so the frames themselves are
 * slower than on a real one and are not counted. The results go to bench/results/page-frames.json.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import path from "node:path";
import type { CDPSession, Page } from "playwright-core";
import { fileFromCharacter, writeCharacter } from "../src/formats/index.ts";
import { skin } from "../src/skin.ts";
import { startPage, waitForBinding, waitForWords } from "../test/helpers/page-fixture.ts";
import { largeCharacter } from "./large-character.ts";
import { machineText, saveJson } from "./save-results.ts";

const sizes = (process.argv[2] ?? "9000,47000,137000").split(",").map(Number);
const [PLAYED, ORBITED] = [10, 5];

/** Milliseconds per drawn frame during an activity. */
async function perFrame(page: Page, client: CDPSession, goOn: () => Promise<void>) {
  const counters = async () => {
    const { metrics } = await client.send("Performance.getMetrics");
    const value = (name: string) => metrics.find((metric) => metric.name === name)!.value;
    const frames = Number(await page.locator("#canvas").getAttribute("data-frame"));
    return { script: value("ScriptDuration"), task: value("TaskDuration"), frames };
  };
  const before = await counters();
  await goOn();
  const after = await counters();
  const frames = after.frames - before.frames;
  const each = (name: "script" | "task") =>
    Number((((after[name] - before[name]) * 1000) / frames).toFixed(2));
  return { frames, script: each("script"), task: each("task") };
}

/** Presses on the view, then returns a function that rotates it; picking happens before the measurement. */
async function pressView(page: Page): Promise<() => Promise<void>> {
  const box = (await page.locator("#canvas").boundingBox())!;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.waitForTimeout(1000);
  return async () => {
    for (const end = Date.now() + ORBITED * 1000; Date.now() < end; ) {
      await page.mouse.move(x + 100 * Math.sin(Date.now() / 500), y);
      await page.waitForTimeout(16);
    }
  };
}

const folder = mkdtempSync(path.join(tmpdir(), "heterskin-frames-"));
const fixture = await startPage();
const rows: unknown[] = [];
for (const size of sizes) {
  const character = await largeCharacter("dancer", 2 * size, 60);
  const { weights } = await skin(character, { method: "inverse-distance" });
  const vertices = character.mesh.positions.length / 3;
  const name = `large-${vertices}.glb`;
  const { bytes } = writeCharacter(fileFromCharacter(character), weights);
  writeFileSync(path.join(folder, name), bytes);
  const page = await fixture.open({ at: "?open=nothing&method=euclid" });
  const client = await page.context().newCDPSession(page);
  // Thread time excludes other work on the machine.
  await client.send("Performance.enable", { timeDomain: "threadTicks" });
  await page.setInputFiles("#file-input", path.join(folder, name));
  await waitForBinding(page, name);
  await waitForWords(page);
  await page.selectOption("#clips", { label: "Walk" });
  const motion = await perFrame(page, client, () => page.waitForTimeout(PLAYED * 1000));
  await page.click("#play-button");
  const camera = await perFrame(page, client, await pressView(page));
  await page.mouse.up();
  rows.push({ vertices, joints: 60, motion, orbit: camera });
  console.log(rows.at(-1));
  await page.close();
}
await fixture.close();
rmSync(folder, { recursive: true });
const load = Number(loadavg()[0].toFixed(1));
saveJson("page-frames.json", { machine: machineText(), load, unit: "ms per frame", rows });
process.exit(0);
