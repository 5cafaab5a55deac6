// Tests what a user receives: packs the package, installs it into an empty project with only the npm
// registry, runs the lines of the README, bundles it with Vite, esbuild and webpack, and binds a character with
// the network in Node, in Chromium, and with the native library. Writes sizes and times to bench/results.
//
//   node scripts/test-package.mjs [--keep]    --keep keeps the projects

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { bindInBrowser } from "./package-test/browser.mjs";
import { buildBundles } from "./package-test/bundles.mjs";
import { installScripts, megabytes } from "./package-test/installed.mjs";
import { largestDifference } from "./package-test/largest-difference.mjs";
import { PEERS, useOldPeers } from "./package-test/peers.mjs";
import { run } from "./package-test/run.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const MOST_MEGABYTES = 80;
/** WebAssembly and native code round differently; smaller differences are invisible. */
const TOLERANCE = 1e-4;

process.chdir(ROOT);
const folder = mkdtempSync(path.join(tmpdir(), "heterskin-stranger-"));
const say = (line) => console.log(`package: ${line}`);
try {
  await testPackage();
  say("all is well");
} catch (error) {
  console.error(`package: ${error.message}`);
  process.exitCode = 1;
} finally {
  if (process.argv.includes("--keep")) say(`kept ${folder}`);
  else rmSync(folder, { recursive: true, force: true });
}

async function testPackage() {
  const tarball = pack();
  const project = path.join(folder, "project");
  await install(project, tarball);
  const size = megabytes(path.join(project, "node_modules"));
  say(`tarball ${(statSync(tarball).size / 1e6).toFixed(1)} MB, installed ${size} MB`);
  expect(size <= MOST_MEGABYTES, `node_modules takes ${size} MB, more than ${MOST_MEGABYTES}`);
  const scripts = installScripts(path.join(project, "node_modules"));
  expect(scripts.length === 0, `install scripts: ${scripts.join(", ")}`);
  const seconds = coldBind(project);
  say(`cold npx heterskin bind: ${seconds.toFixed(1)} s`);
  readmeLines(project);
  refusePaper(project);
  checkTypes(project);
  await servePage(project);
  const portable = await bindInNode(project);
  await inBrowsers(project, portable);
  for (const peer of PEERS) say(useOldPeers(project, peer));
  const native = await withNative(project);
  const difference = largestDifference(portable, native);
  say(`WebAssembly against native: ${difference.toExponential(1)} at most`);
  expect(difference < TOLERANCE, `weights differ by ${difference}`);
  record({ tarball: statSync(tarball).size, size, seconds, difference });
}

function expect(holds, otherwise) {
  if (!holds) throw new Error(otherwise);
}

