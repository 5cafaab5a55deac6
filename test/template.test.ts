import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { makeSample } from "../samples/index.ts";
import { readCharacterFile } from "../src/disk/character-files.ts";
import { formatRigNetText } from "../src/formats/index.ts";
import { objText } from "./helpers/obj-text.ts";
import { runCli, useFolder } from "./helpers/run-cli.ts";

const folder = useFolder();
const { mesh, skeleton } = makeSample("fox");

test("a mesh without a skeleton is bound with a template", async () => {
  writeFileSync(folder.at("fox.obj"), objText(mesh));
  const out = folder.at("out.glb");
  const how = ["--method", "heat", "--skeleton", "template:quadruped", "--fit"];
  const run = await runCli("bind", folder.at("fox.obj"), out, ...how);
  expect(run.stderr).toBe("");
  const { character } = await readCharacterFile(out);
  expect(character.skeleton.names).toContain("frontFoot.L");
  expect(character.weights).toBeSkinWeights(
    character.mesh.positions.length / 3,
    character.skeleton.names.length,
  );
  const used = new Set(character.weights!.joints);
  expect(used.size).toBeGreaterThan(10);
});

test("a skeleton that lies on its back is noted, and fitted with --fit", async () => {
  writeFileSync(folder.at("fox.obj"), objText(mesh));
  const positions = Float32Array.from(
    skeleton.names.flatMap((_, j) => {
      const [x, y, z] = skeleton.positions.subarray(j * 3, j * 3 + 3);
      return [x, -z, y];
    }),
  );
  writeFileSync(folder.at("rig.txt"), formatRigNetText({ skeleton: { ...skeleton, positions } }));
  const args = ["bind", folder.at("fox.obj"), folder.at("a.glb"), "--method", "heat"];
  const plain = await runCli(...args, "--skeleton", folder.at("rig.txt"));
  expect(plain.stderr).toMatch(
    /Only \d+ % of the skeleton's joints are in the body; fit it to the mesh/,
  );
  const fitted = await runCli(...args, "-f", "--skeleton", folder.at("rig.txt"), "--fit");
  expect(fitted.stderr).toBe("");
  const { character } = await readCharacterFile(folder.at("a.glb"));
  const away = character.skeleton.names.map((name, j) => {
    const other = skeleton.names.indexOf(name);
    const at = (s: typeof skeleton, i: number) => s.positions.subarray(i * 3, i * 3 + 3);
    const [a, b] = [at(character.skeleton, j), at(skeleton, other)];
    return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
  });
  expect(Math.max(...away)).toBeLessThan(0.15);
});

test.each([
  [["--skeleton", "template:cow"], /no skeleton template "cow"; choose one of biped/],
  [["--fit"], /--skeleton/],
])("%j is refused in one sentence", async (more, sentence) => {
  writeFileSync(folder.at("fox.obj"), objText(mesh));
  const run = await runCli("bind", folder.at("fox.obj"), folder.at("x.glb"), ...more);
  expect(run.status).toBe(1);
  expect(run.stderr).toMatch(sentence);
});
