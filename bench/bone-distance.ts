/**
 * Prints HollowDist from one bone, and draws it on the surface and in a slice through the cells:
 *
 *     npm run bench bone-distance -- <file> <joint> [--picture file.png] [--slice x|y|z] [--resolution n]
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { prepareCharacter } from "../src/character/prepare-character.ts";
import { readCharacterFile } from "../src/disk/character-files.ts";
import { encodePng } from "../src/picture/png.ts";
import { drawBone, measureBone, type SliceAxis } from "./distance-picture.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    picture: { type: "string" },
    slice: { type: "string", default: "z" },
    resolution: { type: "string" },
  },
});
const [file, joint] = positionals;
const { character } = prepareCharacter((await readCharacterFile(file)).character);
const { names } = character.skeleton;
const bone = names.indexOf(joint);
if (bone < 0) throw new Error(`There is no joint "${joint}"; the joints are ${names.join(", ")}.`);
const options = values.resolution ? { resolution: Number(values.resolution) } : {};
const measured = measureBone(character, bone, options);
const { grid, sorted } = measured;
const quantile = (q: number) => sorted[Math.floor(q * (sorted.length - 1))].toFixed(4);
console.log(`${joint}: HollowDist in longest sides of the mesh`);
console.log(`  cells     ${grid.nx} x ${grid.ny} x ${grid.nz}`);
console.log(`  nearest   ${quantile(0)}`);
console.log(`  median    ${quantile(0.5)}`);
console.log(`  farthest  ${quantile(1)}`);
if (values.picture) {
  writeFileSync(values.picture, encodePng(drawBone(measured, values.slice as SliceAxis)));
}
