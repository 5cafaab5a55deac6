/**
 * Draws the variants of two samples for training:
 *
 *     npm run bench variants        writes docs/images/variants.png
 */
import { writeFileSync } from "node:fs";
import { makeSample } from "../samples/index.ts";
import { prepareCharacter } from "../src/character/prepare-character.ts";
import { attachPart, looseParts } from "../src/learn/augment/attach-part.ts";
import { changeHelpers } from "../src/learn/augment/change-helpers.ts";
import { moveJoints } from "../src/learn/augment/move.ts";
import { resizeParts } from "../src/learn/augment/resize-parts.ts";
import { splitBones } from "../src/learn/augment/split-bones.ts";
import { thinJoints, twinJoints } from "../src/learn/augment/thin.ts";
import type { Weighted } from "../src/learn/augment/weighted.ts";
import { createRandom } from "../src/math/random.ts";
import { pictureGrid } from "../src/picture/draw.ts";
import { encodePng } from "../src/picture/png.ts";
import { renderDominantBones } from "../src/picture/render-maps.ts";

const SIZE = 300;
const drawn = (name: string): Weighted => prepareCharacter(makeSample(name)).character as Weighted;
const box = looseParts(drawn("robot"))[0];

const CHANGES: [string, (character: Weighted, seed: string) => Weighted][] = [
  ["as drawn", (character) => character],
  ["resized", (character, seed) => resizeParts(character, createRandom(seed))],
  ["bones split", (character, seed) => splitBones(character, createRandom(seed), 0.6)],
  ["joints merged", (character, seed) => thinJoints(character, createRandom(seed), 0.3)],
  ["joints moved", (character, seed) => moveJoints(character, createRandom(seed))],
  ["a part attached", (character, seed) => attachPart(character, box, createRandom(seed))],
  ["helpers", (character, seed) => changeHelpers(character, createRandom(seed))],
  ["control rig", (character, seed) => twinJoints(character, createRandom(seed))],
];

const pictures = ["dancer", "fox"].flatMap((name) =>
  CHANGES.map(([what, change]) => {
    const made = prepareCharacter(change(drawn(name), `${name}/${what}/2`)).character as Weighted;
    const title = `${what}, ${made.skeleton.parents.length} joints`;
    return renderDominantBones(made, made.weights, { size: SIZE, skeleton: true, title });
  }),
);
writeFileSync("docs/images/variants.png", encodePng(pictureGrid(pictures, 4)));
