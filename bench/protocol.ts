/**
 * Evaluates by the paper's protocol: a random split over characters, whatever their skeletons.
 *
 *     npm run bench protocol -- <data folder> --table split.tsv
 *     npm run bench protocol -- <data folder> --models <folder>
 *
 * The first writes the split, for `heterskin prepare --list`. The second scores the networks that were
 * trained on it (`default.onnx`, `paper.onnx`, `rignet.onnx`, `neuroskinning.onnx` in the folder) and
 * methods without training. Figures go to bench/results/protocol.json, the table into docs/lab/accuracy.md.
 */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { readCharacterFile } from "../src/disk/character-files.ts";
import { type CharacterResult, evaluateCharacter } from "../src/evaluate/evaluate-character.ts";
import { resultJson } from "../src/evaluate/summary.ts";
import { loadModel } from "../src/files/model-files.ts";
import { loadMethod } from "../src/methods/methods.ts";
import { DEFAULT_NETWORK } from "../src/models.ts";
import { readCharacterTable } from "../src/train/data/character-table.ts";
import { RESULT_FILES, writeTables } from "./accuracy-results.ts";
import { randomSplit } from "./random-split.ts";
import { saveJson } from "./save-results.ts";

/** Networks by method name, and the file of the one trained on this split. */
const NETWORKS = {
  network: "default",
  paper: "paper",
  rignet: "rignet",
  neuroskinning: "neuroskinning",
};
const OTHERS = ["geodesic-voxel", "geodesic-voxel:maya", "heat"];
const SEED = 1;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { table: { type: "string" }, models: { type: "string" } },
});
const [data] = positionals;
const table = path.join(data, "characters.tsv");
const rows = readCharacterTable(readFileSync(table, "utf8"), table, true);
const split = randomSplit(
  rows.map(({ id }) => id),
  SEED,
);
if (values.table) {
  const lines = [...split].map((row) => row.join("\t"));
  writeFileSync(values.table, `${["id\tsplit", ...lines].join("\n")}\n`);
} else if (values.models) {
  await score(data, values.models);
}

async function score(folder: string, models: string): Promise<void> {
  const networks = Object.entries(NETWORKS).map(async ([name, file]) => ({
    name,
    // The rivals run as published, without HeterSkin's passes around a network.
    solve: await loadMethod(name === DEFAULT_NETWORK ? name : "paper"),
    options: { model: await loadModel(DEFAULT_NETWORK, path.join(models, `${file}.onnx`)) },
  }));
  const others = OTHERS.map(async (name) => ({ name, solve: await loadMethod(name) }));
  const methods = await Promise.all([...networks, ...others]);
  const ids = [...split].flatMap(([id, part]) => (part === "test" ? [id] : []));
  const characters: CharacterResult[] = [];
  for (const id of ids) {
    const { character } = await readCharacterFile(path.join(folder, "characters", `${id}.glb`));
    characters.push(await evaluateCharacter({ ...character, name: id }, methods));
    console.error(`${characters.length}/${ids.length} ${id}`);
  }
  const names = methods.map(({ name }) => name);
  const result = resultJson({ preset: "paper", methods: names, characters });
  saveJson(RESULT_FILES.protocol, result);
  writeTables();
}
