/**
 * Measures the effect of `refine` on weights of several methods and on the artist's own:
 *
 *     npm run bench refine -- <data folder> [--split val]
 *
 * The folder has a table `characters.tsv` and `characters/<id>.glb`. Figures go to
 * bench/results/refine.csv, a table to standard output.
 */
import { parseArgs } from "node:util";
import { prepareCharacter } from "../src/character/prepare-character.ts";
import { readCharacterFile } from "../src/disk/character-files.ts";
import { measureDistancesSync } from "../src/distance/measure.ts";
import { meanL1 } from "../src/evaluate/metrics.ts";
import { listCharacters } from "../src/files/evaluate-folder.ts";
import { mean } from "../src/math/arrays.ts";
import { loadMethod } from "../src/methods/methods.ts";
import { refineWeights } from "../src/refine.ts";
import { meanBleed } from "../src/review/bleed.ts";
import type { SkinWeights } from "../src/weights/skin-weights.ts";
import { saveLines } from "./save-results.ts";

const METHODS = ["inverse-distance", "euclid", "heat", "geodesic-voxel"];
const COLUMNS = ["bleed_before", "bleed_after", "l1_before", "l1_after", "changed"] as const;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { split: { type: "string", default: "val" } },
});
const scores = new Map<string, number[][]>();
for (const { id, file } of await listCharacters([positionals[0]], { split: values.split })) {
  const prepared = prepareCharacter((await readCharacterFile(file)).character);
  const { character } = prepared;
  const artist = character.weights!;
  const joints = character.skeleton.parents.length;
  const { distances } = measureDistancesSync(character, { k: Math.min(joints, 64) });
  const score = (method: string, before: SkinWeights) => {
    const { weights, changed } = refineWeights(before, distances);
    const row = [
      meanBleed(before, distances),
      meanBleed(weights, distances),
      meanL1(before, artist),
      meanL1(weights, artist),
      (changed * artist.influences) / artist.weights.length,
    ];
    scores.set(method, [...(scores.get(method) ?? []), row]);
  };
  score("artist", artist);
  for (const method of METHODS)
    score(method, (await (await loadMethod(method))(prepared, {})).weights);
  console.error(id);
}
const lines = [`method,characters,${COLUMNS.join(",")}`];
console.log(`| weights of | ${COLUMNS.join(" | ")} |\n|---|---|---|---|---|---|`);
for (const [method, rows] of scores) {
  const means = COLUMNS.map((_, i) => mean(rows.map((row) => row[i])).toFixed(4));
  lines.push([method, rows.length, ...means].join(","));
  console.log(`| ${method} | ${means.join(" | ")} |`);
}
saveLines("refine.csv", lines);
