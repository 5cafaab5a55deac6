import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { makeSample } from "../samples/index.ts";
import type { Character } from "../src/character/character.ts";
import { readCharacterFile } from "../src/disk/character-files.ts";
import { fileFromCharacter, writeCharacter } from "../src/formats/index.ts";
import { readRow, weightIn } from "../src/weights/skin-weights.ts";
import { runCli, useFolder } from "./helpers/run-cli.ts";
import { validateGltf } from "./helpers/validate-gltf.ts";

const folder = useFolder();

/** The sample with its known weights, as a file. */
function writeSample(name: string, file: string): Character {
  const character = makeSample(name);
  const source = fileFromCharacter(character);
  const bytes = writeCharacter(source, character.weights!, { maxInfluences: 8 }).bytes;
  writeFileSync(file, bytes);
  return character;
}

async function readOutput(): Promise<Character> {
  expect(await validateGltf(readFileSync(folder.at("out.glb")))).toEqual([]);
  return (await readCharacterFile(folder.at("out.glb"))).character;
}

describe("bind", () => {
  test("finishes as its options say", async () => {
    const { mesh, skeleton } = writeSample("fish", folder.at("in.glb"));
    const before = (await readCharacterFile(folder.at("in.glb"))).character.weights!;
    const locked = skeleton.names[3];
    const run = await runCli(
      "bind",
      folder.at("in.glb"),
      folder.at("out.glb"),
      "--method",
      "inverse-distance",
      "--smooth",
      "2",
      "--mirror",
      "x",
      "--lock",
      locked,
      "--exclude",
      skeleton.names[5],
      "--adapt",
      "0",
      "--rigid-islands",
      "--max-influences",
      "8",
    );
    expect(run.stderr).toBe("");
    expect(run.status).toBe(0);
    const { weights } = await readOutput();
    const vertices = mesh.positions.length / 3;
    expect(weights).toBeSkinWeights(vertices, skeleton.parents.length);
    const off = Array.from({ length: vertices }, (_, vertex) => {
      const [row, kept] = [readRow(weights!, vertex), readRow(before, vertex)];
      return Math.max(weightIn(row, 5), Math.abs(weightIn(row, 3) - weightIn(kept, 3)));
    });
    expect(Math.max(...off)).toBeLessThan(1e-5);
  });

  test.each<[string[], RegExp]>([
    [["--lock", "wing"], /no joint "wing" to lock/],
    [["--mirror", "w"], /--mirror must be one of x, y, z/],
    [["--smooth", "1.5"], /--smooth must be an integer/],
  ])("refuses %j", async (options, says) => {
    writeSample("fish", folder.at("in.glb"));
    const argv = ["bind", folder.at("in.glb"), folder.at("out.glb"), ...options];
    const run = await runCli(...argv, "--method", "inverse-distance");
    expect(run.stderr).toMatch(says);
    expect(run.status).toBe(1);
  });
});

describe("transfer", () => {
  test("gives a mesh without joints the skeleton and weights of a body", async () => {
    const { mesh, skeleton, weights } = writeSample("fish", folder.at("body.glb"));
    const lines = [...mesh.positions.keys()]
      .filter((i) => i % 3 === 0)
      .map((i) => `v ${mesh.positions.subarray(i, i + 3).join(" ")}`);
    for (let i = 0; i < mesh.triangles.length; i += 3) {
      lines.push(`f ${[...mesh.triangles.subarray(i, i + 3)].map((v) => v + 1).join(" ")}`);
    }
    writeFileSync(folder.at("coat.obj"), lines.join("\n"));
    const argv = ["transfer", folder.at("body.glb"), folder.at("coat.obj"), folder.at("out.glb")];
    const run = await runCli(...argv, "--max-influences", "8");
    expect(run.stderr).toBe("");
    expect(run.stdout).toMatch(/^matched +3952 \(100 %\)/m);
    const coat = await readOutput();
    expect(coat.skeleton.names).toEqual(skeleton.names);
    let off = 0;
    for (let vertex = 0; vertex < mesh.positions.length / 3; vertex++) {
      const [row, known] = [readRow(coat.weights!, vertex), readRow(weights!, vertex)];
      known.joints.forEach((joint, i) => {
        off = Math.max(off, Math.abs(weightIn(row, joint) - known.values[i]));
      });
    }
    // The default prunes what is below a hundredth of the largest.
    expect(off).toBeLessThan(0.02);
    expect((await runCli(...argv)).status).toBe(1);
  });
});

describe("refine", () => {
  test("prints less bleed after than before", async () => {
    writeSample("fish", folder.at("in.glb"));
    const argv = ["bind", folder.at("in.glb"), folder.at("bound.glb")];
    await runCli(...argv, "--method", "inverse-distance", "--adapt", "0", "--prune", "0");
    const run = await runCli("refine", folder.at("bound.glb"), folder.at("out.glb"));
    expect(run.stderr).toBe("");
    const [before, after] = [...run.stdout.matchAll(/([\d.]+) %/g)].map(([, value]) => +value);
    expect(before).toBeGreaterThan(0);
    expect(after).toBeLessThan(before);
    const { mesh, skeleton, weights } = await readOutput();
    expect(weights).toBeSkinWeights(mesh.positions.length / 3, skeleton.parents.length);
  });
});
