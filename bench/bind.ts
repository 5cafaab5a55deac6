/**
 * Times `bind` by stage, in a warm process and in a new one:
 *
 *     npm run bench bind -- [triangles] [joints] [runs]
 *
 * The default is a sample with about 10,000 triangles (5,000 vertices) and 60 joints. Build the program first
 * (npm run setup). The fastest run of each kind goes to bench/results/bind.json.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import path from "node:path";
import { bindFile } from "../src/files/bind-file.ts";
import { fileFromCharacter, writeCharacter } from "../src/formats/index.ts";
import { largeCharacter } from "./large-character.ts";
import { saveJson } from "./save-results.ts";

type Timings = Record<string, number>;

const [triangles = 10_000, joints = 60, runs = 8] = process.argv.slice(2).map(Number);
const folder = mkdtempSync(path.join(tmpdir(), "heterskin-bind-"));
const [input, output, report] = ["in.glb", "out.glb", "report.json"].map((name) =>
  path.join(folder, name),
);
const character = await largeCharacter("dancer", triangles, joints);
const vertices = character.mesh.positions.length / 3;
const rigid = {
  influences: 1,
  joints: new Uint16Array(vertices),
  weights: new Float32Array(vertices).fill(1),
};
writeFileSync(input, writeCharacter(fileFromCharacter(character), rigid).bytes);

async function warm(): Promise<Timings> {
  return (await bindFile(input, output, { force: true })).report.timings;
}

function cold(): Timings {
  const argv = [
    "bin/heterskin.js",
    "bind",
    input,
    output,
    "--force",
    "--report",
    report,
    "--quiet",
  ];
  const start = performance.now();
  execFileSync(process.execPath, argv);
  const whole = performance.now() - start;
  return { ...JSON.parse(readFileSync(report, "utf8")).timings, process: whole };
}

const stages = ({ process: _, ...timings }: Timings): number =>
  Object.values(timings).reduce((sum, ms) => sum + ms, 0);
const fastest = (list: Timings[]): Timings => list.sort((a, b) => stages(a) - stages(b))[0];
const rounded = (timings: Timings): Timings =>
  Object.fromEntries(Object.entries(timings).map(([name, ms]) => [name, Math.round(ms)]));

await warm();
const [warmRuns, coldRuns]: Timings[][] = [[], []];
for (let run = 0; run < runs; run++) {
  warmRuns.push(await warm());
  coldRuns.push(cold());
}
rmSync(folder, { recursive: true });
const results = { vertices, joints, runs, load: Number(loadavg()[0].toFixed(1)) };
for (const [name, list] of Object.entries({ warm: warmRuns, cold: coldRuns })) {
  const best = fastest(list);
  Object.assign(results, { [name]: { stages: Math.round(stages(best)), ...rounded(best) } });
}
saveJson("bind.json", results);
console.log(JSON.stringify(results, null, 1));
