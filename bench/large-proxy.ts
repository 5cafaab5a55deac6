/*
 * Measures the cost in accuracy of the proxy: `npm run bench large-proxy -- <data folder> [--split val]`, which
 * writes bench/results/large-proxy.csv.
 *
 * Characters of 5,000 to 25,000 vertices are solved directly and on proxies of a half, a quarter and an
 * eighth of their vertices.
 */

import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { prepareCharacter } from "../src/character/prepare-character.ts";
import { readCharacterFile } from "../src/disk/character-files.ts";
import { meanL1, vertexL1 } from "../src/evaluate/metrics.ts";
import { listCharacters } from "../src/files/evaluate-folder.ts";
import { vertexNeighbors } from "../src/mesh/adjacency.ts";
import { loadMethod } from "../src/methods/methods.ts";
import type { SkinWeights } from "../src/weights/skin-weights.ts";
import { saveLines } from "./save-results.ts";

const [LEAST, MOST] = [5000, 25000];
const SHARES = [1 / 2, 1 / 4, 1 / 8];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { split: { type: "string", default: "val" } },
});
const model = new Uint8Array(readFileSync(new URL("../models/heterskin.onnx", import.meta.url)));
const rows: number[][] = [];
for (const { file } of await listCharacters(positionals, { split: values.split })) {
  const { character } = await readCharacterFile(file);
  const prepared = prepareCharacter(character);
  const { mesh, skeleton, weights: artist } = prepared.character;
  const count = mesh.positions.length / 3;
  if (!artist || count < LEAST || count > MOST) continue;
  const solve = await loadMethod("network");
  const options = { model, provider: "cpu" as const, threads: 1 };
  const { weights: direct } = await solve(prepared, { ...options, proxyVertices: Infinity });
  const neighbors = vertexNeighbors(mesh.triangles, count);
  const jumps = (weights: SkinWeights) => largestJump(weights, neighbors);
  for (const share of SHARES) {
    const limit = Math.round(count * share);
    const { weights: carried } = await solve(prepared, { ...options, proxyVertices: limit });
    rows.push([
      count,
      skeleton.parents.length,
      limit,
      meanL1(direct, artist),
      meanL1(carried, artist),
      meanL1(carried, direct),
      jumps(direct),
      jumps(carried),
    ]);
    console.log(
      rows
        .at(-1)!
        .map((value) => Number(value.toFixed(4)))
        .join("\t"),
    );
  }
}

const header = "vertices,joints,proxy,l1 direct,l1 proxy,l1 between,jump direct,jump proxy";
for (const share of SHARES) {
  const some = rows.filter((row) => Math.abs(row[2] / row[0] - share) < 0.001);
  const means = [3, 4, 5, 6, 7].map((i) => some.reduce((s, row) => s + row[i], 0) / some.length);
  console.log(`1/${1 / share} of ${some.length}: ${means.map((m) => m.toFixed(4)).join(" ")}`);
}
saveLines("large-proxy.csv", [
  header,
  ...rows.map((row) => row.map((value) => Number(value.toFixed(4))).join(",")),
]);

/** The 99.9th percentile of the L1 difference between neighbors. */
function largestJump(
  weights: SkinWeights,
  { starts, items }: { starts: Int32Array; items: Int32Array },
): number {
  const owner = new Int32Array(items.length);
  for (let v = 0; v + 1 < starts.length; v++) owner.fill(v, starts[v], starts[v + 1]);
  const differences = vertexL1(take(weights, items), take(weights, owner)).sort();
  return differences[Math.floor(differences.length * 0.999)];
}

function take({ influences, joints, weights }: SkinWeights, rows: Int32Array): SkinWeights {
  const out: SkinWeights = {
    influences,
    joints: new Uint16Array(rows.length * influences),
    weights: new Float32Array(rows.length * influences),
  };
  rows.forEach((row, i) => {
    const [from, to] = [row * influences, (row + 1) * influences];
    out.joints.set(joints.subarray(from, to), i * influences);
    out.weights.set(weights.subarray(from, to), i * influences);
  });
  return out;
}
