/**
 * Measures how the default model's weights depend on units, position and joint order, which should not matter:
 *
 *     npm run bench guises -- <files or folders>
 *
 * Each file is bound as it is and in other guises; its own weights are ignored. Figures go to
 * bench/results/guises.csv.
 */
import path from "node:path";
import type { Character } from "../src/character/character.ts";
import { readCharacterFile } from "../src/disk/character-files.ts";
import { listCharacters } from "../src/files/evaluate-folder.ts";
import { shippedModel } from "../src/node.ts";
import { skin } from "../src/skin.ts";
import type { SkinWeights } from "../src/weights/skin-weights.ts";
import { differences, moved, renumbered, shareBeyond } from "../test/helpers/other-guises.ts";
import { saveLines } from "./save-results.ts";

const places = process.argv.slice(2);
const model = await shippedModel();
const bind = async (character: Character) => (await skin(character, { model, threads: 1 })).weights;

const scaled = (character: Character, factor: number) =>
  moved(character, (point) => Array.from(point, (value) => value * factor));

/** Weights of each guise, by the joints of the file. */
const GUISES: Record<string, (character: Character) => Promise<SkinWeights>> = {
  "x 0.01": (character) => bind(scaled(character, 0.01)),
  "x 1.7": (character) => bind(scaled(character, 1.7)),
  "x 1000": (character) => bind(scaled(character, 1000)),
  "moved by (3 -2 1)": (character) => bind(moved(character, ([x, y, z]) => [x + 3, y - 2, z + 1])),
  "moved by (0.1 0.2 0.3)": (character) =>
    bind(moved(character, ([x, y, z]) => [x + 0.1, y + 0.2, z + 0.3])),
  "joints renumbered": async (character) => {
    const { character: other, order } = renumbered(character);
    const weights = await bind(other);
    return { ...weights, joints: weights.joints.map((joint) => order[joint]) };
  },
};

function figures(rows: number[]): (number | string)[] {
  const largest = rows.reduce((most, row) => Math.max(most, row), 0);
  return [rows.length, shareBeyond(1e-4, rows).toFixed(4), largest.toFixed(6)];
}

const lines = ["file,guise,vertices,fraction above 1e-4,largest difference"];
const all: Record<string, number[]> = {};
for (const { file } of await listCharacters(places)) {
  const read = await readCharacterFile(file).catch(() => undefined);
  if (!read?.character.mesh.triangles.length) continue;
  const { weights: _, ...character } = read.character;
  const vertices = character.mesh.positions.length / 3;
  const straight = await bind(character);
  for (const [guise, weigh] of Object.entries(GUISES)) {
    const rows = differences(straight, await weigh(character), vertices);
    all[guise] = [...(all[guise] ?? []), ...rows];
    lines.push([path.basename(file), guise, ...figures(rows)].join(","));
  }
}
for (const [guise, rows] of Object.entries(all)) {
  lines.push(["all", guise, ...figures(rows)].join(","));
  console.log(guise, ...figures(rows));
}
saveLines("guises.csv", lines);
