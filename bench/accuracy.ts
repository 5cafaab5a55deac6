/**
 * Regenerates every table of accuracy from the committed models:
 *
 *     npm run bench accuracy -- <data folder> [--split test] [--jobs n] [--others folder] [--tables-only]
 *
 * The folder has a table `characters.tsv` and `characters/<id>.glb`. Results go to bench/results,
 * tables into the documents with markers for them. `--others` names folders of files from other tools,
 * as comma-separated `name=folder`; by default their committed rows stay as they are. `--only` measures
 * only the comma-separated methods and keeps the committed rows of all others.
 */
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { modelPath } from "../src/disk/character-files.ts";
import { type Evaluation, TOP_K } from "../src/evaluate/evaluate-character.ts";
import { PRESET_NAMES, type PresetName } from "../src/evaluate/metrics.ts";
import {
  type MethodJson,
  type ResultJson,
  resultCsv,
  resultJson,
} from "../src/evaluate/summary.ts";
import { evaluateAll, listCharacters } from "../src/files/evaluate-folder.ts";
import type { EvaluationSettings, ListedCharacter } from "../src/files/evaluation-job.ts";
import { mean } from "../src/math/arrays.ts";
import { METHOD_NAMES } from "../src/methods/methods.ts";
import { MODELS } from "../src/models.ts";
import { RESULT_FILES, readAccuracyResults, writeTables } from "./accuracy-results.ts";
import type { TopKTable } from "./accuracy-tables.ts";
import { withKnown } from "./known-results.ts";
import { knownSkeletons } from "./known-skeletons.ts";
import { saveJson, saveLines } from "./save-results.ts";

/** Methods without a model; the networks in models/ precede them. */
const OTHERS = [
  "heat",
  "heat:blind",
  "geodesic-voxel",
  "geodesic-voxel:maya",
  "hollow",
  "volumetric",
  "euclid",
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    split: { type: "string", default: "test" },
    jobs: { type: "string" },
    others: { type: "string" },
    only: { type: "string" },
    "tables-only": { type: "boolean", default: false },
  },
});

if (!values["tables-only"]) {
  const [folder] = positionals;
  const characters = await listCharacters([folder], { split: values.split });
  await measure(characters);
  const skeletons = knownSkeletons(
    folder,
    characters.map(({ id }) => id),
  );
  if (skeletons) save("skeletons", skeletons);
}
writeTables();

async function measure(characters: ListedCharacter[]): Promise<void> {
  if (values.only) return measureOnly(characters, values.only.split(","));
  const networks = Object.keys(MODELS).filter((name) => existsSync(modelPath(name)));
  const methods = [
    ...networks,
    ...OTHERS.filter((name) => (METHOD_NAMES as readonly string[]).includes(name)),
  ];
  const test = await evaluate(characters, { methods, preset: "paper", details: true });
  saveTest(test);
  save("topK", topKTable(test));
  if (networks.includes("network")) save("presets", await presetRows(characters, test));
  if (values.others) save("others", await otherTools(characters, values.others));
}

function saveTest(evaluation: Evaluation): void {
  save("test", resultJson(evaluation));
  saveLines("accuracy-test.csv", [resultCsv(evaluation).trimEnd()]);
}

/** Measures some methods and combines their rows with the committed ones of the others. */
async function measureOnly(characters: ListedCharacter[], methods: string[]): Promise<void> {
  const before = readAccuracyResults().test;
  const evaluation = await evaluate(characters, { methods, preset: "paper", details: true });
  saveTest(before ? withKnown(evaluation, before) : evaluation);
  if (methods.includes("network")) save("presets", await presetRows(characters, evaluation));
}

async function evaluate(
  characters: ListedCharacter[],
  settings: EvaluationSettings,
): Promise<Evaluation> {
  const results = await evaluateAll(characters, settings, {
    ...(values.jobs && { jobs: Number(values.jobs) }),
    onDone: ({ id }, done, total) => console.error(`${settings.preset} ${done}/${total} ${id}`),
  });
  return { preset: settings.preset, methods: settings.methods, characters: results };
}

function topKTable({ characters }: Evaluation): TopKTable {
  const measured = characters.flatMap(({ topK }) => (topK ? [topK] : []));
  const curve = (distance: string, part: "weight" | "oracle") =>
    TOP_K.map((_, i) => mean(measured.map((curves) => curves[distance][part][i])));
  const distances = Object.keys(measured[0] ?? {}).map((distance) => [
    distance,
    { weight: curve(distance, "weight"), oracle: curve(distance, "oracle") },
  ]);
  return { k: TOP_K, distances: Object.fromEntries(distances) };
}

async function presetRows(
  characters: ListedCharacter[],
  test: Evaluation,
): Promise<Record<string, MethodJson>> {
  const methods = ["network"];
  const rows: Record<string, MethodJson> = {};
  for (const preset of PRESET_NAMES as PresetName[]) {
    const evaluation =
      preset === test.preset
        ? test
        : await evaluate(characters, { methods, preset, details: false });
    rows[preset] = resultJson(evaluation).methods.network;
  }
  return rows;
}

/** Other tools by their given names. */
async function otherTools(characters: ListedCharacter[], given: string): Promise<ResultJson> {
  const tools = given.split(",").map((pair) => pair.split("="));
  const methods = tools.map(([, folder]) => `existing:${folder}`);
  const settings = { methods, preset: "paper" as const, details: false };
  const evaluation = await evaluate(characters, settings);
  // Results name files relative to the folder.
  const nameOf = new Map(methods.map((method, i) => [method, tools[i][0]]));
  return resultJson({
    ...evaluation,
    methods: tools.map(([name]) => name),
    characters: evaluation.characters.map((character) => ({
      ...character,
      results: Object.fromEntries(
        Object.entries(character.results).map(([method, result]) => [
          nameOf.get(method) ?? method,
          result,
        ]),
      ),
    })),
  });
}

function save(name: keyof typeof RESULT_FILES, data: unknown): void {
  saveJson(RESULT_FILES[name], data);
}
