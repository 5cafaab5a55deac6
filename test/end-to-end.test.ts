import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readCharacterFile } from "../src/disk/character-files.ts";
import { testBoundSamples, writeSample } from "./helpers/bind-samples.ts";
import { tubeGlb } from "./helpers/glb-builder.ts";
import { runCli, useFolder } from "./helpers/run-cli.ts";
import { FEW_SAMPLES } from "./helpers/small-sample.ts";
import { validateGltf } from "./helpers/validate-gltf.ts";

const folder = useFolder();

describe("bind", () => {
  testBoundSamples(FEW_SAMPLES, folder);

  test("writes a report and a picture, and prints nothing with --quiet", async () => {
    const { mesh } = writeSample("mushroom", folder.at("in.glb"));
    const run = await runCli(
      "bind",
      folder.at("in.glb"),
      folder.at("out.glb"),
      "--quiet",
      "--max-influences",
      "8",
      "--report",
      folder.at("r.json"),
      "--picture",
      folder.at("p.png"),
    );
    expect(run).toEqual({ status: 0, stdout: "", stderr: "" });
    const report = JSON.parse(readFileSync(folder.at("r.json"), "utf8"));
    expect(report.input).toMatchObject({ file: "in.glb", vertices: mesh.positions.length / 3 });
    expect(report.output).toEqual({ file: "out.glb", maxInfluences: 8 });
    expect(report.check).toEqual({ ok: true, problems: [] });
    expect(report.influences).toHaveLength(9);
    expect(report.influences.reduce((a: number, b: number) => a + b)).toBe(report.input.vertices);
    expect(Object.keys(report.timings)).toEqual(
      expect.arrayContaining(["read", "prepare", "finish", "write"]),
    );
    expect([...readFileSync(folder.at("p.png")).subarray(1, 4)]).toEqual([80, 78, 71]);
    expect(folder.list()).toEqual(["in.glb", "out.glb", "p.png", "r.json"]);
  });

  test("takes the skeleton of another file", async () => {
    writeSample("fish", folder.at("fish.glb"));
    const octopus = writeSample("octopus", folder.at("octopus.glb"));
    const run = await runCli(
      "bind",
      folder.at("fish.glb"),
      folder.at("out.glb"),
      "--skeleton",
      folder.at("octopus.glb"),
      "--method",
      "inverse-distance",
    );
    expect(run.status).toBe(0);
    expect(await validateGltf(readFileSync(folder.at("out.glb")))).toEqual([]);
    const { character } = await readCharacterFile(folder.at("out.glb"));
    expect(character.skeleton.names).toEqual(octopus.skeleton.names);
  });

  test("reports what still depends on replaced joints", async () => {
    const { builder } = tubeGlb({ rings: 8 });
    const input = builder.add(Float32Array.of(0, 1), "SCALAR", { min: [0], max: [1] });
    const output = builder.add(Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1), "VEC4");
    const channels = [{ sampler: 0, target: { node: 4, path: "rotation" } }];
    builder.json.animations = [{ name: "bend", channels, samplers: [{ input, output }] }];
    builder.json.extensionsUsed = ["VRMC_vrm"];
    builder.json.extensions = { VRMC_vrm: { specVersion: "1.0", humanoid: { humanBones: {} } } };
    writeFileSync(folder.at("tube.vrm"), builder.glb());
    const argv = ["bind", folder.at("tube.vrm"), folder.at("out.vrm"), "--method", "euclid"];
    expect((await runCli(...argv)).stderr).toBe("");
    const run = await runCli(...argv, "--force", "--skeleton", "template:snake");
    expect(run.stderr).toContain("note: 1 animation targets the original joints");
    expect(run.stderr).toContain("note: The VRM bones refer to the original joints");
  });

  test("names its output after the input, and overwrites only with --force", async () => {
    writeSample("mushroom", folder.at("some.one.glb"));
    const argv = ["bind", folder.at("some.one.glb"), "--method", "inverse-distance"];
    expect((await runCli(...argv)).status).toBe(0);
    expect(folder.list()).toEqual(["some.one.glb", "some.one.skinned.glb"]);
    const first = readFileSync(folder.at("some.one.skinned.glb"));
    expect((await runCli(...argv)).status).toBe(1);
    writeFileSync(folder.at("some.one.skinned.glb"), "old");
    expect((await runCli(...argv, "--force")).status).toBe(0);
    expect(readFileSync(folder.at("some.one.skinned.glb")).equals(first)).toBe(true);
  });

  test("reports its output, and names the input first if both paths are wrong", async () => {
    writeSample("mushroom", folder.at("in.glb"));
    const output = folder.at("out.glb");
    const run = await runCli("bind", folder.at("in.glb"), output, "--method", "euclid");
    expect(run.stdout).toContain(`written     ${output}\n`);
    const wrong = folder.at("no-folder/x.glb");
    expect((await runCli("bind", wrong)).stderr).toBe(`heterskin: ${wrong}: no such file.\n`);
  });

  test("does not bind a skeleton without a mesh, and explains its use", async () => {
    const nodes = [
      { name: "a", children: [1] },
      { name: "b", translation: [0, 1, 0] },
    ];
    const json = { asset: { version: "2.0" }, scene: 0, scenes: [{ nodes: [0] }], nodes };
    writeFileSync(folder.at("bare.gltf"), JSON.stringify(json));
    const run = await runCli("bind", folder.at("bare.gltf"), folder.at("out.glb"));
    expect(run.status).toBe(1);
    expect(run.stderr).toMatch(/no mesh in this file.*--skeleton/);
    const inspected = await runCli("inspect", folder.at("bare.gltf"), "--json");
    expect(JSON.parse(inspected.stdout)).toMatchObject({ joints: 2, vertices: 0, meshes: 0 });
  });

  test("writes a .gltf with its buffer next to it", async () => {
    writeSample("mushroom", folder.at("in.glb"));
    mkdirSync(folder.at("to"));
    const argv = ["bind", folder.at("in.glb"), folder.at("to/out.gltf")];
    expect((await runCli(...argv, "--method", "inverse-distance")).status).toBe(0);
    const besides = folder.list().filter((name) => name.startsWith("to/") && !/gltf$/.test(name));
    const files = besides.map((name) => [name.slice(3), readFileSync(folder.at(name))] as const);
    expect(await validateGltf(readFileSync(folder.at("to/out.gltf")), new Map(files))).toEqual([]);
  });
});

