// Opens, binds, poses, checks and saves real files in the page, one after the other, and fails on errors in the
// console.
//
//   npm run page:tour -- <folder> [pictures]    characters of a folder; with a second one, saves screenshots there

import { mkdirSync, readdirSync } from "node:fs";
import path from "node:path";
import type { Page } from "playwright-core";
import { ENDINGS, endingOf, readCharacter } from "../src/formats/index.ts";
import { checkWeights } from "../src/weights/check-weights.ts";
import {
  download,
  look,
  startPage,
  unfold,
  waitForRest,
  waitForWords,
} from "../test/helpers/page-fixture.ts";
import { validateGltf } from "../test/helpers/validate-gltf.ts";

/** Time limit per file. */
const PATIENCE = 240_000;

/**
 * Opens a file and waits for its weights; the skeleton of a bare mesh is accepted as fitted.
 *
 * @returns whether there was a mesh to bind
 */
async function bindFile(page: Page, file: string): Promise<boolean> {
  await page.setInputFiles("#file-input", file);
  await page.waitForFunction(
    (name) =>
      document.getElementById("open-name")?.textContent?.startsWith(name) ||
      document.querySelector(".alert:not(.notice), dialog.ask") !== null,
    path.basename(file),
    { timeout: PATIENCE },
  );
  if (await page.locator("dialog.ask").count()) {
    // Answers what a skeleton without a mesh is for.
    await page.click("dialog.ask .quiet-button");
    return false;
  }
  const problem = page.locator(".alert:not(.notice) span");
  if (await problem.count()) throw new Error(`${await problem.first().textContent()}`);
  if (await page.locator("#accept-skeleton").isVisible()) await page.click("#accept-skeleton");
  await page.waitForSelector('#binds .current strong:text-is("HeterSkin")', {
    timeout: PATIENCE,
  });
  await waitForRest(page);
  return true;
}

async function visit(page: Page, file: string, pictures: string | undefined): Promise<string> {
  if (!(await bindFile(page, file))) return `${path.basename(file)}: a skeleton without a mesh`;
  await look(page, "plain");
  if (pictures) {
    const name = path.basename(file).replace(/\W/g, "-");
    await page.screenshot({ path: path.join(pictures, `${name}.png`) });
  }
  await look(page, "heat");
  await waitForWords(page);
  const verdict = await page.locator("#quality li").first().textContent();
  const worst = page.locator("#pose-strip .pose").first();
  if (await worst.count()) {
    await worst.click();
    await page.click("#pose-rest");
  }
  await unfold(page, "Pose");
  await page.click("#random-button");
  await page.click("#stress-button");
  await page.click("#play-button");
  await page.selectOption("#clips", { label: "Still" });
  await page.click("#reset-button");
  const { name, bytes } = await download(page, "#save-glb");
  // Severity 0 is an error; names of VRM extensions are warnings in any file.
  const errors = (await validateGltf(bytes)).filter(({ severity }) => severity === 0);
  const { character } = await readCharacter({ name, bytes });
  const { mesh, skeleton, weights } = character;
  const vertices = mesh.positions.length / 3;
  const problems = weights
    ? checkWeights(weights, vertices, skeleton.names.length)
    : ["no weights"];
  if (problems.length > 0) throw new Error(`${file}: ${JSON.stringify(problems[0])}`);
  const time = (await page.textContent("#bind-result"))?.split(" (")[0];
  return `${path.basename(file)}: ${vertices} vertices, ${skeleton.names.length} joints. ${time}. ${verdict} Validator: ${errors.length === 0 ? "no errors" : JSON.stringify(errors[0])}`;
}

async function main([folder, pictures]: string[]): Promise<void> {
  if (!folder) throw new Error("page-tour: name a folder of characters.");
  if (pictures) mkdirSync(pictures, { recursive: true });
  const files = readdirSync(folder)
    .filter((name) => ENDINGS.includes(endingOf(name)))
    .map((name) => path.join(folder, name));
  const fixture = await startPage();
  const page = await fixture.open();
  let failed = 0;
  for (const file of files) {
    try {
      console.log(await visit(page, file, pictures));
    } catch (error) {
      failed++;
      console.log(
        `${path.basename(file)}: FAILED, ${error instanceof Error ? error.message : error}`,
      );
      if (await page.locator(".alert .close").count()) await page.click(".alert .close");
    }
  }
  await fixture.close();
  const { faults, strangers } = fixture;
  console.log(`${files.length} files, ${failed} failed, ${faults.length} errors in the console`);
  if (failed + faults.length + strangers.length > 0) {
    throw new Error(`page-tour: ${[...faults, ...strangers].join("; ")}`);
  }
}

await main(process.argv.slice(2));
