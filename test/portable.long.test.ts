import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, renameSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { describe, expect, test, vi } from "vitest";
import { makeSample } from "../samples/index.ts";
import { prepareCharacter } from "../src/character/prepare-character.ts";
import { writeCharacterFile } from "../src/disk/character-files.ts";
import { fileFromCharacter } from "../src/formats/file-from-character.ts";
import { loadMethod } from "../src/methods/methods.ts";
import type { SkinWeights } from "../src/weights/skin-weights.ts";
import { smallFish } from "./helpers/doc-folder.ts";
import { useFolder } from "./helpers/run-cli.ts";

const model = new Uint8Array(readFileSync("models/heterskin.onnx"));

/** Packages that a plain install does not include, and the one that only training needs. */
const OPTIONAL = [
  "onnxruntime-node",
  "onnxruntime-web",
  "three",
  "@gltf-transform/core",
  "sharp",
  "@jax-js/jax",
];

describe("WebAssembly in Node", () => {
  test.each(["fox", "fish", "robot"])(
    "computes the native library's weights of %s",
    async (name) => {
      const solve = await loadMethod("network");
      const prepared = prepareCharacter(makeSample(name));
      const native = await solve(prepared, { model, provider: "cpu", threads: 1 });
      const portable = await solve(prepared, { model, provider: "wasm" });
      expect(largestDifference(native.weights, portable.weights)).toBeLessThan(1e-4);
    },
  );
});

describe("the program without optional packages", { timeout: 240_000 }, () => {
  const { at, list } = useFolder();
  const run = (...args: string[]) =>
    spawnSync(
      process.execPath,
      [
        "--import",
        pathToFileURL("test/helpers/deny-packages.mjs").href,
        "bin/heterskin.js",
        ...args,
      ],
      { encoding: "utf8", env: { ...process.env, DENIED: OPTIONAL.join() } },
    );
  const writeFish = async () => {
    const fish = await smallFish();
    await writeCharacterFile(at("fish.glb"), fileFromCharacter(fish), fish.weights!);
  };

  test("binds with the network, and the report states where it ran and why", async () => {
    await writeFish();
    const { status, stderr } = run("bind", at("fish.glb"), at("out.glb"), "--report", at("r.json"));
    expect(stderr).toBe("");
    expect(status).toBe(0);
    const report = JSON.parse(readFileSync(at("r.json"), "utf8"));
    expect(report.provider).toEqual({
      provider: "wasm",
      reason: "onnxruntime-node is not installed",
    });
  });

  test("learns from a character", async () => {
    await writeFish();
    const { status, stderr, stdout } = run(
      "bind",
      at("fish.glb"),
      at("out.glb"),
      "--like",
      at("fish.glb"),
      "--no-cache",
    );
    expect(stderr).toBe("");
    expect(status).toBe(0);
    expect(stdout).toMatch(/learned +from fish\.glb/);
  });

  test("ignores a native library that does not fit the machine", async () => {
    await writeFish();
    vi.stubEnv("DENIED_CODE", "MODULE_NOT_FOUND");
    const { stdout, status } = run("bind", at("fish.glb"), at("out.glb"));
    vi.unstubAllEnvs();
    expect(status).toBe(0);
    expect(stdout).toContain("wasm (onnxruntime-node cannot be loaded (");
  });

  test("evaluates, and binds a batch", async () => {
    await writeFish();
    const wanted = ["--methods", "network", "--json", at("scores.json"), "--jobs", "1"];
    expect(run("evaluate", at("fish.glb"), ...wanted).status).toBe(0);
    const scores = JSON.parse(readFileSync(at("scores.json"), "utf8"));
    expect(scores.methods.network.l1).toBeGreaterThan(0);
    mkdirSync(at("rigs"));
    renameSync(at("fish.glb"), at("rigs/fish.glb"));
    expect(run("batch", at("rigs"), at("out"), "--jobs", "1").status).toBe(0);
    expect(list()).toContain("out/fish.glb");
  });

  test("reports in one sentence what training needs", async () => {
    await writeFish();
    const { status, stderr } = run("train", at("fish.glb"), "--out", at("run"));
    expect(status).toBe(1);
    expect(stderr).toBe(
      "heterskin: Training needs the package onnxruntime-node, which is not installed; install it with npm.\n",
    );
  });

  test("reports what is missing if a native provider is requested", async () => {
    await writeFish();
    const { status, stderr } = run("bind", at("fish.glb"), at("out.glb"), "--provider", "cpu");
    expect(status).toBe(1);
    expect(stderr).toContain("onnxruntime-node is not installed");
  });
});

/** The largest difference between two sets of weights, in any order of slots. */
function largestDifference(a: SkinWeights, b: SkinWeights): number {
  let largest = 0;
  for (let v = 0; v * a.influences < a.weights.length; v++) {
    const row = new Map<number, number>();
    const add = ({ influences, joints, weights }: SkinWeights, sign: number) => {
      for (let slot = v * influences; slot < (v + 1) * influences; slot++) {
        row.set(joints[slot], (row.get(joints[slot]) ?? 0) + sign * weights[slot]);
      }
    };
    add(a, 1);
    add(b, -1);
    for (const difference of row.values()) largest = Math.max(largest, Math.abs(difference));
  }
  return largest;
}
