/**
 * Builds the mannequin from which the skeleton of a quadruped is taken:
 *
 *     npm run bench fit-mannequin -- <data folder>
 *
 * The body is the sample fox. The training quadrupeds, up to two per skeleton, are deformed onto the fox
 * (`fitCharacter`), and each role receives the median of their joints. Writes
 * src/fit/mannequin-table.ts; `npm run bench fit` measures the improvement.
 */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { makeSample } from "../samples/index.ts";
import type { Character } from "../src/character/character.ts";
import { readCharacterFile } from "../src/disk/character-files.ts";
import { TABLE } from "../src/files/evaluate-folder.ts";
import { loadModel } from "../src/files/model-files.ts";
import { bodyCentrality, centralityAt } from "../src/fit/body-centrality.ts";
import { facing } from "../src/fit/find-front.ts";
import { carryAlong } from "../src/fit/fit-by-roles.ts";
import { fitCharacter, type RiggedSource } from "../src/fit/fit-character.ts";
import { fitTemplate, meshDepth } from "../src/fit/fit-template.ts";
import { sampleSurface, sampleWeights } from "../src/fit/surface-samples.ts";
import { boundsOf, longestSide } from "../src/math/aabb.ts";
import type { Vec3 } from "../src/math/vec3.ts";
import type { Mesh } from "../src/mesh/mesh.ts";
import type { Front } from "../src/skeleton/find-up.ts";
import { jointsWithRole, type RolePart, skeletonRoles } from "../src/skeleton/roles.ts";
import { skin } from "../src/skin.ts";
import { tableRows } from "../src/train/data/character-table.ts";

const SAMPLES = 400;
const PER_SKELETON = 2;
/** Characters that cover the fox less than this are ignored. */
const COVERED = 60e-4;
const MIN_VOTES = 5;
const PARTS: RolePart[] = ["hips", "neck", "head", "upperLeg", "lowerLeg", "foot"];

const [folder] = process.argv.slice(2);
const fox = makeSample("fox").mesh;
const box = boundsOf(fox.positions);
const size = longestSide(box);
const middle = [(box.min[0] + box.max[0]) / 2, box.min[1], (box.min[2] + box.max[2]) / 2];
const mesh: Mesh = {
  ...fox,
  positions: fox.positions.map((value, i) => (value - middle[i % 3]) / size),
};
const template = fitTemplate(mesh, "quadruped", meshDepth(mesh), false);
const templateRoles = skeletonRoles(template);

const table = tableRows(readFileSync(path.join(folder, TABLE), "utf8"));
const column = (name: string) => table.columns.indexOf(name);
const votes = new Map<string, Vec3[]>();
const seen = new Map<string, number>();
for (const row of table.rows) {
  const group = row[column("skeleton_group")];
  const known = seen.get(group) ?? 0;
  const isWanted = row[column("split")] === "train" && row[column("category")] === "quadruped";
  if (!isWanted || row[column("garment_or_part")] === "1" || known >= PER_SKELETON) continue;
  const file = path.join(folder, "characters", `${row[column("id")]}.glb`);
  const character = (await readCharacterFile(file)).character;
  const front = frontOf(character);
  if (!front || !character.weights) continue;
  seen.set(group, known + 1);
  const { forwards } = facing(front);
  const source: RiggedSource = {
    mesh: { ...character.mesh, positions: forwards(character.mesh.positions) },
    skeleton: { ...character.skeleton, positions: forwards(character.skeleton.positions) },
    weights: character.weights,
  };
  const { positions, after } = fitCharacter(source, mesh);
  if (after > COVERED) continue;
  const roles = skeletonRoles(source.skeleton);
  eachRole((key, part, side, limb) => {
    const [joint] = jointsWithRole(roles, part, side, limb);
    if (joint === undefined) return;
    const [x, y, z] = positions.subarray(joint * 3, joint * 3 + 3);
    votes.set(key, [...(votes.get(key) ?? []), [side < 0 ? -x : x, y, z]]);
  });
}

