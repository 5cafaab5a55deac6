/** Devices, pipes and folders in every path argument are refused in a sentence, without waiting. */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { InputError } from "../../src/input-error.ts";
import { readArray } from "../../src/serve/lines/requests.ts";
import { glbOf, tube } from "../helpers/odd-characters.ts";
import { runCli, useFolder } from "../helpers/run-cli.ts";

const folder = useFolder();
const at = (name: string) => folder.at(name);

const COMMANDS: [string, (odd: string) => string[]][] = [
  ["an input of bind", (odd) => ["bind", odd, at("out.glb")]],
  ["a skeleton", (odd) => ["bind", at("a.glb"), at("out.glb"), "--skeleton", odd]],
  ["a model", (odd) => ["bind", at("a.glb"), at("out.glb"), "--model", odd]],
  ["an example", (odd) => ["bind", at("a.glb"), at("out.glb"), "--like", odd]],
  ["a report", (odd) => ["bind", at("a.glb"), at("out.glb"), "--force", "--report", odd]],
  ["an input of inspect", (odd) => ["inspect", odd]],
  ["an input of refine", (odd) => ["refine", odd, at("out.glb")]],
  ["a source of transfer", (odd) => ["transfer", odd, at("a.glb"), at("out.glb")]],
  ["a target of transfer", (odd) => ["transfer", at("a.glb"), odd, at("out.glb")]],
  ["a list", (odd) => ["batch", at("in"), at("out"), "--list", odd]],
  ["a model of export", (odd) => ["export", odd, at("out.onnx")]],
  ["an example of adapt", (odd) => ["adapt", odd, at("out.onnx")]],
];

describe.skipIf(process.platform !== "linux")("an odd path", () => {
  const cases = COMMANDS.flatMap(([what, argv]) =>
    ["pipe.glb", "folder.glb", "/dev/zero"].map((odd) => [odd, what, argv] as const),
  );
  test.each(cases)("%s as %s", async (odd, what, argv) => {
    mkdirSync(at("in"));
    for (const name of ["a.glb", "in/a.glb"]) writeFileSync(at(name), glbOf(tube()));
    if (odd === "pipe.glb") execFileSync("mkfifo", [at(odd)]);
    if (odd === "folder.glb") mkdirSync(at(odd));
    const run = await runCli(...argv(odd.startsWith("/") ? odd : at(odd)));
    expect(run.stderr, what).toMatch(/^heterskin: [^\n]{10,400}\n$/);
    expect(run.status).toBe(1);
  });

  test.each(["pipe", "/dev/zero"])("%s as an array of the worker", (odd) => {
    if (odd === "pipe") execFileSync("mkfifo", [at(odd)]);
    const file = odd.startsWith("/") ? odd : at(odd);
    expect(() => readArray({ type: "f32", file }, "f32", "mesh.positions")).toThrow(InputError);
  });

  test("a pipe as an output is not replaced, even by force", async () => {
    writeFileSync(at("a.glb"), glbOf(tube()));
    execFileSync("mkfifo", [at("out.glb")]);
    const run = await runCli("bind", at("a.glb"), at("out.glb"), "--force", "--method", "heat");
    expect([run.status, run.stderr]).toEqual([1, expect.stringMatching(/device or a pipe/)]);
  });
});
