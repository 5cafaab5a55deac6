// Writes out/heterskin-blender.zip: the add-on and the built package in one file to install in Blender.

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const argv = ["bin/heterskin.js", "blender", "out", "--force", ...process.argv.slice(2)];
process.exitCode = spawnSync(process.execPath, argv, { stdio: "inherit" }).status ?? 1;
