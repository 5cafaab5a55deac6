/**
 * Measures the effect of excluding end markers and IK helpers, on the characters that have any; `bind` excludes
 * those that the default network does not claim, and all of them with other methods:
 *
 *     npm run bench exclude -- <data folder> [--split val]
 *
 * The file's own weights are hidden from the rule, which never excludes a joint that they use. The result is that
 * for a character without weights. Figures go to bench/results/exclude.csv.
 */
import { parseArgs } from "node:util";
import { prepareCharacter } from "../src/character/prepare-character.ts";
import { readCharacterFile } from "../src/disk/character-files.ts";
import { meanL1 } from "../src/evaluate/metrics.ts";
import { listCharacters } from "../src/files/evaluate-folder.ts";
import { loadModel } from "../src/files/model-files.ts";
import { finishWeights } from "../src/finish/finish-weights.ts";
import { mean } from "../src/math/arrays.ts";
import { loadMethod } from "../src/methods/methods.ts";
import { helperJoints } from "../src/skeleton/helper-joints.ts";
import { SKIN_DEFAULTS } from "../src/skin.ts";
import { saveLines } from "./save-results.ts";

const METHODS = ["network", "heat", "euclid"];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { split: { type: "string", default: "val" } },
});
const scores = new Map(METHODS.map((method) => [method, [] as number[][]]));
for (const { file } of await listCharacters([positionals[0]], { split: values.split })) {
  const prepared = prepareCharacter((await readCharacterFile(file)).character);
  const { weights: artist, ...bare } = prepared.character;
  if (helperJoints(bare.skeleton).every((kind) => kind === 0)) continue;
  for (const method of METHODS) {
    const model = await loadModel(method);
    const solve = await loadMethod(method);
    const { weights: solved, unsmoothed } = await solve(prepared, { threads: 1, model });
    const score = (allJoints: boolean, knowsHelpers: boolean) => {
      const options = { ...SKIN_DEFAULTS, allJoints };
      return meanL1(finishWeights(solved, bare, options, { knowsHelpers }).weights, artist!);
    };
    const isKnowing = unsmoothed !== undefined;
    scores.get(method)!.push([score(true, false), score(false, false), score(false, isKnowing)]);
  }
}
const lines = ["method,characters,l1_all_joints,l1_without_helpers,l1_as_bound"];
for (const [method, rows] of scores) {
  const means = [0, 1, 2].map((i) => mean(rows.map((row) => row[i])).toFixed(4));
  lines.push([method, rows.length, ...means].join(","));
}
console.log(lines.join("\n"));
saveLines("exclude.csv", lines);
