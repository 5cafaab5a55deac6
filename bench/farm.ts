// Compares the farm with `batch`, one process each, and counts its requests to Redis:
// `npm run bench farm -- [files] [rounds]`. Both work on the same files at the same time, so that other load on
// the machine slows both. Build the program first; needs redis-server. Writes bench/results/farm.json.

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import path from "node:path";
import { createRandom } from "../src/math/random.ts";
import { glbOf, tube } from "../test/helpers/odd-characters.ts";
import { startRedis } from "../test/helpers/redis-server.ts";
import { saveJson } from "./save-results.ts";

const files = Number(process.argv[2] ?? 200);
const turns = Number(process.argv[3] ?? 3);
const root = mkdtempSync(path.join(tmpdir(), "heterskin-farm-"));
const at = (name: string) => path.join(root, name);
const place = (name: string) => ["--redis", redis.url, "--name", name, "--quiet"];

/** Tubes of all sizes. */
function writeInputs(): number {
  const random = createRandom("farm");
  mkdirSync(at("in"));
  let bytes = 0;
  for (let i = 0; i < files; i++) {
    const size = () => Math.floor(random() * 30);
    writeFileSync(at(`in/${i}.glb`), glbOf(tube(20 + size(), 12 + size(), 4 + (i % 30))));
    bytes += statSync(at(`in/${i}.glb`)).size;
  }
  return bytes;
}

/** Runs a command; returns its seconds. */
async function run(...words: string[]): Promise<number> {
  const start = performance.now();
  const child = spawn(process.execPath, ["bin/heterskin.js", ...words], { stdio: "inherit" });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`heterskin ${words.join(" ")} ended with ${code}`);
  return (performance.now() - start) / 1000;
}

/** Seconds to submit the files, and to process them with a number of machines and processes each. */
async function farmRun(name: string, workers: number, jobs: number): Promise<[number, number]> {
  const submit = await run("farm", "submit", at("in"), at(name), "--jobs", "2", ...place(name));
  const words = ["farm", "work", "--jobs", `${jobs}`, "--until-empty", ...place(name)];
  const work = Math.max(
    ...(await Promise.all(Array.from({ length: workers }, () => run(...words)))),
  );
  return [submit, work];
}

/** Statistics of Redis. */
function info(): Record<string, number> {
  const { stdout } = spawnSync("redis-cli", ["-p", `${redis.port}`, "info", "everything"], {
    encoding: "utf8",
  });
  const calls = stdout.matchAll(/^cmdstat_(evalsha|eval|bzpopmin):calls=(\d+)/gm);
  const sum = [...calls].reduce((all, [, , count]) => all + Number(count), 0);
  const number = (key: string) => Number(new RegExp(`^${key}:([\\d.]+)`, "m").exec(stdout)?.[1]);
  return {
    calls: sum,
    bytes: number("total_net_input_bytes") + number("total_net_output_bytes"),
    memory: number("used_memory"),
    cpu: number("used_cpu_user") + number("used_cpu_sys"),
  };
}

const round = (value: number, digits = 3) => Number(value.toFixed(digits));
const median = (list: number[]) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];

/** Times at which the outputs in a folder were written, in order (ms). */
function ends(folder: string): number[] {
  const times = Array.from({ length: files }, (_, i) =>
    statSync(at(`${folder}/${i}.glb`), { throwIfNoEntry: false }),
  );
  return times.flatMap((info) => info?.mtimeMs ?? []).sort((a, b) => a - b);
}

/** Time of the farm relative to batch when both start now; the files that come first are the same. */
interface Ratio {
  /** From the start of the programs. */
  whole: number;
  /** From the first output of each: without the startup, which a worker does once. */
  afterFirst: number;
}

async function compare(turn: number): Promise<Ratio> {
  const [batch, farm] = [`batch${turn}`, `farm${turn}`];
  await run("farm", "submit", at("in"), at(farm), "--jobs", "2", ...place(farm));
  const commands = [
    () => run("batch", at("in"), at(batch), "--jobs", "1", "--quiet"),
    () => run("farm", "work", "--jobs", "1", "--until-empty", ...place(farm)),
  ];
  const start = Date.now();
  const running = (turn % 2 ? commands.toReversed() : commands).map((begin) => begin());
  await Promise.race(running);
  // From here on one of them has the machine to itself.
  const [ofBatch, ofFarm] = [ends(batch), ends(farm)];
  await Promise.all(running);
  const common = Math.min(ofBatch.length, ofFarm.length) - 1;
  return {
    whole: round((ofFarm[common] - start) / (ofBatch[common] - start)),
    afterFirst: round((ofFarm[common] - ofFarm[0]) / (ofBatch[common] - ofBatch[0])),
  };
}

const inputBytes = writeInputs();
mkdirSync(at("redis"));
const redis = await startRedis(at("redis"));
const ratios: Ratio[] = [];
for (let turn = 0; turn < turns; turn++) {
  ratios.push(await compare(turn));
  console.log(`turn ${turn + 1}:`, ratios[turn]);
}
const before = info();
const [submit, one] = await farmRun("one", 1, 1);
const after = info();
const [, two] = await farmRun("two", 2, 1);
const outputBytes = Array.from({ length: files }, (_, i) => statSync(at(`one/${i}.glb`)).size);
for (let i = 0; i < files; i++) {
  for (const name of ["farm0", "one", "two"]) {
    if (!readFileSync(at(`${name}/${i}.glb`)).equals(readFileSync(at(`batch0/${i}.glb`)))) {
      throw new Error(`${name}/${i}.glb differs from batch's`);
    }
  }
}
const perJob = (key: string) => (after[key] - before[key]) / files;
const result = {
  files,
  turns,
  cores: cpus().length,
  /** Runnable processes during the run: times depend on them, ratios do not. */
  load: round(loadavg()[1], 1),
  /** Time of the farm divided by that of batch, to the last file that both had done: medians, then each round. */
  ratio: median(ratios.map(({ whole }) => whole)),
  ratioAfterFirst: median(ratios.map(({ afterFirst }) => afterFirst)),
  ratios,
  submitSeconds: round(submit, 1),
  perSecond: { oneWorker: round(files / one, 2), twoWorkers: round(files / two, 2) },
  redis: {
    callsPerJob: round(perJob("calls"), 1),
    bytesPerJob: Math.round(perJob("bytes")),
    memoryPerJob: Math.round(perJob("memory")),
    cpuMillisecondsPerJob: round(1000 * perJob("cpu"), 2),
  },
  bytesPerCharacter: Math.round(
    (inputBytes + outputBytes.reduce((sum, bytes) => sum + bytes, 0)) / files,
  ),
};
console.log(result);
await redis.kill();
rmSync(root, { recursive: true });
if (files >= 200) saveJson("farm.json", result);
process.exitCode = result.ratio <= 1.05 ? 0 : 1;
