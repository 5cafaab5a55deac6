// Draws docs/images/blender.png: the posed dancer, bound by Automatic Weights and by the add-on.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { ensureBlender } from "./setup/blender.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const { makeSample } = await import("../dist/samples/index.js");
const { fileFromCharacter } = await import("../dist/src/formats/index.js");
const { writeCharacterFile } = await import("../dist/src/disk/character-files.js");
const folder = mkdtempSync(path.join(tmpdir(), "heterskin-picture-"));
const source = path.join(folder, "dancer.glb");
const dancer = makeSample("dancer");
await writeCharacterFile(source, fileFromCharacter(dancer), dancer.weights);
mkdirSync(path.join(folder, "addons"));
const picture = path.resolve("docs/images/blender.png");
const { status } = spawnSync(
  ensureBlender(),
  [
    "-b",
    "--factory-startup",
    "--python-exit-code",
    "1",
    "-P",
    "scripts/blender-picture.py",
    "--",
  ].concat([source, path.resolve("out/heterskin-blender.zip"), picture]),
  {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, BLENDER_USER_SCRIPTS: folder, BLENDER_USER_CONFIG: folder },
  },
);
rmSync(folder, { recursive: true, force: true });
process.exitCode = status ?? 1;
