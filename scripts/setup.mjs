// Prepares a clone: installs packages, copies the runtime, builds dist, finds or installs a browser and Redis
// for the tests. Skips what is up to date, so a second run starts at once.
//
//   node scripts/setup.mjs [--browser] [--redis] [--quiet]

import { fileURLToPath } from "node:url";
import { ensureBrowser } from "./setup/browser.mjs";
import { ensureBuild } from "./setup/build.mjs";
import { ensurePackages } from "./setup/packages.mjs";
import { ensureRedis } from "./setup/redis.mjs";
import { ensureRuntime } from "./setup/runtime.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const [major, minor] = process.versions.node.split(".").map(Number);
const flags = new Set(process.argv.slice(2));
const say = flags.has("--quiet") ? () => {} : (line) => console.log(line);

try {
  if (major < 20 || (major === 20 && minor < 19)) {
    throw new Error(`Node 20.19 or later is needed, this is ${process.versions.node}.`);
  }
  say(ensurePackages());
  say(ensureRuntime());
  say(ensureBuild());
  if (flags.has("--browser")) say(ensureBrowser());
  if (flags.has("--redis")) say(ensureRedis());
} catch (error) {
  console.error(`setup: ${error.message}`);
  process.exitCode = 1;
}
