import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { makeSample } from "../samples/index.ts";
import type { Character } from "../src/character/character.ts";
import { readCharacterFile } from "../src/disk/character-files.ts";
import { glbFromCharacter } from "../src/formats/file-from-character.ts";
import { fileFromCharacter, writeCharacter } from "../src/formats/index.ts";
import { readRow, weightIn } from "../src/weights/skin-weights.ts";
import { tubeGlb } from "./helpers/glb-builder.ts";
import { largestDifference } from "./helpers/largest-difference.ts";
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
  test("applies the finishing options", async () => {
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
  test("transfers the skeleton and weights of a body to a mesh without joints", async () => {
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
    // The default prunes weights below a hundredth of the largest.
    expect(off).toBeLessThan(0.02);
    expect((await runCli(...argv)).status).toBe(1);
  });
});

describe("transfer to a file that has the skeleton", () => {
  /** The skins of a GLB by the names of their joints, and the number of nodes. */
  const skinsIn = (name: string) => {
    const bytes = readFileSync(folder.at(name));
    const json = JSON.parse(bytes.toString("utf8", 20, 20 + bytes.readUInt32LE(12)));
    const nameOf = (node: number): string => json.nodes[node].name;
    const skinned = json.nodes.filter((node: { skin?: number }) => node.skin !== undefined);
    const joints: number[] = json.skins[skinned[0].skin].joints;
    return {
      nodes: json.nodes.length,
      joints,
      names: joints.map(nameOf),
      skins: json.skins.length,
    };
  };
  const transfer = (...more: string[]) =>
    runCli("transfer", folder.at("body.glb"), folder.at("lod.glb"), folder.at("out.glb"), ...more);

  test("keeps its joints, and adds none", async () => {
    writeSample("fish", folder.at("body.glb"));
    writeSample("fish", folder.at("lod.glb"));
    const run = await transfer("--max-influences", "8");
    expect([run.status, run.stderr]).toEqual([0, ""]);
    expect(skinsIn("out.glb")).toEqual(skinsIn("lod.glb"));
    expect(
      largestDifference((await readOutput()).weights!, makeSample("fish").weights!),
    ).toBeLessThan(0.02);
  });

  test("adds only missing joints", async () => {
    const body = makeSample("fish");
    writeSample("fish", folder.at("body.glb"));
    // The level of detail lacks the last joint of a chain, whose weight goes to its parent.
    const { parents } = body.skeleton;
    const tip = [...parents.keys()].findLast((joint) => !parents.includes(joint))!;
    const renumber = (joint: number) =>
      joint === tip ? parents[tip] : joint > tip ? joint - 1 : joint;
    const keep = (joint: number) => joint !== tip;
    const lod = {
      ...body,
      skeleton: {
        names: body.skeleton.names.filter((_, joint) => keep(joint)),
        parents: parents.filter((_, joint) => keep(joint)).map((p) => (p < 0 ? p : renumber(p))),
        positions: body.skeleton.positions.filter((_, i) => keep(Math.floor(i / 3))),
      },
      weights: { ...body.weights!, joints: body.weights!.joints.map(renumber) },
    };
    writeFileSync(folder.at("lod.glb"), glbFromCharacter(lod));
    const before = skinsIn("lod.glb");
    expect((await transfer()).status).toBe(0);
    const after = skinsIn("out.glb");
    expect(after.nodes).toBe(before.nodes + 1);
    expect(after.skins).toBe(before.skins);
    expect(after.names).toEqual([...before.names, body.skeleton.names[tip]]);
  });

  test("reports differing skeletons, and refuses a mesh at another position", async () => {
    writeSample("fish", folder.at("body.glb"));
    const { mesh, skeleton, weights } = makeSample("fish");
    const names = skeleton.names.map((_, joint) => `other${joint}`);
    const lod = { name: "lod", mesh, skeleton: { ...skeleton, names }, weights: weights! };
    writeFileSync(folder.at("lod.glb"), glbFromCharacter(lod));
    expect((await transfer()).stderr).toMatch(/another skeleton/);
    const far = { ...lod, mesh: { ...mesh, positions: mesh.positions.map((x) => x + 100) } };
    writeFileSync(folder.at("lod.glb"), glbFromCharacter(far));
    const refused = await transfer("--force");
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringMatching(/near the source/)]);
    const { builder } = tubeGlb();
    for (const node of builder.json.nodes) delete node.mesh;
    writeFileSync(folder.at("lod.glb"), builder.glb());
    const { stderr: bare } = await transfer("--force");
    expect(bare).toMatch(/lod\.glb: the file has no mesh; name the mesh to receive/);
    const shift = (x: number, i: number) => (i < 300 ? x : x + 100);
    const torn = { ...lod, mesh: { ...mesh, positions: mesh.positions.map(shift) } };
    writeFileSync(folder.at("lod.glb"), glbFromCharacter(torn));
    const { stderr } = await transfer("--force");
    expect(stderr).toMatch(/Only \d+ of \d+ vertices are near the source; check that both/);
  });
});

describe("refine", () => {
  test("reports less bleed after than before", async () => {
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
