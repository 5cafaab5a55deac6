// Runs a bench, or lists all of them.
//
//   npm run bench                      lists their names, arguments and summaries
//   npm run bench <name> -- <arguments>

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { BENCHES } from "./setup/benches.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const [name, ...given] = process.argv.slice(2);
const bench = Object.hasOwn(BENCHES, name ?? "") ? BENCHES[name] : undefined;

if (bench) run(bench);
else {
  if (name) console.error(`bench: there is no bench "${name}"; choose one of these.\n`);
  for (const [known, { usage, summary }] of Object.entries(BENCHES)) {
    console.log(`${known} ${usage}`.trimEnd());
    console.log(`    ${summary}`);
  }
  process.exitCode = name ? 1 : 0;
}

function run({ file = `bench/${name}.ts`, before, usage }) {
  const required = usage.replace(/\[[^\]]*\]|\|.*/g, "").match(/<[^>]*>/g)?.length ?? 0;
  if (given.length < required) {
    console.error(`Usage: npm run bench ${name} -- ${usage}`);
    process.exitCode = 1;
    return;
  }
  const steps = [
    ["scripts/setup.mjs", "--quiet"],
    ...(before ? [[before]] : []),
    ["--import", "tsx", file, ...given],
  ];
  for (const step of steps) {
    const { status } = spawnSync(process.execPath, step, { stdio: "inherit" });
    if (status === 0) continue;
    process.exitCode = status ?? 1;
    return;
  }
}