/** Runs `npm pack` with the scripts of a release. */
function pack() {
  const said = run(ROOT, "npm", ["pack", "--json", "--pack-destination", folder]);
  const [entry] = Object.values(JSON.parse(said.slice(said.search(/^[[{]/m))));
  return path.join(folder, entry.filename);
}

/** Creates an empty project with the package and the files that the README mentions. */
async function install(project, tarball) {
  const { fillDocFolder } = await import("../dist/test/helpers/doc-folder.js");
  await fillDocFolder(project);
  const { makeSample } = await import("../dist/samples/index.js");
  const { fileFromCharacter } = await import("../dist/src/formats/file-from-character.js");
  const { writeCharacterFile } = await import("../dist/src/disk/character-files.js");
  const sample = makeSample("fox");
  await writeCharacterFile(
    path.join(project, "sample.glb"),
    fileFromCharacter(sample),
    sample.weights,
  );
  const manifest = { name: "stranger", version: "1.0.0", private: true, type: "module" };
  writeFileSync(path.join(project, "package.json"), JSON.stringify(manifest));
  run(project, "npm", ["install", "--no-audit", "--no-fund", tarball]);
}

function coldBind(project) {
  const start = performance.now();
  const said = run(project, "npx", ["heterskin", "bind", "sample.glb", "cold.glb"]);
  expect(/provider +wasm \(onnxruntime-node is not installed\)/.test(said), said);
  return (performance.now() - start) / 1000;
}

/** Runs every command of the README that terminates and needs no native library. */
function readmeLines(project) {
  const place = path.join(folder, "readme");
  mkdirSync(place);
  for (const name of readdirSync(project)) {
    if (!/^(node_modules|package.*)$/.test(name)) {
      cpSync(path.join(project, name), path.join(place, name), { recursive: true });
    }
  }
  const commands = readFileSync("README.md", "utf8").match(/^(?:npx )?heterskin .*$/gm);
  const bin = path.join(project, "node_modules/heterskin/bin/heterskin.js");
  for (const command of commands) {
    const words = command.replace(/#.*/, "").trim().replace(/^npx /, "").split(/\s+/).slice(1);
    if (words[0] === "serve") continue;
    // Later lines read its output.
    if (words[0] === "sample") rmSync(path.join(place, `${words[1]}.glb`), { force: true });
    const status = words[0] === "train" ? 1 : 0;
    run(place, process.execPath, [bin, ...words], { status });
  }
  say(`${commands.length - 1} lines of the README run`);
}

/** The package does not contain the paper's model; the error names its source. */
function refusePaper(project) {
  const words = ["heterskin", "bind", "fox.glb", "paper.glb", "--method", "paper"];
  const { stderr, status } = spawnSync("npx", words, { cwd: project, encoding: "utf8" });
  expect(status === 1 && /models\/paper\.onnx from github\.com/.test(stderr), stderr);
}

/** The types of the entry points work without those of optional packages. */
function checkTypes(project) {
  const entries = ["", "/parts", "/io", "/node", "/evaluate"];
  const lines = entries.map((entry, i) => `import * as e${i} from "heterskin${entry}";`);
  const names = entries.map((_, i) => `e${i}`).join(", ");
  writeFileSync(path.join(project, "types.ts"), `${lines.join("\n")}\nconsole.log(${names});\n`);
  const tsc = path.join(ROOT, "node_modules/typescript/bin/tsc");
  const flags = ["--noEmit", "--strict", "--target", "es2022", "--lib", "es2023,dom"];
  for (const module of [["nodenext"], ["esnext", "--moduleResolution", "bundler"]]) {
    run(project, process.execPath, [tsc, ...flags, "--module", ...module, "types.ts"]);
  }
  say("its types need no optional packages");
}

/** The package contains the page and all files it fetches. */
async function servePage(project) {
  const bin = path.join(project, "node_modules/heterskin/bin/heterskin.js");
  const server = spawn(process.execPath, [bin, "serve", "--port", "0"], { cwd: project });
  try {
    const [address] = await once(server.stdout, "data");
    const files = ["", "ort/ort-wasm-simd-threaded.wasm", "models/heterskin.onnx"];
    for (const file of files) {
      const { status } = await fetch(`${address}`.trim() + file);
      expect(status === 200, `serve: /${file} is answered with ${status}`);
    }
    say("serves the page");
  } finally {
    server.kill();
  }
}

async function bindInNode(project, options = {}) {
  const script = path.join(project, "bind.js");
  writeFileSync(
    script,
    `import { skin } from "heterskin";
import { readCharacterFile, shippedModel } from "heterskin/node";

const { character } = await readCharacterFile("sample.glb");
const { weights } = await skin(character, { model: await shippedModel(), ...${JSON.stringify(options)} });
console.log(JSON.stringify({ joints: [...weights.joints], weights: [...weights.weights] }));
`,
  );
  return JSON.parse(run(project, process.execPath, [script]));
}

async function inBrowsers(project, expected) {
  for (const { name, folder: built } of buildBundles(project, path.join(project, "sample.glb"))) {
    const bound = await bindInBrowser(built, { provider: "wasm" });
    expect(bound.method === "network", `${name}: the method was ${bound.method}`);
    const difference = largestDifference(bound, expected);
    expect(difference < TOLERANCE, `${name}: weights differ by ${difference}`);
    say(`${name}: built without settings, binds in Chromium`);
  }
}

async function withNative(project) {
  run(project, "npm", ["install", "--no-audit", "--no-fund", "onnxruntime-node"], {
    // Its install script downloads a CUDA build from NuGet, which is not the npm registry.
    env: { ONNXRUNTIME_NODE_INSTALL: "skip" },
  });
  const said = run(project, "npx", ["heterskin", "bind", "sample.glb", "native.glb"]);
  expect(/provider +cpu \(onnxruntime-node is installed\)/.test(said), said);
  say("onnxruntime-node is used if it is installed");
  const short = ["--steps", "1", "--variants", "0", "--batch-vertices", "300", "--device", "cpu"];
  run(project, "npx", ["heterskin", "train", "my-rigs", "--from", "heterskin", ...short]);
  expect(existsSync(path.join(project, "run/model.onnx")), "train left no model");
  say("trains from the model of the package");
  return bindInNode(project);
}

function record({ tarball, size, seconds, difference }) {
  const facts = {
    tarball_mb: Number((tarball / 1e6).toFixed(1)),
    node_modules_mb: size,
    cold_bind_seconds: Number(seconds.toFixed(1)),
    wasm_against_native: Number(difference.toPrecision(2)),
    node: process.version,
  };
  writeFileSync("bench/results/package.json", `${JSON.stringify(facts, null, 2)}\n`);
}
