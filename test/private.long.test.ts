/** The commands that learn write only the requested files and those that the documentation names. */
import { describe, test } from "vitest";
import { expectNothingLeft, useOfflineRuns } from "./helpers/offline-run.ts";

const runs = useOfflineRuns();
const { at, run } = runs;

describe("under a fresh home, without a network", { timeout: 600_000 }, () => {
  expectNothingLeft(runs, /^home\/\.cache\/heterskin\/[0-9a-f]+\.onnx$/);

  test("adapt, and bind --like, leave the learned model in the cache", async () => {
    await run("adapt", at("in/a.glb"), "--out", at("out/mine.onnx"));
    await run("bind", at("in/b.glb"), at("out/b.glb"), "--like", at("in/a.glb"));
  });

  test("train and export leave nothing", async () => {
    const settings = ["--steps", "2", "--batch-vertices", "500", "--variants", "0"];
    await run("train", at("in"), "--out", at("out/run"), ...settings);
    await run("export", at("out/run"), at("out/model.onnx"), "--which", "last");
  });
});