const median = (list: number[]) => list.sort((a, b) => a - b)[list.length >> 1];
const anchors = new Map<number, Vec3>();
eachRole((key, part, side, limb) => {
  const [joint] = jointsWithRole(templateRoles, part, side, limb);
  const list = votes.get(key) ?? [];
  if (joint === undefined || list.length < MIN_VOTES) return;
  const [x, y, z] = [0, 1, 2].map((axis) => median(list.map((point) => point[axis])));
  anchors.set(joint, [side * x, y, z]);
  if (side >= 0) console.log(`${key}: ${list.length} artists`);
});
const skeleton = { ...template, positions: carryAlong(template, anchors) };
const { weights } = await skin(
  { name: "mannequin", mesh, skeleton },
  { model: await loadModel("network") },
);
const samples = sampleSurface(mesh, SAMPLES);
const rows = sampleWeights(samples, weights);
const centrality = centralityAt(bodyCentrality(mesh), samples.points);

const short = (value: number, digits: number) => Number(value.toFixed(digits));
const points = Array.from({ length: SAMPLES }, (_, i) => [
  ...Array.from(samples.points.subarray(i * 3, i * 3 + 3), (value) => short(value, 4)),
  ...Array.from(samples.normals.subarray(i * 3, i * 3 + 3), (value) => short(value, 2)),
  short(centrality[i], 3),
  ...Array.from({ length: rows.influences }, (_, k) => i * rows.influences + k).flatMap((slot) =>
    rows.weights[slot] > 0.005 ? [rows.joints[slot], short(rows.weights[slot], 2)] : [],
  ),
]);
const joints = skeleton.names.map((name, j) =>
  JSON.stringify([
    name,
    ...Array.from(skeleton.positions.subarray(j * 3, j * 3 + 3), (value) => short(value, 4)),
  ]),
);
const PER_LINE = 10;
const lines = Array.from({ length: SAMPLES / PER_LINE }, (_, line) => {
  const own = points.slice(line * PER_LINE, (line + 1) * PER_LINE);
  return `  ${own.map((point) => `[${point.join(",")}],`).join(" ")}`;
});
writeFileSync(
  "src/fit/mannequin-table.ts",
  `// biome-ignore-all lint/suspicious/noApproximativeNumericConstant: generated
/**
 * The mannequin of a quadruped, facing +z, in longest sides, in the middle of the floor; written by
 * \`npm run bench fit-mannequin\`.
 */
// biome-ignore format: generated
export const JOINTS: readonly (readonly [string, number, number, number])[] = [
  ${joints.join(", ")},
];

/** Points of its surface: position, normal, centrality, then joints and weights in turn. */
// biome-ignore format: generated
export const POINTS: readonly (readonly number[])[] = [
${lines.join("\n")}
];
`,
);

function eachRole(visit: (key: string, part: RolePart, side: 0 | 1 | -1, limb: number) => void) {
  for (const part of PARTS) {
    for (const side of [0, 1, -1] as const) {
      for (const limb of [0, 1]) visit(`${part} ${Math.abs(side)} ${limb}`, part, side, limb);
    }
  }
}

/** Direction that a quadruped faces by the artist's skeleton; undefined if askew or of another kind. */
function frontOf({ skeleton }: Character): Front | undefined {
  const roles = skeletonRoles(skeleton);
  const [left, right] = ([1, -1] as const).map((side) => {
    const [joint] = jointsWithRole(roles, "upperLeg", side, 0);
    return joint === undefined ? undefined : skeleton.positions.subarray(joint * 3, joint * 3 + 3);
  });
  if (roles.kind !== "quadruped" || !left || !right) return undefined;
  const [x, z] = [left[0] - right[0], left[2] - right[2]];
  const length = Math.hypot(x, z);
  const directions: [Front, number][] = [
    ["z", x],
    ["-z", -x],
    ["x", -z],
    ["-x", z],
  ];
  return directions.find(([, along]) => along > 0.9 * length)?.[0];
}
