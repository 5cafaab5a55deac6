/**
 * Draws the weights of one joint, and a pose: as the artist painted them, and before and after learning from
 * siblings:
 *
 *     npm run bench like-picture -- <data folder> <character> <joint> <sibling> [sibling ...]
 *
 * Only the surroundings of the joint are shown. Writes docs/images/like.png.
 */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { adapt } from "../src/adapt/adapt.ts";
import { modelFor } from "../src/adapt/model-parameters.ts";
import type { Character } from "../src/character/character.ts";
import { readCharacterFile, shippedModel } from "../src/disk/character-files.ts";
import { meanL1 } from "../src/evaluate/metrics.ts";
import { boundsOf } from "../src/math/aabb.ts";
import { takeRows } from "../src/math/arrays.ts";
import type { Mesh } from "../src/mesh/mesh.ts";
import { ADAPT_STEP } from "../src/models.ts";
import { pictureGrid } from "../src/picture/draw.ts";
import { encodePng } from "../src/picture/png.ts";
import { renderHeatMap } from "../src/picture/render-maps.ts";
import { skin } from "../src/skin.ts";
import { takeWeights } from "../src/weights/skin-weights.ts";

/** Half the side of the visible part, in longest sides of the character. */
const REACH = 0.16;
const SIZE = 420;

const [folder, id, joint, ...siblings] = process.argv.slice(2);
const load = async (name: string): Promise<Character> =>
  (await readCharacterFile(path.join(folder, "characters", `${name}.glb`))).character;
const character = await load(id);
const at = character.skeleton.names.indexOf(joint);
const model = await shippedModel();
const examples = await Promise.all(siblings.map(load));
const adapted = await adapt(model, examples, { step: await shippedModel(ADAPT_STEP) });
const before = await skin(character, { model });
const after = await skin(character, {
  model: modelFor(character.skeleton, model, adapted.model),
});
const { mesh, vertices } = partAround(at);
const shown = { ...character, mesh };
const pictures = [character.weights!, before.weights, after.weights].map((weights) => {
  const error = meanL1(weights, character.weights!);
  const title = error > 0 ? `L1 of the character ${error.toFixed(2)}` : joint;
  return renderHeatMap(shown, takeWeights(weights, vertices), at, { size: SIZE, title });
});
const columnTitles = ["Artist", "Before", "After"];
const file = new URL("../docs/images/like.png", import.meta.url);
writeFileSync(file, encodePng(pictureGrid(pictures, 3, { columnTitles })));

/** The part of the mesh near a joint, and its vertices. */
function partAround(joint: number): { mesh: Mesh; vertices: Int32Array } {
  const { mesh, skeleton } = character;
  const { min, max } = boundsOf(mesh.positions);
  const reach = REACH * Math.max(...max.map((value, axis) => value - min[axis]));
  const isNear = (vertex: number) =>
    [0, 1, 2].every(
      (axis) =>
        Math.abs(mesh.positions[vertex * 3 + axis] - skeleton.positions[joint * 3 + axis]) < reach,
    );
  const kept: number[] = [];
  for (let i = 0; i < mesh.triangles.length; i += 3) {
    const corners = [...mesh.triangles.subarray(i, i + 3)];
    if (corners.every(isNear)) kept.push(...corners);
  }
  const vertices = Int32Array.from(new Set(kept));
  const place = new Map([...vertices].map((vertex, i) => [vertex, i]));
  const triangles = Uint32Array.from(kept, (vertex) => place.get(vertex)!);
  return { mesh: { positions: takeRows(mesh.positions, vertices, 3), triangles }, vertices };
}
