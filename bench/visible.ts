// Measures what people see when characters move, by method, and whether the pose check reports it:
// `npm run bench visible -- <data folder> [--split val] [--methods a,b] [--blender <folder>]`. The folder
// has a table `characters.tsv` and `characters/<id>.glb`; docs/blender-automatic-weights.py makes the files
// of Blender. Writes bench/results/visible-<split>.json and the tables of README.md and docs/lab/visible.md.

import path from "node:path";
import { parseArgs } from "node:util";
import type { EvaluateOptions } from "../src/evaluate/evaluate-character.ts";
import { findPreset, thinWeights } from "../src/evaluate/metrics.ts";
import type { CharacterScore } from "../src/evaluate/score-weights.ts";
import { type VisibleFaults, visibleFractions } from "../src/evaluate/visible-faults.ts";
import { listCharacters } from "../src/files/evaluate-folder.ts";
import { createEvaluationJob } from "../src/files/evaluation-job.ts";
import { mean } from "../src/math/arrays.ts";
import { checkPoses } from "../src/review/pose-check.ts";
import { writeTables } from "./accuracy-results.ts";
import { saveJson } from "./save-results.ts";
import type { Verdict, VisibleResult, VisibleRow } from "./visible-tables.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    split: { type: "string", default: "val" },
    methods: { type: "string", default: "network,heat,geodesic-voxel" },
    blender: { type: "string" },
  },
});

interface Row {
  method: string;
  score: CharacterScore;
  visible: VisibleFaults;
  /** Faults that the pose check finds without the artist's weights. */
  faults: string[];
}

const characters = await listCharacters(positionals, { split: values.split });
/** Names in the table, and the weights behind them. */
const methods = new Map(values.methods.split(",").map((name) => [name, name]));
if (values.blender) methods.set("blender", `existing:${values.blender}`);
methods.set("artist", `existing:${path.join(positionals[0], "characters")}`);
const preset = findPreset("paper");
const evaluate = await createEvaluationJob({
  methods: [...methods.values()],
  preset: "paper",
  details: false,
});
const rows: Row[] = [];
for (const character of characters) {
  const faults = new Map<string, string[]>();
  const onWeights: EvaluateOptions["onWeights"] = (method, prepared, solved) => {
    const found = checkPoses(
      prepared.character,
      thinWeights(solved.weights, preset),
      solved.unsmoothed,
    );
    faults.set(method, [...new Set(found.findings.map(({ fault }) => fault))]);
  };
  const { results } = await evaluate(character, { onWeights });
  for (const [method, weights] of methods) {
    const { score, error } = results[weights];
    if (score)
      rows.push({
        method,
        score,
        visible: score.visible!,
        faults: faults.get(weights) ?? [],
      });
    else console.error(`${character.id}: ${method}: ${error}`);
  }
}

/** Whether a person sees a part float, or the end of a limb stand still that the artist moves. */
const isFaulty = ({ visible }: Row) => visible.floatingParts > 0 || visible.deadEnds > 0;
/** Whether every visible fault also shows with the artist's weights. */
const isSound = ({ visible }: Row) =>
  visible.floatingParts + visible.deadJoints + visible.tornEdges + visible.crossedVertices === 0;
const isFlagged = ({ faults }: Row) => faults.length > 0;
const fraction = (list: Row[], test: (row: Row) => boolean) =>
  list.length === 0 ? null : Number((list.filter(test).length / list.length).toFixed(3));

const verdictOf = (list: Row[]): Verdict => ({
  faulty: list.filter(isFaulty).length,
  flaggedOfFaulty: fraction(list.filter(isFaulty), isFlagged),
  sound: list.filter(isSound).length,
  flaggedOfSound: fraction(list.filter(isSound), isFlagged),
});

const tables: VisibleRow[] = [...methods.keys()].map((method) => {
  const own = rows.filter((row) => row.method === method);
  const { dead, floating, torn, across } = visibleFractions(own.map(({ visible }) => visible));
  const round = (value: number) => Number(value.toPrecision(3));
  return {
    method,
    characters: own.length,
    l1: round(mean(own.map(({ score }) => score.l1))),
    distance: round(mean(own.map(({ score }) => score.distance))),
    deadJoints: round(dead),
    floatingParts: round(floating),
    tornEdges: round(torn),
    across: round(across),
    ...verdictOf(own),
  };
});
const predicted = rows.filter(({ method }) => method !== "artist");
const pooled = verdictOf(predicted);
const artistFlagged = fraction(
  rows.filter(({ method }) => method === "artist"),
  isFlagged,
);
console.table(tables);
console.log(pooled, { artistFlagged });
const result: VisibleResult = { split: values.split, tables, pooled, artistFlagged };
saveJson(`visible-${values.split}.json`, result);
writeTables();
