// Times the first bind of the executable, including its unpacking, against the same program on Node.
//
//   npm run release -- linux-x64 && npm run bench executable -- [sample] [runs]
//
// Writes bench/results/executable.json.

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const [sample = "fox", times = "5"] = process.argv.slice(2);
const platform = `${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
const executable = path.resolve(
  `out/release/heterskin-${platform}${process.platform === "win32" ? ".exe" : ""}`,
);
if (!existsSync(executable))
  throw new Error(`${executable} is missing; run npm run release first.`);

const folder = mkdtempSync(path.join(tmpdir(), "heterskin-executable-"));
const at = (name: string) => path.join(folder, name);

/** Runs a command without Node in the path, with a given cache; returns seconds. */
function timed(cache: string, command: string, ...argv: string[]): number {
  const start = performance.now();
  const env = { PATH: folder, HOME: folder, HETERSKIN_CACHE: cache };
  execFileSync(command, argv, { env, stdio: "pipe" });
  return Number(((performance.now() - start) / 1000).toFixed(3));
}

function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}

timed(at("cache"), executable, "sample", sample, at("in.glb"));
const key = readdirSync(at("cache")).find((name) => name !== "code")!;
// Node runs the unpacked package, so that neither side has onnxruntime-node.
const script = path.join(at("cache"), key, "bin/heterskin.js");
const bind = ["bind", at("in.glb"), at("out.glb"), "--force"];
const seconds = { first: [] as number[], later: [] as number[], node: [] as number[] };
for (let run = 0; run < Number(times); run++) {
  seconds.node.push(timed(at("cache"), process.execPath, script, ...bind));
  seconds.first.push(timed(at(`cache-${run}`), executable, ...bind));
  seconds.later.push(timed(at("cache"), executable, ...bind));
  rmSync(at(`cache-${run}`), { recursive: true });
}
rmSync(folder, { recursive: true });

const [first, later, node] = [seconds.first, seconds.later, seconds.node].map(median);
const result = {
  platform,
  node: process.version,
  sample,
  megabytes: Number((statSync(executable).size / 1e6).toFixed(1)),
  seconds,
  firstBindRatio: Number((first / node).toFixed(2)),
  laterBindRatio: Number((later / node).toFixed(2)),
};
writeFileSync("bench/results/executable.json", `${JSON.stringify(result, null, 2)}\n`);
console.log(
  `Node ${node} s, executable ${first} s the first time, ${later} s later: ratio ${result.firstBindRatio}`,
);
if (result.firstBindRatio > 1.3) {
  console.error("The first bind takes more than 1.3 times as long as with Node.");
  process.exitCode = 1;
}
