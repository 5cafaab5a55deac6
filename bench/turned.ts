/**
 * Scores the default model on characters as they are and on their backs:
 *
 *     npm run bench turned -- <data folder> [--split val]
 *
 * The folder has a table `characters.tsv` and `characters/<id>.glb`. "As it lies" disables the detection of the up
 * axis. Figures go to bench/results/turned.csv.
 */
import path from "node:path";
import { parseArgs } from "node:util";
import type { Character } from "../src/character/character.ts";
import { prepareCharacter } from "../src/character/prepare-character.ts";
import { readCharacterFile } from "../src/disk/character-files.ts";
import { scoreWeights } from "../src/evaluate/score-weights.ts";
import { listCharacters } from "../src/files/evaluate-folder.ts";
import { loadModel } from "../src/files/model-files.ts";
import { mean } from "../src/math/arrays.ts";
import { loadMethod } from "../src/methods/methods.ts";
import { saveLines } from "./save-results.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { split: { type: "string", default: "val" } },
});
const [folder] = positionals;

/** A quarter turn about x: up becomes z. */
function lying({ mesh, skeleton, ...rest }: Character): Character {
  const turn = (points: Float32Array) =>
    points.map((value, i) => (i % 3 === 1 ? -points[i + 1] : i % 3 === 2 ? points[i - 1] : value));
  return {
    ...rest,
    mesh: { ...mesh, positions: turn(mesh.positions) },
    skeleton: { ...skeleton, positions: turn(skeleton.positions) },
  };
}

const solve = await loadMethod("network");
const model = await loadModel("network");
const rows: { upright: number; recognized: number; asItLies: number }[] = [];
for (const { file } of await listCharacters([path.join(folder, "characters")], {
  list: path.join(folder, "characters.tsv"),
  split: values.split,
})) {
  const { character } = await readCharacterFile(file);
  const score = async (each: Character, up: "auto" | "y"): Promise<number> => {
    const prepared = prepareCharacter(each);
    return scoreWeights(prepared, (await solve(prepared, { model, up })).weights).l1;
  };
  rows.push({
    upright: await score(character, "auto"),
    recognized: await score(lying(character), "auto"),
    asItLies: await score(lying(character), "y"),
  });
}
const columns = ["upright", "recognized", "asItLies"] as const;
const means = columns.map((column) => mean(rows.map((row) => row[column])));
const lines = ["setting,characters,l1,ratio"];
columns.forEach((column, i) => {
  lines.push(`${column},${rows.length},${means[i].toFixed(4)},${(means[i] / means[0]).toFixed(3)}`);
});
saveLines("turned.csv", lines);
console.log(lines.join("\n"));
