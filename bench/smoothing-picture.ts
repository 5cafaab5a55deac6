/**
 * Draws the joint at which the paper's smoothing term changes the weights most, for one character:
 *
 *     npm run bench smoothing -- <character file> <paper.onnx> <paper-without-smooth.onnx>
 *
 * Columns: artist, with the term, without it. Writes out/smoothing.png.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { readCharacterFile } from "../src/disk/character-files.ts";
import { eachDifference } from "../src/evaluate/metrics.ts";
import { pictureGrid } from "../src/picture/draw.ts";
import { encodePng } from "../src/picture/png.ts";
import { renderHeatMap } from "../src/picture/render-maps.ts";
import { skin } from "../src/skin.ts";

const [file, ...models] = process.argv.slice(2);
if (models.length !== 2) {
  console.error("Usage: npm run bench smoothing -- <character> <paper> <without smooth>");
  process.exit(1);
}
const { character } = await readCharacterFile(file);
const [withTerm, without] = await Promise.all(
  models.map(
    async (model) =>
      (await skin(character, { method: "paper", model: await readFile(model) })).weights,
  ),
);
const changes = new Float64Array(character.skeleton.names.length);
eachDifference(withTerm, without, (difference, joints) => {
  for (const joint of joints) changes[joint] += Math.abs(difference[joint]);
});
const joint = changes.indexOf(Math.max(...changes));
const title = character.skeleton.names[joint];
const pictures = [character.weights!, withTerm, without].map((weights) =>
  renderHeatMap(character, weights, joint, { size: 420, title }),
);
const columnTitles = ["Artist", "With the smoothing term", "Without it"];
mkdirSync("out", { recursive: true });
writeFileSync("out/smoothing.png", encodePng(pictureGrid(pictures, 3, { columnTitles })));
