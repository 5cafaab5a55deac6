// Binds a generated character and writes out/demo.glb, out/demo.json and out/demo.png.

import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { makeSample } from "../dist/samples/index.js";
import { writeCharacterFile } from "../dist/src/disk/character-files.js";
import { fileFromCharacter } from "../dist/src/formats/file-from-character.js";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
mkdirSync("out", { recursive: true });

const dancer = makeSample("dancer");
await writeCharacterFile("out/dancer.glb", fileFromCharacter(dancer), dancer.weights, {
  force: true,
});

const line =
  "bind out/dancer.glb out/demo.glb --force --report out/demo.json --picture out/demo.png";
console.log(`heterskin ${line}\n`);
const { status } = spawnSync(
  process.execPath,
  ["bin/heterskin.js", ...line.split(" "), ...process.argv.slice(2)],
  { stdio: "inherit" },
);
process.exitCode = status ?? 1;
if (process.exitCode === 0) {
  console.log("\nLook at out/demo.png, or drop out/demo.glb into any glTF viewer.");
}
