import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { makeSample } from "../samples/index.ts";
import { readCharacterFile } from "../src/disk/character-files.ts";
import { meanL1 } from "../src/evaluate/metrics.ts";
import { fileFromCharacter, glbFromCharacter } from "../src/formats/file-from-character.ts";
import { clipPose, readClips } from "../src/formats/gltf/clips.ts";
import { writeCharacter } from "../src/formats/write-character.ts";
import { transformPoint } from "../src/math/mat4.ts";
import { makeMotion } from "../src/motion/motions.ts";
import { REQUIRED_BONES } from "../src/skeleton/conventions.ts";
import { jointsWithRole, skeletonRoles } from "../src/skeleton/roles.ts";
import { objText } from "./helpers/obj-text.ts";
import { runCli, useFolder } from "./helpers/run-cli.ts";
import { validateGltf } from "./helpers/validate-gltf.ts";

const folder = useFolder();
const FAST = ["--method", "heat"];

test("a bare mesh becomes a character that walks", async () => {
  const { mesh } = makeSample("dancer");
  writeFileSync(folder.at("body.obj"), objText(mesh));
  const out = folder.at("body.glb");
  const how = ["--names", "mixamo", "--fingers", "5", "--motion", "walk,wave"];
  const run = await runCli("rig", folder.at("body.obj"), out, ...FAST, ...how);
  expect(run.stderr).toMatch(/^note: Parts that the template has no bones for got joints: .*cloth/);
  expect(run.stderr.trim().split("\n")).toHaveLength(1);
  expect(await validateGltf(readFileSync(out))).toEqual([]);
  const file = await readCharacterFile(out);
  const { skeleton } = file.character;
  expect(skeleton.names).toEqual(
    expect.arrayContaining([
      "mixamorig:Hips",
      "mixamorig:LeftForeArm",
      "mixamorig:RightHandIndex3",
    ]),
  );
  const set = readClips(file);
  expect(set.clips.map(({ name }) => name)).toEqual(["walk", "wave"]);
  // The foot is in front during one half of the walk and behind during the other; the body stays upright.
  const foot = jointsWithRole(skeletonRoles(skeleton), "foot", 1)[0];
  const head = jointsWithRole(skeletonRoles(skeleton), "head")[0];
  const at = (joint: number, phase: number) => {
    const pose = clipPose(set, set.clips[0], phase * set.clips[0].duration);
    const rest = skeleton.positions.subarray(joint * 3, joint * 3 + 3);
    return transformPoint(pose.subarray(joint * 16, joint * 16 + 16), rest);
  };
  expect(at(foot, 0)[2] - at(foot, 0.6)[2]).toBeGreaterThan(0.2);
  expect(Math.abs(at(head, 0.3)[1] - skeleton.positions[head * 3 + 1])).toBeLessThan(0.15);
});

test("a bare mesh becomes a VRM 1.0 humanoid", async () => {
  const { mesh } = makeSample("dancer");
  writeFileSync(folder.at("body.obj"), objText(mesh));
  const out = folder.at("body.vrm");
  const how = ["--names", "vrm", "--chains", "none"];
  const run = await runCli("rig", folder.at("body.obj"), out, ...FAST, ...how);
  expect(run.stderr).toBe("");
  expect(await validateGltf(readFileSync(out))).toEqual([]);
  const { source, character } = await readCharacterFile(out);
  const vrm = source.json.extensions!.VRMC_vrm as {
    specVersion: string;
    meta: { name: string; authors: string[]; licenseUrl: string };
    humanoid: { humanBones: Record<string, { node: number }> };
  };
  expect(vrm.specVersion).toBe("1.0");
  expect(vrm.meta.authors.length).toBeGreaterThan(0);
  expect(vrm.meta.licenseUrl).toMatch(/^https:/);
  const { humanBones } = vrm.humanoid;
  expect(REQUIRED_BONES.filter((bone) => !humanBones[bone])).toEqual([]);
  for (const [bone, { node }] of Object.entries(humanBones)) {
    expect(source.json.nodes![node].name).toBe(bone);
  }
  expect(character.skeleton.names.length).toBe(Object.keys(humanBones).length);
});

