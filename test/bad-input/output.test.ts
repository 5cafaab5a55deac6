import { mkdirSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { glbOf, tube } from "../helpers/odd-characters.ts";
import { runCli, useFolder } from "../helpers/run-cli.ts";

const folder = useFolder();

const glb = () => glbOf(tube());

describe("bad output", () => {
  test.each<[string, (file: string) => void, string, RegExp]>([
    ["a folder that does not exist", () => {}, "none/out.glb", /folder .* does not exist/],
    ["a folder that is a file", () => {}, "in.glb/out.glb", /folder .* does not exist/],
    ["a folder at the path of the output", (file) => mkdirSync(file), "out.glb", /folder/],
    ["a format that cannot be written", () => {}, "out.obj", /unsupported output format/],
    ["a DAE from another format", () => {}, "out.dae", /only be written if the input is \.dae/],
    ["an existing file", (file) => writeFileSync(file, "mine"), "out.glb", /--force/],
  ])("%s is refused before any work", async (_, make, name, says) => {
    writeFileSync(folder.at("in.glb"), glb());
    make(folder.at(name));
    const before = folder.list();
    const run = await runCli("bind", folder.at("in.glb"), folder.at(name));
    expect(run.stderr).toMatch(says);
    expect(run.status).toBe(1);
    expect(folder.list()).toEqual(before);
  });

  test.skipIf(process.platform !== "linux")("a read-only folder is refused", async () => {
    writeFileSync(folder.at("in.glb"), glb());
    const run = await runCli("bind", folder.at("in.glb"), "/proc/out.glb");
    expect(run.stderr).toMatch(/^heterskin: \/proc\/out\.glb: [^\n]+\n$/);
    expect(run.status).toBe(1);
  });

  test.each([
    ["--report", "none/r.json"],
    ["--picture", "none/p.png"],
    ["--picture", "p.jpg"],
    ["--report", "out.glb"],
    ["--report", "in.glb"],
  ])("%s %s is refused before anything is written", async (option, name) => {
    writeFileSync(folder.at("in.glb"), glb());
    const run = await runCli(
      "bind",
      folder.at("in.glb"),
      folder.at("out.glb"),
      option,
      folder.at(name),
    );
    expect(run.status).toBe(1);
    expect(folder.list()).toEqual(["in.glb"]);
  });
});
