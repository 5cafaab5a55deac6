/**
 * Learns how artists' joints differ from those of the fitted template of a biped:
 *
 *     npm run bench fit-habits -- <data folder>
 *
 * Uses the training characters in a T or A pose, up to three per skeleton, and ridge regression on absolute
 * errors. Writes src/fit/biped-habits-table.ts; `npm run bench fit` measures the improvement.
 */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { readCharacterFile } from "../src/disk/character-files.ts";
import { TABLE } from "../src/files/evaluate-folder.ts";
import { bodyUnits, HABIT_JOINTS, habitFeatures, isArmSpread } from "../src/fit/biped-habits.ts";
import { fitTemplate, meshDepth } from "../src/fit/fit-template.ts";
import { boundsOf } from "../src/math/aabb.ts";
import { mean } from "../src/math/arrays.ts";
import type { Vec3 } from "../src/math/vec3.ts";
import { jointsWithRole, type RolePart, skeletonRoles } from "../src/skeleton/roles.ts";
import { bipedTemplate } from "../src/skeleton/templates.ts";
import { tableRows } from "../src/train/data/character-table.ts";

/** Maximum characters per skeleton, and the strength of the ridge for features with a deviation of 1. */
const PER_SKELETON = 3;
const RIDGE = 30;
/** Rounds of reweighting by absolute errors, and the error from which the weight decreases. */
const ROUNDS = 20;
const SMALL = 0.01;
/** Flatter bodies are lying down. */
const LYING = 0.4;

const [folder] = process.argv.slice(2);
const table = tableRows(readFileSync(path.join(folder, TABLE), "utf8"));
const [id, split, category, part, group] = [
  "id",
  "split",
  "category",
  "garment_or_part",
  "skeleton_group",
].map((name) => table.columns.indexOf(name));

const inputs: number[][] = [];
/** For each character and joint, the artist's position minus the fitted one. */
const targets: (Vec3 | undefined)[][] = [];
const seen = new Map<string, number>();
for (const row of table.rows) {
  const known = seen.get(row[group]) ?? 0;
  if (row[split] !== "train" || row[category] !== "humanoid" || row[part] === "1") continue;
  if (known >= PER_SKELETON) continue;
  const file = path.join(folder, "characters", `${row[id]}.glb`);
  const { mesh, skeleton } = (await readCharacterFile(file)).character;
  const roles = skeletonRoles(skeleton);
  const box = boundsOf(mesh.positions);
  if (roles.kind !== "biped" || box.max[1] - box.min[1] < LYING) continue;
  seen.set(row[group], known + 1);
  const { to } = bodyUnits(box);
  const artist = (name: string): Vec3 | undefined => {
    const role = name.replace(/\.L$/, "") as RolePart;
    const sides = name.endsWith(".L") ? ([1, -1] as const) : ([0] as const);
    const found = sides.map((side) => jointsWithRole(roles, role, side, 0)[0]);
    if (found.includes(undefined as never)) return undefined;
    const points = found.map((joint) => to(skeleton.positions.subarray(joint * 3, joint * 3 + 3)));
    return [0, 1, 2].map((axis) =>
      mean(points.map((p, i) => (axis === 0 && i === 1 ? -p[0] : p[axis]))),
    ) as Vec3;
  };
  const [upper, hand] = [artist("upperArm.L"), artist("hand.L")];
  if (!upper || !hand || !isArmSpread(upper, hand)) continue;
  const placed = fitTemplate(mesh, bipedTemplate({ spine: 3 }), meshDepth(mesh), false);
  const at = (name: string): Vec3 => {
    const joint = placed.names.indexOf(name);
    return to(placed.positions.subarray(joint * 3, joint * 3 + 3));
  };
  inputs.push(habitFeatures(at, box));
  targets.push(
    HABIT_JOINTS.map((name) => {
      const goal = artist(name);
      return goal && (goal.map((value, axis) => value - at(name)[axis]) as Vec3);
    }),
  );
}
console.log(`${inputs.length} bodies of ${seen.size} skeletons`);

const F = inputs[0].length;
const means = Array.from({ length: F }, (_, i) =>
  i === 0 ? 0 : mean(inputs.map((row) => row[i])),
);
const deviations = means.map((middle, i) =>
  i === 0 ? 1 : Math.sqrt(mean(inputs.map((row) => (row[i] - middle) ** 2))) + 1e-6,
);
const whitened = inputs.map((row) =>
  row.map((value, i) => (i === 0 ? 1 : (value - means[i]) / deviations[i])),
);

/** Solves a small dense system by elimination. */
function solve(matrix: number[][], right: number[]): number[] {
  const rows = matrix.map((row, i) => [...row, right[i]]);
  for (let i = 0; i < F; i++) {
    const pivot = rows.slice(i).reduce((a, b) => (Math.abs(b[i]) > Math.abs(a[i]) ? b : a));
    rows.splice(rows.indexOf(pivot), 1, rows[i]);
    rows[i] = pivot;
    for (let k = 0; k < F; k++) {
      if (k === i) continue;
      const factor = rows[k][i] / pivot[i];
      rows[k] = rows[k].map((value, column) => value - factor * pivot[column]);
    }
  }
  return rows.map((row, i) => row[F] / row[i]);
}

function regress(goals: (number | undefined)[]): number[] {
  const known = [...goals.keys()].filter((i) => goals[i] !== undefined);
  let weights = known.map(() => 1);
  let found: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const sum = (term: (row: number[], goal: number) => number) =>
      known.reduce((total, i, k) => total + weights[k] * term(whitened[i], goals[i]!), 0);
    const matrix = Array.from({ length: F }, (_, a) =>
      Array.from(
        { length: F },
        (_, b) => sum((row) => row[a] * row[b]) + (a === b ? (a === 0 ? 1e-6 : RIDGE) : 0),
      ),
    );
    const right = Array.from({ length: F }, (_, a) => sum((row, goal) => row[a] * goal));
    found = solve(matrix, right);
    const errors = known.map((i) =>
      Math.abs(whitened[i].reduce((total, value, a) => total + value * found[a], 0) - goals[i]!),
    );
    weights = errors.map((error) => 1 / Math.max(SMALL, error));
    const scale = mean(weights);
    weights = weights.map((weight) => weight / scale);
  }
  const raw = found.map((value, a) => (a === 0 ? value : value / deviations[a]));
  raw[0] -= raw.reduce((total, value, a) => total + (a === 0 ? 0 : value * means[a]), 0);
  return raw;
}

const rows = HABIT_JOINTS.flatMap((name, joint) =>
  [0, 1, 2].map((axis) =>
    axis === 0 && !name.endsWith(".L")
      ? new Array<number>(F).fill(0)
      : regress(targets.map((own) => own[joint]?.[axis])),
  ),
);
writeFileSync(
  "src/fit/biped-habits-table.ts",
  `/**
 * Coefficients of the correction in \`biped-habits.ts\`, x, y and z of each joint; written by
 * \`npm run bench fit-habits\`.
 */
// biome-ignore format: generated
export const HABITS: readonly (readonly number[])[] = [
${rows.map((row) => `  [${row.map((value) => Number(value.toFixed(4))).join(", ")}],`).join("\n")}
];
`,
);
