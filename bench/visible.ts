// What people see when characters move, by method, and whether the pose check says so:
// `npm run bench visible -- <data folder> [--split val] [--methods a,b]`. The folder has a table
// `characters.tsv` and `characters/<id>.glb`. Writes bench/results/visible-<split>.json.

import { parseArgs } from "node:util";
import type { EvaluateOptions } from "../src/evaluate/evaluate-character.ts";
import { findPreset, thinWeights } from "../src/evaluate/presets.ts";
import type { CharacterScore } from "../src/evaluate/score-weights.ts";
import { type VisibleFaults, visibleFractions } from "../src/evaluate/visible-faults.ts";
import { createEvaluationJob } from "../src/files/evaluation-job.ts";
import { listCharacters } from "../src/files/evaluation-list.ts";
import { mean } from "../src/math/arrays.ts";
import { checkPoses } from "../src/review/pose-check.ts";
import { saveJson } from "./save-results.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    split: { type: "string", default: "val" },
    methods: { type: "string", default: "network,heat,geodesic-voxel" },
  },
});

interface Row {
  method: string;
  score: CharacterScore;
  visible: VisibleFaults;
  /** Faults that the pose check names, without the artist's weights. */
  faults: string[];
  /** The same for the artist's weights. */
  artist: string[];
}

const characters = await listCharacters(positionals, { split: values.split });
const methods = values.methods.split(",");
const preset = findPreset("paper");
const evaluate = await createEvaluationJob({ methods, preset: "paper", details: false });
const rows: Row[] = [];
for (const character of characters) {
  const faults = new Map<string, string[]>();
  let artist: string[] = [];
  const onWeights: EvaluateOptions["onWeights"] = (method, prepared, solved) => {
    const found = checkPoses(
      prepared.character,
      thinWeights(solved.weights, preset),
      solved.unsmoothed,
    );
    faults.set(method, [...new Set(found.findings.map(({ fault }) => fault))]);
    const own = checkPoses(prepared.character, prepared.character.weights!);
    artist = [...new Set(own.findings.map(({ fault }) => fault))];
  };
  const { results } = await evaluate(character, { onWeights });
  for (const method of methods) {
    const { score, error } = results[method];
    if (score)
      rows.push({
        method,
        score,
        visible: score.visible!,
        faults: faults.get(method) ?? [],
        artist,
      });
    else console.error(`${character.id}: ${method}: ${error}`);
  }
}

/** Whether a person sees a part float or a joint stand still that the artist moves. */
const isFaulty = ({ visible }: Row) => visible.floatingParts > 0 || visible.deadJoints > 0;
/** Whether nothing shows that the artist's weights do not show. */
const isSound = ({ visible }: Row) =>
  visible.floatingParts + visible.deadJoints + visible.tornEdges + visible.crossedVertices === 0;
const isFlagged = ({ faults }: Row) => faults.length > 0;
const fraction = (list: Row[], test: (row: Row) => boolean) =>
  list.length === 0 ? null : Number((list.filter(test).length / list.length).toFixed(3));

const tables = methods.map((method) => {
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
    // The verdict: how many faulty characters are flagged, and how many sound ones.
    faulty: own.filter(isFaulty).length,
    flaggedOfFaulty: fraction(own.filter(isFaulty), isFlagged),
    sound: own.filter(isSound).length,
    flaggedOfSound: fraction(own.filter(isSound), isFlagged),
  };
});
const pooled = {
  faulty: rows.filter(isFaulty).length,
  flaggedOfFaulty: fraction(rows.filter(isFaulty), isFlagged),
  sound: rows.filter(isSound).length,
  flaggedOfSound: fraction(rows.filter(isSound), isFlagged),
};
const artistFlagged = fraction(
  rows.filter(({ method }) => method === methods[0]),
  ({ artist }) => artist.length > 0,
);
console.table(tables);
console.log(pooled, { artistFlagged });
saveJson(`visible-${values.split}.json`, { split: values.split, tables, pooled, artistFlagged });
