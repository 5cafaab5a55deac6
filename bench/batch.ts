// Binds 300 characters by `batch`, in one run and killed halfway and resumed:
// `npm run bench batch -- [files] [jobs]`.
// Build the program first (npm run setup). Writes bench/results/batch.json.

import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { makeSample, SAMPLES } from "../samples/index.ts";
import type { Character } from "../src/character/character.ts";
import { fileFromCharacter, writeCharacter } from "../src/formats/index.ts";
import { createRandom } from "../src/math/random.ts";
import { tube } from "../test/helpers/odd-characters.ts";
import { saveJson } from "./save-results.ts";

const files = Number(process.argv[2] ?? 300);
const jobs = process.argv[3] ?? "2";
const root = mkdtempSync(path.join(tmpdir(), "heterskin-batch-"));
const at = (name: string) => path.join(root, name);

/** Tubes of all sizes, every fiftieth file a sample, every hundredth damaged, in ten folders. */
function writeInputs(): void {
  const random = createRandom("batch");
  for (let i = 0; i < files; i++) {
    mkdirSync(at(`in/${i % 10}`), { recursive: true });
    const character =
      i % 50 === 0
        ? makeSample(SAMPLES[(i / 50) % SAMPLES.length].name)
        : tube(10 + Math.floor(60 * random()), 8 + Math.floor(30 * random()), 2 + (i % 40));
    const bytes = glbOf(character);
    writeFileSync(at(`in/${i % 10}/${i}.glb`), i % 100 === 99 ? bytes.subarray(0, 999) : bytes);
  }
}

function glbOf(character: Character): Uint8Array {
  const vertices = character.mesh.positions.length / 3;
  const rigid = {
    influences: 1,
    joints: new Uint16Array(vertices),
    weights: new Float32Array(vertices).fill(1),
  };
  return writeCharacter(fileFromCharacter(character), rigid).bytes;
}

const argv = (out: string) => ["bin/heterskin.js", "batch", at("in"), at(out), "--jobs", jobs];

function runStraight(out: string): number {
  const start = performance.now();
  spawnSync(process.execPath, [...argv(out), "--quiet"], { stdio: "inherit" });
  return (performance.now() - start) / 1000;
}

/** Kills a run when half of its files are done; returns their number. */
async function runHalf(out: string): Promise<number> {
  const child = spawn(process.execPath, argv(out), { stdio: "ignore" });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  while (finished(out) < files / 2) await new Promise((resolve) => setTimeout(resolve, 20));
  child.kill("SIGKILL");
  await ended;
  return finished(out);
}

function finished(out: string): number {
  try {
    return readFileSync(at(`${out}/batch.jsonl`), "utf8").split('"status":').length - 1;
  } catch {
    return 0;
  }
}

function hashes(out: string): Map<string, string> {
  const names = readdirSync(at(out), { recursive: true }).map(String).sort();
  return new Map(
    names
      .filter((name) => name.endsWith(".glb"))
      .map((name) => {
        const hash = createHash("sha256").update(readFileSync(path.join(at(out), name)));
        return [name, hash.digest("hex")];
      }),
  );
}

writeInputs();
const straightSeconds = runStraight("straight");
const doneWhenKilled = await runHalf("resumed");
const resumeSeconds = runStraight("resumed");
const wanted = hashes("straight");
const found = hashes("resumed");
const result = {
  files,
  jobs: Number(jobs),
  outputs: wanted.size,
  straightSeconds: Number(straightSeconds.toFixed(1)),
  doneWhenKilled,
  resumeSeconds: Number(resumeSeconds.toFixed(1)),
  equal: [...wanted].filter(([name, hash]) => found.get(name) === hash).length,
  surplus: [...found.keys()].filter((name) => !wanted.has(name)).length,
};
console.log(result);
rmSync(root, { recursive: true });
if (files >= 300) saveJson("batch.json", result);
process.exitCode = result.equal === result.outputs && result.surplus === 0 ? 0 : 1;
