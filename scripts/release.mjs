// Before a version is tagged: every check and every bench, so that what the documents say holds for it.
//
//   npm run release:check -- [data folder] [--dry]
//
// The data folder has characters with artists' weights (`characters.tsv` and `characters/<id>.glb`); without
// it the tables of accuracy are only compared with the committed results. With --dry the steps are listed.

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const given = process.argv.slice(2);
const data = given.find((word) => !word.startsWith("--"));
const { version, scripts } = JSON.parse(readFileSync("package.json", "utf8"));

/** Benches that make their own characters, and those that need a folder of them. */
const BENCHES = ["distance", "network", "large", "batch", "fuzz", "pictures"];
const ON_DATA = ["accuracy", "adaptive", "refine", "exclude"];

/** What has to hold before anything is run; a sentence for what does not. */
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

/** Benches first: the tests then hold the documents against their results. */
function steps() {
  return [
    ...BENCHES.map((name) => ["run", `bench:${name}`]),
    ...(data ? ON_DATA.map((name) => ["run", `bench:${name}`, "--", data]) : []),
    ["test"],
    ["run", "test:package"],
  ];
}

function git(...args) {
  return spawnSync("git", args, { encoding: "utf8" }).stdout.trim();
}

function main() {
  const unknown = steps().filter(([verb, name]) => verb === "run" && !scripts[name]);
  if (unknown.length > 0) throw new Error(`package.json lacks ${unknown.flat().join(" ")}.`);
  if (given.includes("--dry")) {
    for (const step of steps()) console.log(`npm ${step.join(" ")}`);
    return;
  }
  const wrong = obstacles();
  if (wrong.length > 0) throw new Error(wrong.join(" "));
  for (const step of steps()) {
    console.log(`\nrelease: npm ${step.join(" ")}`);
    const { status } = spawnSync("npm", step, {
      stdio: "inherit",
      shell: process.platform === "win32",
    });
    if (status !== 0) throw new Error(`npm ${step.join(" ")} failed.`);
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
