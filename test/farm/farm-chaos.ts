// Binds 500 characters with four workers that are killed at random, a Redis that is killed as well, a file that
// crashes its process and one that hangs: run by `npm run test:farm`. Build the program first.

import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { makeSample, SAMPLES } from "../../samples/index.ts";
import { openQueue } from "../../src/farm/queue.ts";
import { createRandom } from "../../src/math/random.ts";
import { glbOf, tube } from "../helpers/odd-characters.ts";
import { startRedis } from "../helpers/redis-server.ts";

const FILES = Number(process.argv[2] ?? 500);
const WORKERS = 4;
const KILLS = 12;
const SETTINGS = ["--method", "hollow", "--resolution", "32", "--timeout", "12"];
const root = mkdtempSync(path.join(tmpdir(), "heterskin-chaos-"));
const at = (name: string) => path.join(root, name);
const random = createRandom("chaos");
const poison = new URL("poison.mjs", import.meta.url).href;
/** Environment of processes that bind; the mark distinguishes ours from others. */
const env = { ...process.env, NODE_OPTIONS: `--import ${poison}`, HETERSKIN_CHAOS: root };
const say = (text: string) => console.log(`${(performance.now() / 1000).toFixed(0)} s: ${text}`);

function writeInputs(): void {
  for (let i = 0; i < FILES; i++) {
    mkdirSync(at(`in/${i % 10}`), { recursive: true });
    const isSample = i % 100 === 50;
    const character = isSample
      ? makeSample(SAMPLES[Math.floor(i / 100) % SAMPLES.length].name)
      : tube(6 + Math.floor(12 * random()), 6 + Math.floor(6 * random()), 2 + (i % 9));
    writeFileSync(at(`in/${i % 10}/${i}.glb`), glbOf(character));
  }
  // Two with the same bytes, and two large ones, which come first.
  writeFileSync(at("in/twin.glb"), readFileSync(at("in/0/0.glb")));
  for (const name of ["crash", "hang"]) writeFileSync(at(`in/${name}.glb`), glbOf(tube(200, 60)));
  writeFileSync(at("in/broken.glb"), "no GLB");
}

function cli(words: string[], more: NodeJS.ProcessEnv = {}): string {
  const argv = ["bin/heterskin.js", ...words];
  const run = spawnSync(process.execPath, argv, {
    encoding: "utf8",
    env: { ...process.env, ...more },
  });
  assert.ok(run.status !== null && run.status <= 2, run.stderr);
  return `${run.stdout}${run.stderr}`;
}

/** Files below a folder. */
const filesOf = (folder: string) => readdirSync(at(folder), { recursive: true }).map(String).sort();

function rowsOf(folder: string): { file: string; error?: string }[] {
  const { rows } = JSON.parse(readFileSync(at(`${folder}/summary.json`), "utf8"));
  return rows.map(({ seconds: _, ...row }: { seconds: number; file: string }) => row);
}

/** Restarts workers, like a supervisor. */
function keepWorkers(redis: string) {
  const workers: ChildProcess[] = [];
  let isOver = false;
  const start = (slot: number) => {
    const words = ["bin/heterskin.js", "farm", "work", "--jobs", "1", "--redis", redis, "--quiet"];
    const child = spawn(process.execPath, words, { env, stdio: "ignore" });
    workers[slot] = child;
    child.once("exit", () => isOver || start(slot));
  };
  for (let slot = 0; slot < WORKERS; slot++) start(slot);
  return {
    kill: () => workers[Math.floor(WORKERS * random())].kill("SIGKILL"),
    async end() {
      isOver = true;
      const ended = workers.map((child) => once(child, "exit"));
      for (const child of workers) child.kill("SIGTERM");
      return (await Promise.all(ended)).map(([code]) => code);
    },
  };
}

/** Our running processes, by their environment. */
function leftProcesses(): string[] {
  return readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return readFileSync(`/proc/${pid}/environ`, "latin1").includes(`HETERSKIN_CHAOS=${root}`);
    } catch {
      return false;
    }
  });
}

writeInputs();
say(`${FILES} characters written`);
cli(["batch", at("in"), at("ref"), "--jobs", "2", "--quiet", ...SETTINGS], env);
say("bound by batch");

mkdirSync(at("redis"));
const redis = await startRedis(at("redis"));
say(cli(["farm", "submit", at("in"), at("out"), "--redis", redis.url, ...SETTINGS]).trim());
const queue = await openQueue({ redis: redis.url, name: "heterskin" });
const open = () => queue.getJobCountByTypes("waiting", "active", "delayed", "prioritized");
const total = await open();
assert.equal(total, FILES + 4);
const workers = keepWorkers(redis.url);
let [kills, crashes] = [0, 0];
for (let left = total; left > 0; left = await open()) {
  await pause(300 + 1500 * random());
  if (kills < KILLS) {
    kills++;
    workers.kill();
  }
  if (left < (total * (2 - crashes)) / 3 && crashes < 2) {
    crashes++;
    await redis.kill();
    await pause(1000);
    await redis.start();
    say(`Redis killed and started again, ${left} jobs left`);
  }
}
assert.ok(crashes === 2 && kills >= 6, `${crashes} ends of Redis, ${kills} of workers`);
say(`all jobs have ended; ${kills} workers killed`);
const codes = await workers.end();
assert.deepEqual(
  codes,
  codes.map(() => 0),
);

const printed = cli(["farm", "summary", at("out"), "--redis", redis.url]);
assert.match(printed, new RegExp(`^${FILES + 1} of ${FILES + 4} files bound`));
assert.deepEqual(rowsOf("out"), rowsOf("ref"));
const sentences = Object.fromEntries(rowsOf("out").map(({ file, error }) => [file, error]));
assert.match(sentences["crash.glb"] ?? "", /the worker process ended \(SIGSEGV\)/);
assert.match(sentences["hang.glb"] ?? "", /it took more than 12 s/);
const bound = filesOf("ref").filter((file) => file.endsWith(".glb"));
assert.deepEqual(
  filesOf("out").filter((file) => /\.glb$|\.tmp$/.test(file)),
  bound,
);
for (const file of bound) {
  assert.ok(readFileSync(at(`out/${file}`)).equals(readFileSync(at(`ref/${file}`))), file);
}
say(`${bound.length} outputs equal those of batch`);
await queue.close();
await redis.kill();
for (let tries = 0; leftProcesses().length > 0; tries++) {
  assert.ok(tries < 100, `processes ${leftProcesses().join(", ")} are left`);
  await pause(100);
}
rmSync(root, { recursive: true });
say("nothing is left behind");
