/** `--like` at full length, with the default model; `like.test.ts` learns in a few steps. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { readCharacterFile, writeCharacterFile } from "../src/disk/character-files.ts";
import { fileFromCharacter } from "../src/formats/file-from-character.ts";
import { runCli, useOneFolder } from "./helpers/run-cli.ts";
import { smallSample } from "./helpers/small-sample.ts";

const { at } = useOneFolder();
beforeAll(() => void vi.stubEnv("XDG_CACHE_HOME", at("cache")));
afterAll(() => void vi.unstubAllEnvs());

test("an example on one joint draws the weights of its kin to that joint", async () => {
  const fish = await smallSample("fish", 600);
  const vertices = fish.mesh.positions.length / 3;
  const one = {
    influences: 1,
    joints: new Uint16Array(vertices).fill(1),
    weights: new Float32Array(vertices).fill(1),
  };
  await writeCharacterFile(at("example.glb"), fileFromCharacter({ ...fish, weights: one }), one);
  await writeCharacterFile(at("fish.glb"), fileFromCharacter(fish), fish.weights);
  const run = await runCli(
    "bind",
    at("fish.glb"),
    at("out.glb"),
    "--like",
    at("example.glb"),
    "--report",
    at("report.json"),
  );
  expect(run).toMatchObject({ status: 0, stderr: "" });
  const { learned } = JSON.parse(readFileSync(at("report.json"), "utf8"));
  expect(learned.examples[0].after).toBeLessThan(learned.examples[0].before);
  const { joints, influences } = (await readCharacterFile(at("out.glb"))).character.weights!;
  const first = joints.filter((_, i) => i % influences === 0);
  expect(first.filter((joint) => joint === 1).length).toBeGreaterThan(0.8 * first.length);
});
