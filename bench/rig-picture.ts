/**
 * Draws bare samples with a template that was chosen, fitted and bound, during a motion:
 *
 *     npm run bench rig-picture
 *
 * The picture goes to docs/images/rig.png.
 */
import { writeFileSync } from "node:fs";
import { makeSample } from "../samples/index.ts";
import type { Character } from "../src/character/character.ts";
import { chooseTemplate } from "../src/fit/choose-template.ts";
import { fitTemplate, meshDepth } from "../src/fit/fit-template.ts";
import { type MotionName, makeMotion } from "../src/motion/motions.ts";
import { pictureGrid } from "../src/picture/draw.ts";
import { encodePng } from "../src/picture/png.ts";
import { renderClay, renderDominantBones } from "../src/picture/render-maps.ts";
import { forwardKinematics } from "../src/skeleton/pose.ts";
import { bipedTemplate } from "../src/skeleton/templates.ts";
import { skin } from "../src/skin.ts";

const ROWS: [sample: string, motion: MotionName][] = [
  ["dancer", "walk"],
  ["fox", "walk"],
  ["bird", "fly"],
];
const FRAMES = 5;
const size = 300;

const pictures = [];
for (const [sample, name] of ROWS) {
  const { mesh } = makeSample(sample);
  const kind = chooseTemplate(mesh);
  const template = kind === "biped" ? bipedTemplate({ spine: 3 }) : kind;
  const skeleton = fitTemplate(mesh, template, meshDepth(mesh));
  const character: Character = { name: sample, mesh, skeleton };
  const { weights } = await skin(character, { method: "heat" });
  const clip = makeMotion(skeleton, name, mesh)!;
  const J = skeleton.names.length;
  pictures.push(renderClay(character, { size, skeleton: true }));
  for (let frame = 0; frame < FRAMES; frame++) {
    const k = Math.round((frame * (clip.times.length - 1)) / FRAMES);
    const pose = forwardKinematics(
      skeleton,
      clip.rotations.slice(k * J * 4, (k + 1) * J * 4),
      clip.translations.slice(k * J * 3, (k + 1) * J * 3),
    );
    pictures.push(renderDominantBones(character, weights, { size, pose, blend: true }));
  }
}
writeFileSync("docs/images/rig.png", encodePng(pictureGrid(pictures, FRAMES + 1)));
