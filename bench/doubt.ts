// Measures how well the doubt score ranks characters by their true error:
// `npm run bench doubt -- <data folder> [--split val]`. The folder has a table `characters.tsv` and
// `characters/<id>.glb`. Writes bench/results/doubt-<split>.json.

import { parseArgs } from "node:util";
import type { EvaluateOptions } from "../src/evaluate/evaluate-character.ts";
import { listCharacters } from "../src/files/evaluate-folder.ts";
import { createEvaluationJob } from "../src/files/evaluation-job.ts";
import { DEFAULT_METHOD } from "../src/methods/methods.ts";
import { doubtScore } from "../src/review/doubts.ts";
import { saveJson } from "./save-results.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { split: { type: "string", default: "val" } },
});

/** Ranks from 1 in ascending order; equal values share their mean rank. */
function ranks(list: number[]): number[] {
  return list.map((value) => {
    const below = list.filter((other) => other < value).length;
    const equal = list.filter((other) => other === value).length;
    return below + (equal + 1) / 2;
  });
}

/** Spearman's rank correlation. */
function rankCorrelation(a: number[], b: number[]): number {
  const [x, y] = [ranks(a), ranks(b)];
  const middle = (a.length + 1) / 2;
  const product = (p: number[], q: number[]) =>
    p.reduce((sum, value, i) => sum + (value - middle) * (q[i] - middle), 0);
  return product(x, y) / Math.sqrt(product(x, x) * product(y, y));
}

const characters = await listCharacters(positionals, { split: values.split });
const evaluate = await createEvaluationJob({
  methods: [DEFAULT_METHOD],
  preset: "paper",
  details: false,
});
const rows: { id: string; doubt: number; l1: number }[] = [];
for (const character of characters) {
  let doubt = Number.NaN;
  const onWeights: EvaluateOptions["onWeights"] = (_, __, solved) => {
    const { weights, unsmoothed, measured } = solved;
    doubt = doubtScore({ solved: weights, unsmoothed }, measured?.distances);
  };
  const { results } = await evaluate(character, { onWeights });
  const { score, error } = results[DEFAULT_METHOD];
  if (score) rows.push({ id: character.id, doubt, l1: score.l1 });
  else console.error(`${character.id}: ${error}`);
}
const [doubts, errors] = [rows.map(({ doubt }) => doubt), rows.map(({ l1 }) => l1)];
const result = {
  split: values.split,
  characters: rows.length,
  spearman: Number(rankCorrelation(doubts, errors).toFixed(3)),
};
console.log(result);
saveJson(`doubt-${values.split}.json`, result);
process.exitCode = result.spearman >= 0.6 ? 0 : 1;
