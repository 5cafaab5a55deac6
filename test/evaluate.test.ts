import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeSample } from "../samples/index.ts";
import { main } from "../src/cli/program.ts";
import type { ResultJson } from "../src/evaluate/summary.ts";
import { fileFromCharacter } from "../src/formats/file-from-character.ts";
import { writeCharacter } from "../src/formats/write-character.ts";

const NAMES = ["fish", "mushroom", "robot"];
let folder = "";

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "evaluate-"));
  mkdirSync(path.join(folder, "characters"));
  for (const name of NAMES) {
    const character = makeSample(name);
    const file = fileFromCharacter(character);
    const { bytes } = writeCharacter(file, character.weights!, { maxInfluences: 8 });
    writeFileSync(path.join(folder, "characters", `${name}.glb`), bytes);
  }
  writeFileSync(path.join(folder, "characters", "broken.glb"), "glTF, or not");
  const rows = [...NAMES, "broken", "absent"].map((name) => `${name}\ttest`);
  writeFileSync(path.join(folder, "characters.tsv"), ["id\tsplit", ...rows, ""].join("\n"));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function run(...argv: string[]) {
  const text = { out: "", err: "" };
  const streams = {
    stdout: { write: (part: string) => (text.out += part) },
    stderr: { write: (part: string) => (text.err += part) },
  };
  const status = await main(argv, streams, new AbortController().signal);
  return { status, ...text };
}

function withoutTime(score: unknown) {
  const { seconds: _, ...rest } = score as Record<string, number>;
  return rest;
}

describe("heterskin evaluate", { timeout: 180_000 }, () => {
  test("scores methods on a split; an unreadable file is a row and does not stop the run", async () => {
    const json = path.join(folder, "out/result.json");
    const csv = path.join(folder, "out/result.csv");
    const { status, out, err } = await run(
      "evaluate",
      folder,
      "--split",
      "test",
      "--json",
      json,
      "--csv",
      csv,
      "--methods",
      `euclid,hollow,existing:${path.join(folder, "characters")}`,
    );
    expect(status).toBe(0);
    const result: ResultJson = JSON.parse(readFileSync(json, "utf8"));
    expect(result).toMatchObject({ preset: "paper", characters: 5 });
    expect(result.per_character.map(({ id }) => id)).toEqual([...NAMES, "broken", "absent"]);
    const own = `existing:${path.join(folder, "characters")}`;
    expect(Object.keys(result.methods)).toEqual(["euclid", "hollow", own]);
    for (const method of Object.values(result.methods)) expect(method.failed).toBe(2);
    expect(result.methods[own]).toMatchObject({
      precision: 1,
      l1_raw: expect.closeTo(0, 4),
      unweighted: 0,
      seconds_median: null,
    });
    expect(result.methods.hollow.l1).toBeGreaterThan(0);
    expect(result.methods.hollow.bleed).toBeLessThan(0.05);
    expect(err).toContain("absent");
    expect(out).toContain("Falloff on HollowDist");
    expect(readFileSync(csv, "utf8").trimEnd().split("\n")).toHaveLength(1 + 5 * 3);
  });

  test("computes the same scores in any number of worker processes", async () => {
    const scores = ["1", "3"].map((jobs) => {
      const json = path.join(folder, `jobs-${jobs}.json`);
      const argv = ["evaluate", folder, "--methods", "euclid", "--jobs", jobs, "--json", json];
      execFileSync(process.execPath, ["bin/heterskin.js", ...argv], {
        cwd: path.join(import.meta.dirname, ".."),
        stdio: "pipe",
      });
      const { per_character } = JSON.parse(readFileSync(json, "utf8")) as ResultJson;
      return per_character.map((row) => ({ ...row, euclid: withoutTime(row.euclid) }));
    });
    expect(scores[0]).toHaveLength(4);
    expect(scores[1]).toEqual(scores[0]);
  });

  test("writes a page with pictures and a sentence about the worst characters", async () => {
    const report = path.join(folder, "report");
    const file = path.join(folder, "characters/mushroom.glb");
    const { status } = await run("evaluate", file, "--methods", "euclid", "--report", report);
    expect(status).toBe(0);
    const page = readFileSync(path.join(report, "index.html"), "utf8");
    expect(page).toContain("data:image/png;base64,");
    expect(page).toContain("The worst characters of Falloff on Euclidean distance");
    expect(page).toMatch(/<b>mushroom<\/b> L1 \d\.\d{3}\. [A-Z0-9]/);
    expect(page).toContain("HollowDist");
  });

  test("refuses an invalid request in one sentence", async () => {
    const file = path.join(folder, "characters/fish.glb");
    const cases: [string[], string][] = [
      [[path.join(folder, "nowhere")], "no such file or folder"],
      [[file, "--methods", "magic"], 'Unknown method "magic"'],
      [[file, "--methods", "euclid,euclid"], "named twice"],
      [[file, "--methods", "existing:/nowhere"], "no such folder"],
      [[file, "--methods", "model:/nowhere.onnx"], "cannot be read"],
      [[file, "--preset", "mine"], "--preset must be one of"],
      [[path.join(folder, "characters/broken.glb"), "--methods", "euclid"], "could be scored"],
    ];
    for (const [argv, message] of cases) {
      const { status, err } = await run("evaluate", ...argv);
      expect(err).toContain(message);
      expect(status).toBe(1);
    }
  });
});
