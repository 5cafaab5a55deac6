// Makes out/heterskin-blender.zip: the add-on with the built package inside, one file to install in Blender.

import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { zipSync } from "fflate";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

/** What of the package the add-on carries; the page and other models stay behind. */
const CARRIED = ["bin", "dist/src", "runtime", "package.json", "LICENSE", "MODEL_CARD.md"];
const LEFT = /\.test\.(js|d\.ts)$|\.d\.ts$|\.map$/;

const entries = {};

function add(from, to) {
  if (statSync(from).isDirectory()) {
    for (const name of readdirSync(from).sort()) add(path.join(from, name), `${to}/${name}`);
  } else if (!LEFT.test(from)) entries[to] = new Uint8Array(readFileSync(from));
}

for (const name of readdirSync("blender/heterskin").sort()) {
  if (/\.(py|toml)$/.test(name)) add(`blender/heterskin/${name}`, `heterskin/${name}`);
}
for (const name of CARRIED) add(name, `heterskin/package/${name}`);
for (const name of readdirSync("models").filter((file) => file.startsWith("heterskin"))) {
  add(`models/${name}`, `heterskin/package/models/${name}`);
}
const { dependencies } = JSON.parse(readFileSync("package.json", "utf8"));
for (const name of Object.keys(dependencies)) {
  add(`node_modules/${name}`, `heterskin/package/node_modules/${name}`);
}
mkdirSync("out", { recursive: true });
const zip = zipSync(entries, { level: 9, mtime: new Date("2020-01-01") });
writeFileSync("out/heterskin-blender.zip", zip);
console.log(`out/heterskin-blender.zip (${(zip.length / 1e6).toFixed(1)} MB)`);
