import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readCharacterFile } from "../src/node.ts";
import { movingTubeGlb } from "./helpers/moving-tube.ts";
import { dense } from "./helpers/random-weights.ts";
import { runCli, useFolder } from "./helpers/run-cli.ts";

const folder = useFolder();

describe.each(["xml", "json", "csv"])("weight files as .%s", (format) => {
  test("are written by bind and read by transfer", async () => {
    const [input, weights, whole, back] = [
      "tube.glb",
      `tube.${format}`,
      "whole.glb",
      "back.fbx",
    ].map((name) => folder.at(name));
    writeFileSync(input, movingTubeGlb());
    const method = ["--method", "heat", "--max-influences", "8"];
    expect(await runCli("bind", input, weights, ...method)).toMatchObject({ status: 0 });
    await runCli("bind", input, whole, ...method);
    const options = ["--max-influences", "8", "--prune", "0"];
    const result = await runCli("transfer", weights, input, back, ...options);
    expect(result).toMatchObject({ status: 0, stderr: "" });
    expect(result.stdout).toContain("matched     144 (100 %)");
    // The FBX has the vertices in another order.
    const [one, other] = await Promise.all([whole, back].map((file) => readCharacterFile(file)));
    const rows = ({ character: { mesh, skeleton, weights: own } }: typeof one) =>
      new Map(
        dense(own!, skeleton.names.length).map((row, v) => [
          Array.from(mesh.positions.subarray(v * 3, v * 3 + 3), (x) => Math.round(x * 1e4)).join(),
          row,
        ]),
      );
    const [before, after] = [rows(one), rows(other)];
    for (const [place, row] of before) expect(after.get(place)).toBeAllClose(row, 1e-6);
  });
});

test("ngSkinTools has a file per mesh, and the run lists them", async () => {
  writeFileSync(folder.at("tube.glb"), movingTubeGlb());
  const argv = ["--method", "heat"];
  const { stderr } = await runCli("bind", folder.at("tube.glb"), folder.at("w.ng.json"), ...argv);
  expect(stderr).toContain("There is a file per mesh: ");
  expect(folder.list()).toEqual(["tube.glb", "w.coat.ng.json", "w.tube.ng.json"]);
  // One after the other: each mesh reads its own file, and keeps its weights until then.
  await runCli("bind", folder.at("tube.glb"), folder.at("whole.glb"), ...argv);
  const first = ["transfer", folder.at("w.coat.ng.json"), folder.at("tube.glb")];
  const half = await runCli(...first, folder.at("half.glb"));
  expect(half.stdout).toMatch(/kept {8}\d+ \(\d+ %\)/);
  const [was, now] = await Promise.all(
    ["tube.glb", "half.glb"].map((name) => readCharacterFile(folder.at(name))),
  );
  await runCli("transfer", folder.at("w.tube.ng.json"), folder.at("half.glb"), folder.at("b.glb"));
  const [whole, back] = await Promise.all(
    ["whole.glb", "b.glb"].map((name) => readCharacterFile(folder.at(name))),
  );
  const joints = whole.character.skeleton.names.length;
  const wanted = dense(whole.character.weights!, joints);
  dense(back.character.weights!, joints).forEach((row, v) => {
    expect(row).toBeAllClose(wanted[v], 1e-5);
  });
  const old = dense(was.character.weights!, joints);
  const changed = dense(now.character.weights!, joints).filter((row, v) =>
    row.some((value, joint) => Math.abs(value - old[v][joint]) > 1e-5),
  );
  expect(changed.length).toBeLessThan(old.length / 2 + 1);
});
