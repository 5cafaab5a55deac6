/**
 * Times `bind` in this checkout against another one, in one run:
 *
 *     npm run bench speed-against -- <folder of the other checkout> [rounds]
 *
 * Build both first (npm run setup). The two alternate, so that other load on the machine slows both. The median
 * of each and their ratio go to bench/results/speed-against.json. The character has about 5,000 vertices and 60
 * joints.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import path from "node:path";
import { fileFromCharacter, writeCharacter } from "../src/formats/index.ts";
import { largeCharacter } from "./large-character.ts";
import { saveJson } from "./save-results.ts";

const [other, rounds = "7"] = process.argv.slice(2);
if (!other) throw new Error("Usage: npm run bench speed-against -- <folder of the other checkout>");

/** Binds in a warm process: the fastest of four runs after two warm-ups. */
const WARM = `
const [root, input, output, provider] = process.argv.slice(2);
const { bindFile } = await import(root + "/dist/src/files/bind-file.js");
const times = [];
for (let run = 0; run < 6; run++) {
  const start = performance.now();
  await bindFile(input, output, { force: true, provider });
  if (run > 1) times.push(performance.now() - start);
}
console.log(Math.min(...times));
process.exit(0);
`;

const folder = mkdtempSync(path.join(tmpdir(), "heterskin-speed-"));
const [input, output, script] = ["in.glb", "out.glb", "warm.mjs"].map((name) =>
  path.join(folder, name),
);
// A file: worker threads do not accept the flags of an inline script.
writeFileSync(script, WARM);
const character = await largeCharacter("dancer", 10_000, 60);
const vertices = character.mesh.positions.length / 3;
const rigid = {
  influences: 1,
  joints: new Uint16Array(vertices),
  weights: new Float32Array(vertices).fill(1),
};
writeFileSync(input, writeCharacter(fileFromCharacter(character), rigid).bytes);

function warm(root: string, provider: string): number {
  const argv = [script, root, input, output, provider];
  return Number(execFileSync(process.execPath, argv, { encoding: "utf8" }));
}

function cold(root: string): number {
  const start = performance.now();
  const argv = [path.join(root, "bin/heterskin.js"), "bind", input, output, "--force", "--quiet"];
  execFileSync(process.execPath, argv);
  return performance.now() - start;
}

const KINDS: Record<string, (root: string) => number> = {
  warm: (root) => warm(root, "cpu"),
  wasm: (root) => warm(root, "wasm"),
  cold,
};
const roots = [process.cwd(), path.resolve(other)];
const times = Object.fromEntries(
  Object.keys(KINDS).map((kind) => [kind, [[], []] as [number[], number[]]]),
);
for (let round = 0; round < Number(rounds); round++) {
  for (const [kind, measure] of Object.entries(KINDS)) {
    roots.forEach((root, i) => {
      times[kind][i].push(measure(root));
    });
  }
}
rmSync(folder, { recursive: true });
const median = (list: number[]): number => list.sort((a, b) => a - b)[list.length >> 1];
const results = Object.fromEntries(
  Object.entries(times).map(([kind, [here, there]]) => {
    const [now, before] = [Math.round(median(here)), Math.round(median(there))];
    return [kind, { now, before, ratio: Number((now / before).toFixed(2)) }];
  }),
);
const load = Number(loadavg()[0].toFixed(1));
saveJson("speed-against.json", { vertices, joints: 60, rounds: Number(rounds), load, ...results });
console.log(results);
