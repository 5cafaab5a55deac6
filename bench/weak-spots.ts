/**
 * Draws where the default model errs most on samples whose weights are known:
 *
 *     npm run bench pictures        writes docs/images/weak-spots.png
 */
import { writeFileSync } from "node:fs";
import { makeSample, SAMPLES } from "../samples/index.ts";
import { meanL1, vertexL1 } from "../src/evaluate/metrics.ts";
import { loadModel } from "../src/files/model-files.ts";
import { pictureGrid } from "../src/picture/draw.ts";
import { encodePng } from "../src/picture/png.ts";
import { renderDominantBones, renderErrorMap } from "../src/picture/render-maps.ts";
import { skin } from "../src/skin.ts";

/** Number of samples shown, the worst first. */
const SHOWN = 3;
const SIZE = 340;

const model = (await loadModel("network"))!;
const bound = [];
for (const { name } of SAMPLES) {
  const character = makeSample(name);
  const known = character.weights!;
  const { weights } = await skin(character, { model });
  const error = meanL1(weights, known);
  console.log(`${name}: L1 ${error.toFixed(3)}`);
  bound.push({ name, character, known, weights, error });
}
bound.sort((a, b) => b.error - a.error);
const pictures = bound.slice(0, SHOWN).flatMap(({ name, character, known, weights, error }) => {
  const look = { size: SIZE, skeleton: true };
  return [
    renderDominantBones(character, known, { ...look, title: name }),
    renderDominantBones(character, weights, look),
    renderErrorMap(character, vertexL1(weights, known), {
      size: SIZE,
      worst: 2,
      title: `L1 ${error.toFixed(3)}`,
    }),
  ];
});
const columnTitles = ["As made", "Default model", "Error of each vertex"];
const file = new URL("../docs/images/weak-spots.png", import.meta.url);
writeFileSync(file, encodePng(pictureGrid(pictures, 3, { columnTitles })));
