/*
 * Measures time and memory of complete runs, from file to file: `npm run bench large -- [--quick]`, which writes
 * bench/results/large.csv.
 *
 * Each case runs in a separate process, like `heterskin bind`: read, prepare, solve with the default network,
 * finish, write. The characters are generated from a sample.
 */

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import {
  readCharacterFile,
  shippedModel,
  writeCharacterFile,
} from "../src/disk/character-files.ts";
import { fileFromCharacter } from "../src/formats/file-from-character.ts";
import { skin } from "../src/skin.ts";
import { startStageClock } from "../src/stage-clock.ts";
import { largeCharacter } from "./large-character.ts";
import { growthExponent, machineText, saveLines } from "./save-results.ts";

/** Measurements of one process. */
interface Case {
  triangles: number;
  vertices: number;
  joints: number;
  seconds: number;
  /** Sum over all threads; the more reliable figure on a busy machine. */
  cpuSeconds: number;
  megabytes: number;
  stages: Record<string, number>;
}

const SELF = fileURLToPath(import.meta.url);
const THREADS = 2;
const [command, ...args] = process.argv.slice(2);

if (command === "make") await make(args[0], Number(args[1]), Number(args[2]));
else if (command === "run") await run(args[0]);
else bench(command === "--quick");

async function make(file: string, triangles: number, joints: number): Promise<void> {
  const character = await largeCharacter("dancer", triangles, joints);
  const vertices = character.mesh.positions.length / 3;
  const rigid = {
    influences: 1,
    joints: new Uint16Array(vertices),
    weights: new Float32Array(vertices).fill(1),
  };
  await writeCharacterFile(file, fileFromCharacter(character), rigid, { force: true });
}

async function run(file: string): Promise<void> {
  const start = performance.now();
  const { report, stop } = startStageClock();
  report("read", 0);
  const input = await readCharacterFile(file);
  const model = await shippedModel();
  const result = await skin(input.character, {
    model,
    threads: THREADS,
    provider: "cpu",
    onProgress: report,
  });
  report("write", 0);
  await writeCharacterFile(`${file}.out.glb`, input, result.weights, { force: true });
  const { mesh, skeleton } = input.character;
  const { user, system } = process.cpuUsage();
  const measured: Case = {
    triangles: mesh.triangles.length / 3,
    vertices: mesh.positions.length / 3,
    joints: skeleton.parents.length,
    seconds: (performance.now() - start) / 1000,
    cpuSeconds: (user + system) / 1e6,
    megabytes: process.resourceUsage().maxRSS / 1024,
    stages: stop(),
  };
  process.stdout.write(JSON.stringify(measured));
}

function bench(quick: boolean): void {
  const folder = mkdtempSync(path.join(tmpdir(), "heterskin-large-"));
  const measure = (triangles: number, joints: number): Case => {
    const file = path.join(folder, "character.glb");
    child("make", file, `${triangles}`, `${joints}`);
    const measured = JSON.parse(child("run", file)) as Case;
    note(measured);
    return measured;
  };
  const sizes = quick ? [1000, 10_000] : [1000, 3000, 10_000, 30_000, 100_000, 300_000, 1_000_000];
  const counts = quick ? [10, 100] : [10, 30, 100, 300, 1000];
  try {
    const bySize = sizes.map((triangles) => measure(triangles, 60));
    const byJoints = counts.map((joints) => measure(30_000, joints));
    const targets = quick ? [] : [measure(200_000, 300), measure(1_000_000, 300)];
    if (!quick) save(bySize, byJoints, targets);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function child(...words: string[]): string {
  return execFileSync(process.execPath, ["--import", "tsx", SELF, ...words], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
}

function note({ triangles, vertices, joints, seconds, cpuSeconds, megabytes, stages }: Case): void {
  const parts = Object.entries(stages).map(([name, time]) => `${name} ${(time / 1000).toFixed(1)}`);
  console.log(
    `${triangles} triangles, ${vertices} vertices, ${joints} joints: ${seconds.toFixed(1)} s, ` +
      `${cpuSeconds.toFixed(1)} s of CPU, ${megabytes.toFixed(0)} MB (${parts.join(", ")})`,
  );
}

function save(bySize: Case[], byJoints: Case[], targets: Case[]): void {
  const all = [...bySize, ...byJoints, ...targets];
  const names = [...new Set(all.flatMap((c) => Object.keys(c.stages)))];
  const row = (name: string, c: Case): string =>
    [
      name,
      c.triangles,
      c.vertices,
      c.joints,
      c.seconds.toFixed(2),
      c.cpuSeconds.toFixed(2),
      c.megabytes.toFixed(0),
      ...names.map((s) => ((c.stages[s] ?? 0) / 1000).toFixed(2)),
    ].join(",");
  const lines = [
    `# ${machineText()}; ${THREADS} threads; network heterskin.onnx on the CPU`,
    `case,triangles,vertices,joints,seconds,cpu seconds,megabytes,${names.join(",")}`,
    ...bySize.map((c) => row("growth in triangles", c)),
    ...byJoints.map((c) => row("growth in joints", c)),
    ...targets.map((c) => row("target", c)),
    ...exponents("triangles", bySize),
    ...exponents("joints", byJoints),
  ];
  saveLines("large.csv", lines);
  for (const line of lines.slice(-4)) console.log(line);
}

/** Exponents of time and memory over all cases, and over the largest three. */
function exponents(by: "triangles" | "joints", cases: Case[]): string[] {
  const slope = (some: Case[], of: "cpuSeconds" | "seconds" | "megabytes"): string =>
    growthExponent(
      some.map((c) => c[by]),
      some.map((c) => c[of]),
    ).toFixed(3);
  return [cases, cases.slice(-3)].map((some, i) =>
    [
      `exponent in ${by}${i === 0 ? "" : " (largest three)"}`,
      "",
      "",
      "",
      slope(some, "seconds"),
      slope(some, "cpuSeconds"),
      slope(some, "megabytes"),
    ].join(","),
  );
}
