/** `--like` end to end: from files to weights in their style. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { writeCharacterFile } from "../src/disk/character-files.ts";
import { fileFromCharacter } from "../src/formats/file-from-character.ts";
import { exampleCharacter } from "./helpers/example-character.ts";
import { exampleModel } from "./helpers/example-model.ts";
import { runCli, useFolder } from "./helpers/run-cli.ts";
import { useShortLearning } from "./helpers/short-learning.ts";

useShortLearning();

let model: Uint8Array;
beforeAll(async () => {
  ({ model } = await exampleModel());
}, 120_000);

describe("bind --like", { timeout: 240_000 }, () => {
  const { at } = useFolder();
  beforeEach(async () => {
    vi.stubEnv("XDG_CACHE_HOME", at("cache"));
    writeFileSync(at("small.onnx"), model);
    mkdirSync(at("rigs"));
    for (const [name, rings] of Object.entries({ "rigs/hero": 12, "rigs/villain": 16, new: 14 })) {
      const character = exampleCharacter(path.basename(name), rings);
      await writeCharacterFile(at(`${name}.glb`), fileFromCharacter(character), character.weights);
    }
  });
  afterEach(() => void vi.unstubAllEnvs());

  const bind = (out: string, ...more: string[]) =>
    runCli("bind", at("new.glb"), at(out), "--model", at("small.onnx"), "--threads", "1", ...more);

  test("writes the same bytes with and without the cache, and reports what was learned", async () => {
    const first = await bind("a.glb", "--like", at("rigs"), "--report", at("r.json"));
    expect(first.stderr).toBe("");
    expect(first.stdout).toMatch(/learned +from hero\.glb, villain\.glb/);
    const { learned } = JSON.parse(readFileSync(at("r.json"), "utf8"));
    expect(learned.leftOut).toBe(true);
    expect(learned.examples.map(({ name }: { name: string }) => name)).toEqual([
      "hero.glb",
      "villain.glb",
    ]);
    expect(readdirSync(at("cache/heterskin"))).toHaveLength(1);
    const each = ["--like", at("rigs/hero.glb"), "--like", at("rigs/villain.glb")];
    await bind("b.glb", ...each);
    await bind("c.glb", ...each, "--no-cache");
    const [a, b, c] = ["a", "b", "c"].map((name) => readFileSync(at(`${name}.glb`)));
    expect(b).toEqual(a);
    expect(c).toEqual(a);
    await bind("plain.glb");
    expect(readFileSync(at("plain.glb"))).not.toEqual(a);
    expect(readdirSync(at("cache/heterskin"))).toHaveLength(1);
  });

  test("in a batch learns once, and a second run has nothing to do", async () => {
    mkdirSync(at("in"));
    const file = readFileSync(at("new.glb"));
    for (const name of ["x", "y"]) writeFileSync(at(`in/${name}.glb`), file);
    const run = () =>
      runCli(
        "batch",
        at("in"),
        at("out"),
        "--jobs",
        "1",
        "--model",
        at("small.onnx"),
        "--like",
        at("rigs/hero.glb"),
      );
    const first = await run();
    expect(first).toMatchObject({ status: 0, stderr: "" });
    expect((await run()).stdout).toContain("2 of 2 files are up to date");
    expect(readFileSync(at("out/x.glb"))).toEqual(readFileSync(at("out/y.glb")));
  });

  test("and adapt save the style as a model", async () => {
    const made = await runCli(
      "adapt",
      at("rigs/hero.glb"),
      "--out",
      at("mine.onnx"),
      "--model",
      at("small.onnx"),
      "--threads",
      "1",
    );
    expect(made).toMatchObject({ status: 0, stderr: "" });
    expect(made.stdout).toMatch(/L1 [\d.]+ before.*\(on itself\)/);
    const learned = await bind("learned.glb", "--like", at("rigs/hero.glb"));
    expect(learned.status).toBe(0);
    await runCli(
      "bind",
      at("new.glb"),
      at("kept.glb"),
      "--model",
      at("mine.onnx"),
      "--threads",
      "1",
    );
    expect(readFileSync(at("kept.glb"))).toEqual(readFileSync(at("learned.glb")));
  });

  test.each<[string, string[], RegExp]>([
    ["a missing file", ["none.glb"], /none\.glb: no such file or folder to learn from/],
    ["a folder without characters", ["empty"], /empty: no rigged characters in it/],
    ["a broken file", ["broken.glb"], /broken\.glb/],
    ["a mesh without a skeleton", ["bare.obj"], /bare\.obj/],
  ])("refuses %s by its name", async (_, names, message) => {
    mkdirSync(at("empty"));
    writeFileSync(at("broken.glb"), "glTF, or is it");
    writeFileSync(at("bare.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    const run = await bind("out.glb", ...names.flatMap((name) => ["--like", at(name)]));
    expect(run.status).toBe(1);
    expect(run.stderr).toMatch(message);
  });

  test("is refused for a method without a network", async () => {
    const run = await runCli(
      "bind",
      at("new.glb"),
      at("out.glb"),
      "--method",
      "heat",
      "--like",
      at("rigs"),
    );
    expect(run.status).toBe(1);
    expect(run.stderr).toContain("(--like)");
  });
});
