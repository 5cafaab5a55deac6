// Run before a version is tagged: runs every bench and everything that continuous integration runs (.ci/run), so
// that the documents hold for this version.
//
//   npm run release:check -- [data folder] [--dry]
//
// The data folder has characters with artists' weights (`characters.tsv` and `characters/<id>.glb`). Without it
// the benches that need it are skipped, and the tables of accuracy are only compared with the committed
// results. With --dry the steps are only listed.

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { BENCHES } from "./setup/benches.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const given = process.argv.slice(2);
const data = given.find((word) => !word.startsWith("--"));
const { version } = JSON.parse(readFileSync("package.json", "utf8"));

/** Preconditions that do not hold, a sentence each. */
function obstacles() {
  const list = [];
  if (git("status", "--porcelain") !== "") list.push("there are changes that are not committed.");
  if (git("tag", "--list", `v${version}`) !== "") list.push(`v${version} is tagged already.`);
  if (!readFileSync("CHANGELOG.md", "utf8").includes(`## [${version}]`)) {
    list.push(`CHANGELOG.md has no section for ${version}.`);
  }
  if (data && !existsSync(`${data}/characters.tsv`)) list.push(`${data} has no characters.tsv.`);
  return list;
}

/** Benches run first: the tests then compare the documents with their results. */
function steps() {
  const benches = (kind) => Object.keys(BENCHES).filter((name) => BENCHES[name].release === kind);
  return [
    ...benches("alone").map((name) => ["npm", "run", "bench", name]),
    ...(data ? benches("data").map((name) => ["npm", "run", "bench", name, "--", data]) : []),
    ["bash", ".ci/run"],
  ];
}

function git(...args) {
  return spawnSync("git", args, { encoding: "utf8" }).stdout.trim();
}

function main() {
  if (given.includes("--dry")) {
    for (const step of steps()) console.log(step.join(" "));
    return;
  }
  const wrong = obstacles();
  if (wrong.length > 0) throw new Error(wrong.join(" "));
  for (const [command, ...args] of steps()) {
    const line = [command, ...args].join(" ");
    console.log(`\nrelease: ${line}`);
    const { status } = spawnSync(command, args, {
      stdio: "inherit",
      shell: process.platform === "win32",
    });
    if (status !== 0) throw new Error(`${line} failed.`);
  }
  console.log(`\nrelease: all is well. What the benches changed:\n${git("diff", "--stat")}`);
  console.log(`Look at it, commit it, then: git tag v${version} && npm publish`);
}

try {
  main();
} catch (error) {
  console.error(`release: ${error.message}`);
  process.exitCode = 1;
}
