import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readCharacterFile } from "../src/disk/character-files.ts";
import { glbOf, ODD_CHARACTERS, tube } from "./helpers/odd-characters.ts";
import { runCli, useFolder } from "./helpers/run-cli.ts";
import { validateGltf } from "./helpers/validate-gltf.ts";

const folder = useFolder();

/** One sentence on one line, after the program's name. */
const SENTENCE = /^heterskin: [^\n]{10,400}\n$/;

const METHODS = ["network", "heat", "geodesic-voxel"];

/** Validator messages about the output that the input does not have. */
async function newProblems(input: string, output: string): Promise<unknown[]> {
  const known = new Set((await validateGltf(readFileSync(input))).map(({ code }) => code));
  return (await validateGltf(readFileSync(output))).filter(({ code }) => !known.has(code));
}

const PLAIN = glbOf(tube());

/** Runs a command that writes weights: they are valid, or one sentence states why there are none. */
async function expectWeightsOrSentence(...args: string[]): Promise<void> {
  const output = folder.at("out.glb");
  const run = await runCli(...args, output, "--force");
  if (run.status !== 0) {
    expect(run.stderr, args[0]).toMatch(SENTENCE);
    expect(run.status).toBe(1);
    return;
  }
  const { mesh, skeleton, weights } = (await readCharacterFile(output)).character;
  expect(weights, args[0]).toBeSkinWeights(mesh.positions.length / 3, skeleton.parents.length);
}

describe("any input", () => {
  test.each(ODD_CHARACTERS)("$what", async ({ make, refused, check }) => {
    const input = folder.at("in.glb");
    writeFileSync(input, make());
    const inspected = await runCli("inspect", input);
    if (inspected.status !== 0) expect(inspected.stderr).toMatch(SENTENCE);
    expect(inspected.status).toBeLessThan(2);
    for (const method of METHODS) {
      const output = folder.at(`${method}.glb`);
      const run = await runCli("bind", input, output, "--method", method);
      if (refused) {
        expect(run.stderr).toMatch(SENTENCE);
        expect(run.stderr).toMatch(refused);
        expect(run.status).toBe(1);
        continue;
      }
      expect(run).toMatchObject({ status: 0 });
      const { character } = await readCharacterFile(output);
      const { mesh, skeleton, weights } = character;
      expect(weights).toBeSkinWeights(mesh.positions.length / 3, skeleton.parents.length);
      check?.(character);
      expect(await newProblems(input, output)).toEqual([]);
    }
    writeFileSync(folder.at("plain.glb"), PLAIN);
    await expectWeightsOrSentence("transfer", folder.at("plain.glb"), input);
    await expectWeightsOrSentence("transfer", input, folder.at("plain.glb"));
    await expectWeightsOrSentence("refine", input);
    const scored = await runCli("evaluate", input, "--methods", "heat", "--jobs", "1");
    expect(scored.stderr).not.toMatch(/fault of ours|TypeError|RangeError|not a function/);
    expect(scored.status).toBeLessThan(2);
  });
});
