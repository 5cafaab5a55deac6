import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cancelledAnswer } from "../../src/batch/pool.ts";
import { readCharacter } from "../../src/formats/index.ts";
import { type Api, createApi } from "../../src/serve/api/create-api.ts";
import { createLocalRunner, type JobRunner } from "../../src/serve/api/jobs.ts";
import { API_LIMITS } from "../../src/serve/api/limits.ts";
import { axeViolations } from "../helpers/axe-violations.ts";
import { eventually } from "../helpers/eventually.ts";
import { largestDifference } from "../helpers/largest-difference.ts";
import { glbOf, tube } from "../helpers/odd-characters.ts";
import {
  bindNames,
  bindNextBy,
  download,
  openSample,
  type PageFixture,
  startPage,
  waitForBinding,
  waitForRest,
} from "../helpers/page-fixture.ts";

const TOKEN = "let me in";
let folder: string;
let api: Api;
let fixture: PageFixture;
let page: Page;
/** How the service handles the next job; binds it by default. */
let next: JobRunner["run"] | undefined;
/** Requests of the page other than GET, and answers with an error. */
const sent: string[] = [];
const refused: string[] = [];

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "heterskin-"));
  const local = createLocalRunner(1);
  const runner: JobRunner = { ...local, run: (...job) => (next ?? local.run)(...job) };
  api = createApi({ folder, runner, limits: API_LIMITS, tokens: [TOKEN] });
  fixture = await startPage(api);
  page = await fixture.open();
  page.on("request", (request) => {
    if (request.method() !== "GET") sent.push(request.method());
  });
  page.on("response", (answer) => {
    if (answer.status() >= 400) refused.push(`${answer.status()} ${answer.url()}`);
  });
}, 120_000);

afterAll(async () => {
  await fixture?.close();
  await api?.close();
  rmSync(folder, { recursive: true, force: true });
});

const choose = (where: "browser" | "server") =>
  page.check(`input[name=where][value=${where}]`, { force: true });
const saved = async () => {
  const { name, bytes } = await download(page, "#save-glb");
  return (await readCharacter({ name, bytes })).character.weights!;
};
/** Waits for an alert, closes it, and returns its text. */
async function alertText(): Promise<string | null> {
  // Not the notice of a file that was saved.
  const text = await page.textContent(".alert:not(.notice) span");
  await page.click(".alert:not(.notice) .close");
  return text;
}

/** Makes the service hold the next job until it is cancelled; resolves once it has started. */
function holdNext(): Promise<void> {
  return new Promise((resolve) => {
    next = (_, job, { onBegin, signal }) => {
      onBegin();
      resolve();
      return new Promise((settle) =>
        signal.addEventListener("abort", () => settle(cancelledAnswer(job))),
      );
    };
  });
}

/** Binds again, and returns all texts of the status line in the meantime. */
async function bindAgain(name: string): Promise<string[]> {
  await page.evaluate(() => {
    const line = document.getElementById("stage-name")!;
    const said: string[] = [];
    Object.assign(globalThis, { said });
    new MutationObserver(() => said.push(line.textContent ?? "")).observe(line, {
      childList: true,
      characterData: true,
      subtree: true,
    });
  });
  await page.click("#bind-button");
  await page.waitForSelector(`#binds .current strong:text-is("${name}")`);
  return page.evaluate(() => (globalThis as unknown as { said: string[] }).said);
}

test("a page without a service offers none, and requests no missing files", async () => {
  const plain = await startPage();
  const answers: number[] = [];
  const alone = await plain.open({ at: "icon.svg" });
  alone.on("response", (answer) => answers.push(answer.status()));
  const told = alone.waitForResponse(/service\.json$/);
  await alone.goto(`${plain.address}?open=nothing`);
  expect(await (await told).json()).toEqual({ service: false });
  await alone.waitForSelector("#runtime:text-is('Network ready')");
  expect(await alone.locator("#where").isHidden()).toBe(true);
  expect(await alone.textContent(".tagline")).toMatch(/No file leaves this browser\.$/);
  expect(answers.filter((status) => status >= 400)).toEqual([]);
  expect(plain.faults).toEqual([]);
  await plain.close();
});

