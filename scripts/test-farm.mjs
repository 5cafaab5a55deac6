// Stress test of the farm and the service: workers and Redis killed, poisoned files, 200 clients at once.

import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { ensureRedis } from "./setup/redis.mjs";
import { runCommand } from "./setup/run-command.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
ensureRedis();
runCommand(process.execPath, ["scripts/setup.mjs", "--quiet"], { failure: "set-up failed." });
const tsx = createRequire(import.meta.url).resolve("tsx/cli");
for (const test of ["farm-chaos", "api-load"]) {
  console.log(`\n== ${test}`);
  runCommand(process.execPath, [tsx, `test/farm/${test}.ts`], { failure: `${test} has failed.` });
}