test("the skeleton of another character is fitted with its body", async () => {
  const source = makeSample("dancer");
  writeFileSync(folder.at("dancer.glb"), glbFromCharacter(source));
  // The same dancer, wider, shorter and thinner, without joints.
  const factors = [1.2, 0.8, 0.9];
  const stretched = (points: Float32Array) => points.map((value, i) => value * factors[i % 3]);
  const mesh = { ...source.mesh, positions: stretched(source.mesh.positions) };
  writeFileSync(folder.at("wide.obj"), objText(mesh));
  const out = folder.at("wide.glb");
  const how = ["--skeleton", folder.at("dancer.glb")];
  const run = await runCli("rig", folder.at("wide.obj"), out, ...FAST, ...how);
  expect(run.stderr).toBe("");
  const { skeleton } = (await readCharacterFile(out)).character;
  const truth = stretched(source.skeleton.positions);
  const away = skeleton.names.map((name, j) => {
    const other = source.skeleton.names.indexOf(name);
    return Math.hypot(
      ...[0, 1, 2].map((axis) => skeleton.positions[j * 3 + axis] - truth[other * 3 + axis]),
    );
  });
  expect(away.reduce((sum, value) => sum + value, 0) / away.length).toBeLessThan(0.02);
  // Its weights are transferred too.
  const share = async (...more: string[]) => {
    const report = folder.at("report.json");
    const words = [...how, ...FAST, ...more, "--report", report, "--force"];
    await runCli("rig", folder.at("wide.obj"), out, ...words);
    expect(JSON.parse(readFileSync(report, "utf8")).options.blend).toBe(more.length ? 0 : 0.7);
    return meanL1((await readCharacterFile(out)).character.weights!, source.weights!);
  };
  expect(await share()).toBeLessThan(0.6 * (await share("--blend", "0")));
});

test("animations are carried over with the skeleton of another character, fitted or not", async () => {
  const source = makeSample("dancer");
  const motions = [makeMotion(source.skeleton, "walk")!];
  const { bytes } = writeCharacter(fileFromCharacter(source), source.weights!, { motions });
  writeFileSync(folder.at("walking.glb"), bytes);
  writeFileSync(folder.at("same.obj"), objText(source.mesh));
  for (const fit of [[], ["--fit"]]) {
    const out = folder.at(`same${fit.length}.glb`);
    const how = ["--skeleton", folder.at("walking.glb"), ...fit];
    const run = await runCli("bind", folder.at("same.obj"), out, ...FAST, ...how);
    expect(run.stderr).toBe("");
    expect(readClips(await readCharacterFile(out)).clips.map(({ name }) => name)).toEqual(["walk"]);
  }
});

test.each([
  ["a sphere", sphereText(), /does not look like a body/],
  [
    "a plane",
    "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nf 1 2 3\nf 1 3 4\n",
    /does not look like a body/,
  ],
])("%s is refused in one sentence", async (_, text, sentence) => {
  writeFileSync(folder.at("thing.obj"), text);
  const run = await runCli("rig", folder.at("thing.obj"), folder.at("thing.glb"), ...FAST);
  expect(run.status).toBe(1);
  expect(run.stderr).toMatch(sentence);
  expect(run.stderr).toMatch(/--skeleton/);
});

test("an unknown motion is refused; a motion without matching joints is noted", async () => {
  const { mesh } = makeSample("dancer");
  writeFileSync(folder.at("body.obj"), objText(mesh));
  const args = ["rig", folder.at("body.obj"), folder.at("m.glb"), ...FAST];
  const wrong = await runCli(...args, "--motion", "moonwalk");
  expect(wrong.status).toBe(1);
  expect(wrong.stderr).toMatch(/no motion "moonwalk"; choose from idle/);
  const fly = await runCli(...args, "--motion", "fly");
  expect(fly.status).toBe(0);
  expect(fly.stderr).toMatch(/cannot do the motion fly: .*; it can do idle, walk/);
});

/** A sphere as OBJ text. */
function sphereText(): string {
  const lines: string[] = [];
  const [rings, around] = [12, 24];
  for (let r = 0; r <= rings; r++) {
    for (let a = 0; a < around; a++) {
      const [t, u] = [(Math.PI * r) / rings, (2 * Math.PI * a) / around];
      lines.push(`v ${Math.sin(t) * Math.cos(u)} ${Math.cos(t)} ${Math.sin(t) * Math.sin(u)}`);
    }
  }
  const at = (r: number, a: number) => r * around + (a % around) + 1;
  for (let r = 0; r < rings; r++) {
    for (let a = 0; a < around; a++) {
      lines.push(`f ${at(r, a)} ${at(r, a + 1)} ${at(r + 1, a + 1)} ${at(r + 1, a)}`);
    }
  }
  return lines.join("\n");
}
