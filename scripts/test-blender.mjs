// Tests the add-on in Blender without a window: installs its zip, binds samples and, if a folder is given, the
// files in it, and tries known pitfalls. The command line binds the same characters for comparison. Then
// Blender, three.js and assimp read files written by HeterSkin.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { ensureAssimp } from "./setup/assimp.mjs";
import { ensureBlender } from "./setup/blender.mjs";
import { runCommand } from "./setup/run-command.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const blender = ensureBlender();
ensureAssimp();
runCommand(process.execPath, ["scripts/setup.mjs", "--quiet"], { failure: "set-up failed." });
runCommand(process.execPath, ["scripts/blender-pack.mjs"], { failure: "no zip could be made." });

const { SAMPLES, makeSample } = await import("../dist/samples/index.js");
const { skin } = await import("../dist/src/skin.js");
const { shippedModel } = await import("../dist/src/disk/character-files.js");

/** Every bone of Blender has a tail: a leaf's tail extends its parent a little, and a root's tail points up. */
function tailsOf({ parents, positions }) {
  return positions.map((value, i) => {
    const joint = Math.floor(i / 3);
    if (parents.includes(joint)) return value;
    const above = parents[joint];
    const step = (axis) =>
      above < 0 ? [0, 1, 0][axis] : positions[joint * 3 + axis] - positions[above * 3 + axis];
    const length = Math.hypot(step(0), step(1), step(2));
    const [x, y, z] = length > 1e-4 ? [0, 1, 2].map((axis) => step(axis) / length) : [0, 1, 0];
    return value + 0.05 * [x, y, z][i % 3];
  });
}

/** Samples as Blender has them (z up), with weights from the library. */
const folder = mkdtempSync(path.join(tmpdir(), "heterskin-blender-"));
const model = await shippedModel();
for (const { name } of SAMPLES) {
  const { mesh, skeleton } = makeSample(name);
  const ends = tailsOf(skeleton);
  const character = { name, mesh, skeleton: { ...skeleton, ends } };
  const { weights } = await skin(character, { model, allJoints: true });
  const zUp = (list) =>
    Array.from(list, (_, i) => (i % 3 === 0 ? list[i] : i % 3 === 1 ? -list[i + 1] : list[i - 1]));
  const facts = {
    positions: zUp(mesh.positions),
    triangles: Array.from(mesh.triangles),
    names: skeleton.names,
    parents: Array.from(skeleton.parents),
    joints: zUp(skeleton.positions),
    ends: zUp(ends),
    influences: weights.influences,
    weightJoints: Array.from(weights.joints),
    weights: Array.from(weights.weights),
  };
  writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(facts));
}

const bound = path.join(folder, "bound");
for (const each of ["config", "bound"]) mkdirSync(path.join(folder, each));
const [files] = process.argv.slice(2);
const env = {
  ...process.env,
  HETERSKIN_SAMPLES: folder,
  HETERSKIN_BOUND: bound,
  ...(files && { HETERSKIN_FILES: path.resolve(files) }),
  HETERSKIN_ZIP: path.resolve("out/heterskin-blender.zip"),
  BLENDER_USER_RESOURCES: path.join(folder, "config"),
  BLENDER_USER_CONFIG: path.join(folder, "config"),
  BLENDER_USER_SCRIPTS: path.join(folder, "scripts"),
};
mkdirSync(path.join(folder, "scripts", "addons"), { recursive: true });
const { status } = spawnSync(
  blender,
  ["-b", "--factory-startup", "--python-exit-code", "1", "-P", "test/blender/run.py"],
  { stdio: "inherit", env },
);
const { sameAsCommandLine } = await import("../test/blender/same-as-command-line.mjs");
const same = await sameAsCommandLine(bound);
rmSync(folder, { recursive: true, force: true });

// Files written by HeterSkin, read by Blender and others; a folder of your own files may be given.
const formats = spawnSync(
  process.execPath,
  ["node_modules/tsx/dist/cli.mjs", "test/formats/check-formats.ts", ...process.argv.slice(2)],
  { stdio: "inherit" },
);
// FBX converted from other formats, which the long tests check if Blender is available.
const fbx = spawnSync(
  process.execPath,
  ["node_modules/vitest/vitest.mjs", "run", "test/formats/fbx-out"],
  { stdio: "inherit", env: { ...process.env, HETERSKIN_LONG: "1", BLENDER: blender } },
);
process.exitCode = status || !same || formats.status || fbx.status ? 1 : 0;