describe("with a service", () => {
  test("a small character is bound in the browser, and nothing is sent", async () => {
    await openSample(page, "fish", "network");
    expect(await page.isChecked("input[name=where][value=browser]")).toBe(true);
    expect(await page.textContent("#where-note")).toMatch(/^Nothing leaves this browser\./);
    expect(await page.textContent(".tagline")).toMatch(/unless you choose the server\.$/);
    expect(await page.locator("#token").isHidden()).toBe(true);
    expect([sent, refused]).toEqual([[], []]);
  });

  test("no token, or a wrong one, is one sentence", async () => {
    await choose("server");
    expect(await page.textContent("#where-note")).toMatch(/are sent to/);
    await page.click("#bind-button");
    expect(await alertText()).toMatch(/^The server requires a token/);
    for (const token of ["wrong", TOKEN]) {
      await page.fill("#token", token);
      await page.press("#token", "Tab");
      if (token === TOKEN) break;
      await page.click("#bind-button");
      expect(await alertText()).toMatch(/^The server does not know this token/);
    }
  });

  test("the server computes the weights of the browser, reports its stages, and deletes them", async () => {
    const here = await saved();
    const said = await bindAgain("HeterSkin, on the server");
    for (const stage of ["measuring distances", "running the network", "fetching the weights"]) {
      expect(said.some((text) => text.startsWith(`On the server: ${stage}`))).toBe(true);
    }
    expect(await page.textContent("#bind-result")).toMatch(/^Done in .* on the server \(.*network/);
    expect(largestDifference(here, await saved())).toBeLessThan(1e-3);
    await eventually(() => expect(readdirSync(folder)).toEqual([]));
    expect(sent).toEqual(["POST", "POST", "POST", "DELETE"]);
    await page.waitForSelector("#quality li");
  });

  test("an interrupted stream is resumed", async () => {
    await page.selectOption("#method", "hollow");
    await page.route("**/events", (route) => route.abort(), { times: 1 });
    await bindAgain("HollowDist, on the server");
    expect(await page.locator(".alert:not(.notice)").count()).toBe(0);
  });

  test("axe finds no serious issue in the choice and its token", async () => {
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await page.locator("#token").isVisible()).toBe(true);
      expect(await axeViolations(page)).toEqual([]);
    }
  });

  test("Cancel ends the job on the server too", async () => {
    const begun = holdNext();
    const before = await bindNames(page);
    await page.click("#bind-button");
    await begun;
    expect(readdirSync(folder)).toHaveLength(1);
    await page.click("#cancel-button");
    await eventually(() => expect(readdirSync(folder)).toEqual([]));
    await waitForRest(page);
    expect(await bindNames(page)).toEqual(before);
    expect(await page.locator(".alert:not(.notice)").count()).toBe(0);
    next = undefined;
  });

  test("an error on the server is one sentence in the page", async () => {
    next = async (_, job) => {
      const answer = cancelledAnswer(job);
      return { ...answer, row: { ...answer.row!, error: "Not bound: it took more than 5 s." } };
    };
    await page.click("#bind-button");
    expect(await alertText()).toBe("Not bound: it took more than 5 s.");
    next = undefined;
    await page.route("**/api/**", (route) => route.abort());
    await page.click("#bind-button");
    expect(await alertText()).toMatch(/^The server does not answer; try again, or bind in this/);
    await page.unroute("**/api/**");
  });

  test("a large character is sent only after the visitor agrees", async () => {
    const file = path.join(folder, "..", `${path.basename(folder)}.glb`);
    writeFileSync(file, glbOf(tube(505, 100, 4)));
    sent.length = 0;
    await bindNextBy(page, "hollow");
    await page.setInputFiles("#file-input", file);
    const question = await page.textContent("#ask-question");
    expect(question).toMatch(/50,500 vertices, a lot for a browser\. Send its mesh/);
    await page.click("dialog .quiet-button");
    expect(await page.textContent("#bind-result")).toBe("");
    await page.click("#bind-button");
    expect(sent).toEqual([]);
    await page.click("[data-answer=server]");
    await waitForBinding(page, path.basename(file));
    expect(await page.textContent("#bind-result")).toContain("on the server");
    expect((await bindNames(page)).at(-1)).toBe("HollowDist, on the server");
    // The choice does not apply to the next character.
    await openSample(page, "fish");
    expect(await page.isChecked("input[name=where][value=browser]")).toBe(true);
    rmSync(file);
  });

  test("leaving the page deletes the job on the server", async () => {
    await choose("server");
    const begun = holdNext();
    // Until the page follows the job, it does not know which one to end.
    const follows = page.waitForRequest(/\/api\/jobs\/[^/]+\/events$/);
    await page.click("#bind-button");
    await Promise.all([begun, follows]);
    expect(readdirSync(folder)).toHaveLength(1);
    await page.goto("about:blank");
    await eventually(() => expect(readdirSync(folder)).toEqual([]));
    next = undefined;
  });

  test("logs no errors and sends no request to other hosts", () => {
    expect(fixture.strangers.filter((url) => url !== "about:blank")).toEqual([]);
    expect(fixture.faults).toEqual([]);
  });
});
