/**
 * Compares a fixed number of influences with rules that derive it from the prediction:
 *
 *     npm run bench adaptive -- <data folder> [--split val] [--methods network,heat]
 *
 * The folder has a table `characters.tsv` and `characters/<id>.glb`. Weights are scored as `bind`
 * would write them. Figures go to bench/results/adaptive.csv, the table to standard output.
 */
import { parseArgs } from "node:util";
import { prepareCharacter } from "../src/character/prepare-character.ts";
import { readCharacterFile } from "../src/disk/character-files.ts";
import { findPreset } from "../src/evaluate/metrics.ts";
import { scoreWeights } from "../src/evaluate/score-weights.ts";
import { bootstrapInterval } from "../src/evaluate/statistics.ts";
import { listCharacters } from "../src/files/evaluate-folder.ts";
import { loadModel } from "../src/files/model-files.ts";
import { mean } from "../src/math/arrays.ts";
import { loadMethod } from "../src/methods/methods.ts";
import type { SkinWeights } from "../src/weights/skin-weights.ts";
import { adaptInfluences, pruneWeights } from "../src/weights/trim-weights.ts";
import { limitInfluences } from "../src/weights/weight-locks.ts";
import { saveLines } from "./save-results.ts";

/** Rules by name. */
const RULES: Record<string, (weights: SkinWeights) => SkinWeights> = {
  ...Object.fromEntries(
    [1, 2, 3, 4, 8].map((k) => [`fixed ${k}`, (w: SkinWeights) => limitInfluences(w, k)]),
  ),
  ...Object.fromEntries(
    [0.05, 0.1, 0.2].map((x) => [
      `threshold ${x}, at most 4`,
      (w: SkinWeights) => limitInfluences(pruneWeights(w, x), 4),
    ]),
  ),
  ...Object.fromEntries(
    [0.02, 0.04, 0.06, 0.08, 0.1].map((x) => [
      `adaptive ${x}, at most 4`,
      (w: SkinWeights) => limitInfluences(adaptInfluences(w, x), 4),
    ]),
  ),
  "adaptive 0.06, at most 8": (w) => limitInfluences(adaptInfluences(w, 0.06), 8),
};

/** As written: no pruning beyond that of the rule. */
const PRESET = { ...findPreset("network"), prune: 0 };

interface Row {
  influences: number;
  precision: number;
  recall: number;
  l1: number;
  distance: number;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    split: { type: "string", default: "val" },
    methods: { type: "string", default: "network,heat" },
  },
});
const lines = ["method,rule,characters,influences,precision,recall,l1,l1_low,l1_high,distance"];
for (const method of values.methods.split(",")) {
  lines.push(...table(method, await measure(method)));
}
saveLines("adaptive.csv", lines);

async function measure(method: string): Promise<Map<string, Row[]>> {
  const solve = await loadMethod(method);
  const model = await loadModel(method);
  const rows = new Map<string, Row[]>(Object.keys(RULES).map((rule) => [rule, []]));
  const characters = await listCharacters([positionals[0]], { split: values.split });
  for (const [done, { id, file }] of characters.entries()) {
    const { character } = await readCharacterFile(file);
    const prepared = prepareCharacter({ ...character, name: id });
    const { weights: solved } = await solve(prepared, { threads: 1, model });
    for (const [rule, apply] of Object.entries(RULES)) {
      const weights = apply(solved);
      const { precision, recall, l1, distance } = scoreWeights(prepared, weights, {
        preset: PRESET,
      });
      const used = weights.weights.filter((weight) => weight > 0).length;
      const influences = (used * weights.influences) / weights.weights.length;
      rows.get(rule)!.push({ influences, precision, recall, l1, distance });
    }
    console.error(`${method} ${done + 1}/${characters.length} ${id}`);
  }
  return rows;
}

/** Prints a table and the paired difference from the best fixed number; returns the lines of the CSV. */
function table(method: string, rows: Map<string, Row[]>): string[] {
  const l1 = (rule: string) => rows.get(rule)!.map((row) => row.l1);
  const fixed = [...rows.keys()].filter((rule) => rule.startsWith("fixed"));
  const best = fixed.reduce((a, b) => (mean(l1(b)) < mean(l1(a)) ? b : a));
  console.log(`${method}\n\n| rule | joints per vertex | P | R | L1 | to ${best} | distance |`);
  console.log("|---|---|---|---|---|---|---|");
  return [...rows].map(([rule, scores]) => {
    const of = (key: keyof Row) => mean(scores.map((row) => row[key]));
    const gains = l1(rule).map((value, i) => value - l1(best)[i]);
    const [low, high] = bootstrapInterval(gains).map((value) => value.toFixed(4));
    const percent = (key: "precision" | "recall") => (of(key) * 100).toFixed(1);
    const difference = rule === best ? "" : `${mean(gains).toFixed(4)} [${low}, ${high}]`;
    console.log(
      `| ${rule} | ${of("influences").toFixed(2)} | ${percent("precision")} | ${percent("recall")} | ${of("l1").toFixed(4)} | ${difference} | ${of("distance").toFixed(5)} |`,
    );
    const interval = bootstrapInterval(l1(rule)).map((value) => value.toFixed(5));
    const numbers = [of("influences"), of("precision"), of("recall"), of("l1")].map((value) =>
      value.toFixed(5),
    );
    return [
      method,
      `"${rule}"`,
      scores.length,
      ...numbers,
      ...interval,
      of("distance").toFixed(6),
    ].join(",");
  });
}