describe("inspect", () => {
  test("prints the counts of the sample as text and as JSON", async () => {
    const { mesh, skeleton } = writeSample("robot", folder.at("robot.glb"));
    const json = await runCli("inspect", folder.at("robot.glb"), "--json");
    const vertices = mesh.positions.length / 3;
    expect(JSON.parse(json.stdout)).toMatchObject({
      name: "robot",
      format: "glb",
      meshes: 1,
      vertices,
      triangles: mesh.triangles.length / 3,
      joints: skeleton.parents.length,
      influences: expect.arrayContaining([0, vertices]),
    });
    const text = await runCli("inspect", folder.at("robot.glb"), "--verbose");
    expect(text.stdout).toContain(`${skeleton.parents.length}, 1 root`);
    expect(text.stdout).toMatch(/^ {2}other {7}(?:nothing|\d+ \w+)/m);
    for (const name of skeleton.names) expect(text.stderr).toContain(name);
  });
});

describe("the program", () => {
  test("lists its commands and explains each", async () => {
    const { stdout, status } = await runCli("--help");
    expect(status).toBe(0);
    for (const name of ["bind", "inspect"]) {
      expect(stdout).toContain(`  ${name} `);
      const help = await runCli(name, "--help");
      expect(help.status).toBe(0);
      expect(help.stdout).toContain(`Usage: heterskin ${name}`);
      expect(await runCli("help", name)).toEqual(help);
    }
  });

  test("shows a default only if there is one", async () => {
    expect((await runCli("train", "--help")).stdout).not.toContain("Default: .");
  });

  test.each<[string[], number, RegExp]>([
    [["bnid"], 1, /did you mean bind/],
    [["toString"], 1, /no command/],
    [["bind", "x.glb", "--metod", "heat"], 1, /did you mean --method/],
    [["bind", "x.glb", "--method", "haet"], 1, /did you mean heat/],
    [
      ["bind", "-qx.glb"],
      1,
      /no option -x; write a file name that starts with a dash as \.\/-qx\.glb/,
    ],
    [["bind"], 1, /usage: heterskin bind/],
    [[], 1, /No command given/],
  ])("answers %j with a hint", async (argv, status, says) => {
    const run = await runCli(...argv);
    expect(run.stderr).toMatch(says);
    expect(run.status).toBe(status);
  });

  test.each([
    ["heat", "m.onnx", /the method heat runs no network; .*(--model)/],
    ["paper", "none.onnx", /none\.onnx: this model cannot be read/],
  ])("reports a wrong model for %s, and writes nothing", async (method, model, says) => {
    writeSample("mushroom", folder.at("in.glb"));
    const run = await runCli("bind", folder.at("in.glb"), "--method", method, "--model", model);
    expect(run.stderr).toMatch(says);
    expect(run.status).toBe(1);
    expect(folder.list()).toEqual(["in.glb"]);
  });

  test("runs from the build, with exit status and version", () => {
    const heterskin = (...argv: string[]) =>
      spawnSync(process.execPath, ["bin/heterskin.js", ...argv], { encoding: "utf8" });
    const { version } = JSON.parse(readFileSync("package.json", "utf8"));
    for (const word of ["--version", "-v", "version"]) {
      expect(heterskin(word).stdout).toBe(`${version}\n`);
    }
    const failed = heterskin("inspect", "no-such-file.glb");
    expect(failed.stderr).toBe("heterskin: no-such-file.glb: no such file.\n");
    expect(failed.status).toBe(1);
  });
});

describe("the package", () => {
  test("can be imported by each of its entry points, from the build", () => {
    const { name, exports } = JSON.parse(readFileSync("package.json", "utf8"));
    const entries = Object.keys(exports)
      .filter((entry) => !entry.includes("*") && !entry.endsWith(".json"))
      .map((entry) => entry.replace(".", name));
    const script = `for (const entry of ${JSON.stringify(entries)}) {
      const { default: none, ...named } = await import(entry);
      console.log(entry, Object.keys(named).length > 0 && none === undefined);
    }`;
    const run = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
      encoding: "utf8",
    });
    expect(run.stdout).toBe(entries.map((entry) => `${entry} true\n`).join(""));
  });
});
