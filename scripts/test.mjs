// Runs every check: format and lint, then the tests. The build has already type-checked.
//
//   node scripts/test.mjs --long    only the tests that take minutes

import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { isBuilt } from "./setup/build.mjs";

const require = createRequire(import.meta.url);

/** Path of the script behind a package's command. */
function bin(name, command) {
  const manifest = require.resolve(`${name}/package.json`);
  const { bin } = require(manifest);
  return path.join(path.dirname(manifest), typeof bin === "string" ? bin : bin[command]);
}

const isLong = process.argv.includes("--long");
const rest = process.argv.slice(2).filter((word) => word !== "--long");
const tests = ["Tests", bin("vitest", "vitest"), "run", ...rest];
const sections = isLong
  ? [tests]
  : [["Format and lint", bin("@biomejs/biome", "biome"), "ci", "."], tests];
const env = {
  ...process.env,
  ...(isLong && { HETERSKIN_LONG: "1" }),
  // Worker processes of the tests start from the build, which is much faster.
  ...(isBuilt() && { HETERSKIN_BUILD: pathToFileURL(`${path.resolve("dist")}/`).href }),
};

const failed = [];
for (const [title, script, ...args] of sections) {
  console.log(`\n== ${title}`);
  const { status } = spawnSync(process.execPath, [script, ...args], { stdio: "inherit", env });
  if (status !== 0) failed.push(title);
}

console.log(failed.length > 0 ? `\nFailed: ${failed.join(", ")}.` : "\nAll is well.");
process.exitCode = failed.length > 0 ? 1 : 0;
