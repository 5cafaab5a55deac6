/**
 * Times a bind in the page against Node's native runtime, in one run:
 *
 *     npm run bench page-bind -- [rounds]
 *
 * A sample with about 5,000 vertices and 60 joints is opened repeatedly in headless Chromium (WebAssembly), and
 * bound by `skin` in a warm process (`onnxruntime-node`). The two alternate; reading and writing are excluded. The
 * fastest run of each and their ratio go to bench/results/page-bind.json.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import path from "node:path";
import { shippedModel } from "../src/disk/character-files.ts";
import { fileFromCharacter, writeCharacter } from "../src/formats/index.ts";
import { skin } from "../src/skin.ts";
import { startPage } from "../test/helpers/page-fixture.ts";
import { largeCharacter } from "./large-character.ts";
import { machineText, saveJson } from "./save-results.ts";

const rounds = Number(process.argv[2] ?? 6);
const folder = mkdtempSync(path.join(tmpdir(), "heterskin-page-"));
const character = await largeCharacter("dancer", 10_000, 60);
const vertices = character.mesh.positions.length / 3;
const rigid = {
  influences: 1,
  joints: new Uint16Array(vertices),
  weights: new Float32Array(vertices).fill(1),
};
const { bytes } = writeCharacter(fileFromCharacter(character), rigid);

const fixture = await startPage();
const page = await fixture.open();
const model = await shippedModel();

/** Milliseconds of a bind as the page reports them. */
async function inPage(round: number): Promise<{ milliseconds: number; text: string }> {
  const file = path.join(folder, `round-${round}.glb`);
  writeFileSync(file, bytes);
  await page.setInputFiles("#file-input", file);
  const text = await page
    .waitForFunction(
      (name) => {
        const isOpen = document.getElementById("open-name")?.textContent?.startsWith(name);
        const done = [...document.querySelectorAll("p, output, span, div")].find(
          (element) => element.children.length === 0 && element.textContent?.startsWith("Done in"),
        );
        return isOpen && done?.textContent;
      },
      path.basename(file),
      { timeout: 120_000 },
    )
    .then((handle) => handle.jsonValue());
  const [, value, unit] = /Done in ([\d.,]+) (ms|s)/.exec(`${text}`) ?? [];
  return {
    milliseconds: Number(value.replace(",", "")) * (unit === "s" ? 1000 : 1),
    text: `${text}`,
  };
}

async function inNode(): Promise<number> {
  const start = performance.now();
  await skin(character, { model, provider: "cpu" });
  return performance.now() - start;
}

const times = { page: [] as number[], node: [] as number[] };
let last = "";
for (let round = 0; round <= rounds; round++) {
  const { milliseconds, text } = await inPage(round);
  const node = await inNode();
  last = text;
  // The first round warms up both.
  if (round === 0) continue;
  times.page.push(milliseconds);
  times.node.push(node);
}
await fixture.close();
rmSync(folder, { recursive: true });
const [inBrowser, native] = [times.page, times.node].map((list) => Math.round(Math.min(...list)));
const result = {
  machine: machineText(),
  load: Number(loadavg()[0].toFixed(1)),
  vertices,
  joints: character.skeleton.names.length,
  page: inBrowser,
  node: native,
  ratio: Number((inBrowser / native).toFixed(2)),
  said: last,
};
saveJson("page-bind.json", result);
console.log(result);
process.exit(0);
