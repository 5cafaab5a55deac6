/**
 * Learns how artists' joints differ from those of the fitted templates of bipeds and quadrupeds:
 *
 *     npm run bench fit-habits -- <data folder>
 *
 * Uses the training characters with these roles, bipeds in T or A pose, up to three per skeleton, and ridge
 * regression on absolute errors. Writes src/fit/artist-habits-table.ts; `npm run bench fit` measures the
 * improvement.
 */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { readCharacterFile } from "../src/disk/character-files.ts";
import { TABLE } from "../src/files/evaluate-folder.ts";
import {
  bodyUnits,
  HABIT_SPECS,
  type HabitKind,
  habitFeatures,
  isArmSpread,
} from "../src/fit/artist-habits.ts";
import { facing } from "../src/fit/find-front.ts";
import { fitMannequin } from "../src/fit/fit-mannequin.ts";
import { fitTemplate, meshDepth } from "../src/fit/fit-template.ts";
import { boundsOf } from "../src/math/aabb.ts";
import { mean } from "../src/math/arrays.ts";
import type { Vec3 } from "../src/math/vec3.ts";
import type { Mesh } from "../src/mesh/mesh.ts";
import { type RolePart, skeletonRoles } from "../src/skeleton/roles.ts";
import { type Skeleton, withPositions } from "../src/skeleton/skeleton.ts";
import { bipedTemplate } from "../src/skeleton/templates.ts";
import { tableRows } from "../src/train/data/character-table.ts";
import { type ArtistSkeleton, artistFront, artistJoint } from "./artist-joints.ts";

/** Maximum characters per skeleton. */
const PER_SKELETON = 3;
/** Strength of the ridge for features with a deviation of 1; chosen by cross-validation over skeletons. */
const RIDGES: Record<HabitKind, number> = { biped: 10, quadruped: 30 };
/** Rounds of reweighting by absolute errors, and the error from which the weight decreases. */
const ROUNDS = 20;
const SMALL = 0.01;
/** Quadrupeds that the mannequin covers worse do not count, in squared longest sides. */
const COVERED = 60e-4;
/** Flatter bipeds are lying down. */
const LYING = 0.4;

/** What one kind is learned from, in the units of the kind. */
interface Examples {
  inputs: number[][];
  /** For each character and joint, the artist's position minus the fitted one. */
  targets: (Vec3 | undefined)[][];
}
const examples: Record<HabitKind, Examples> = {
  biped: { inputs: [], targets: [] },
  quadruped: { inputs: [], targets: [] },
};

const [folder] = process.argv.slice(2);
const table = tableRows(readFileSync(path.join(folder, TABLE), "utf8"));
const [id, split, category, part, group] = [
  "id",
  "split",
  "category",
  "garment_or_part",
  "skeleton_group",
].map((name) => table.columns.indexOf(name));

/** Parts of the legs by their names in the template. */
const LEG_PARTS: Record<string, RolePart> = { Upper: "upperLeg", Lower: "lowerLeg", Foot: "foot" };

const seen = new Map<string, number>();
for (const row of table.rows) {
  const known = seen.get(row[group]) ?? 0;
  const isBody = row[category] !== "garment" && row[part] !== "1";
  if (row[split] !== "train" || !isBody || known >= PER_SKELETON) continue;
  const file = path.join(folder, "characters", `${row[id]}.glb`);
  const { mesh, skeleton } = (await readCharacterFile(file)).character;
  const { kind } = skeletonRoles(skeleton);
  const isUsed =
    (kind === "biped" && addBiped(mesh, skeleton)) ||
    (kind === "quadruped" && addQuadruped(mesh, skeleton));
  if (isUsed) seen.set(row[group], known + 1);
}

function addBiped(mesh: Mesh, skeleton: Skeleton): boolean {
  const box = boundsOf(mesh.positions);
  if (box.max[1] - box.min[1] < LYING) return false;
  const { to } = bodyUnits("biped", box);
  const artist = artistPoints({ skeleton, roles: skeletonRoles(skeleton) }, to);
  const [upper, hand] = [artist("upperArm.L"), artist("hand.L")];
  // A left arm on the right: the body faces -z.
  if (!upper || !hand || upper[0] < 0 || !isArmSpread(upper, hand)) return false;
  const placed = fitTemplate(mesh, bipedTemplate({ spine: 3 }), meshDepth(mesh), false);
  addExample("biped", mesh, placed, artist);
  return true;
}

function addQuadruped(given: Mesh, skeleton: Skeleton): boolean {
  const roles = skeletonRoles(skeleton);
  const faced = artistFront({ skeleton, roles });
  if (!faced) return false;
  const { forwards } = facing(faced.front);
  const mesh = { ...given, positions: forwards(given.positions) };
  const template = fitTemplate(mesh, "quadruped", meshDepth(mesh), false);
  const found = fitMannequin(mesh, template, COVERED);
  if (!found) return false;
  const { to } = bodyUnits("quadruped", boundsOf(mesh.positions));
  const turned = withPositions(skeleton, forwards(skeleton.positions));
  const artist = artistPoints({ skeleton: turned, roles }, to, faced.isMirrored);
  addExample("quadruped", mesh, withPositions(template, found), artist);
  return true;
}

/** Returns an artist's joints by their names in a template: the mean of left and mirrored right ones. */
function artistPoints(artist: ArtistSkeleton, to: (p: Vec3) => Vec3, isMirrored = false) {
  return (name: string): Vec3 | undefined => {
    const [, end, segment] = /^(front|hind)(Upper|Lower|Foot)/.exec(name) ?? [];
    const role = name.replace(/\.L$/, "") as RolePart;
    const part = segment ? LEG_PARTS[segment] : role;
    const sides = name.endsWith(".L") ? ([1, -1] as const) : ([0] as const);
    const found = sides.map((side) => artistJoint(artist, part, side, end === "hind" ? 1 : 0));
    if (found.includes(undefined)) return undefined;
    const points = found.map((point) => to(point!));
    const flip = isMirrored ? 0 : 1;
    return [0, 1, 2].map((axis) =>
      mean(
        points.map((p, i) => (axis === 0 && name.endsWith(".L") && i === flip ? -p[0] : p[axis])),
      ),
    ) as Vec3;
  };
}

function addExample(
  kind: HabitKind,
  mesh: Mesh,
  placed: Skeleton,
  artist: (name: string) => Vec3 | undefined,
): void {
  const box = boundsOf(mesh.positions);
  const { to } = bodyUnits(kind, box);
  const at = (name: string): Vec3 => {
    const joint = placed.names.indexOf(name);
    return to(placed.positions.subarray(joint * 3, joint * 3 + 3));
  };
  examples[kind].inputs.push(habitFeatures(kind, at, box));
  examples[kind].targets.push(
    HABIT_SPECS[kind].joints.map((name) => {
      const goal = artist(name);
      return goal && (goal.map((value, axis) => value - at(name)[axis]) as Vec3);
    }),
  );
}

/** Returns the coefficients of a kind: rows for x, y and z of each joint. */
function learn(kind: HabitKind): number[][] {
  const { inputs, targets } = examples[kind];
  console.log(`${kind}: ${inputs.length} bodies`);
  const means = inputs[0].map((_, i) => (i === 0 ? 0 : mean(inputs.map((row) => row[i]))));
  const deviations = means.map((middle, i) =>
    i === 0 ? 1 : Math.sqrt(mean(inputs.map((row) => (row[i] - middle) ** 2))) + 1e-6,
  );
  const whitened = inputs.map((row) =>
    row.map((value, i) => (i === 0 ? 1 : (value - means[i]) / deviations[i])),
  );
  return HABIT_SPECS[kind].joints.flatMap((name, joint) =>
    [0, 1, 2].map((axis) => {
      if (axis === 0 && !name.endsWith(".L")) return means.map(() => 0);
      const found = regress(
        whitened,
        targets.map((own) => own[joint]?.[axis]),
        RIDGES[kind],
      );
      const raw = found.map((value, a) => value / deviations[a]);
      raw[0] -= raw.reduce((total, value, a) => total + (a === 0 ? 0 : value * means[a]), 0);
      return raw;
    }),
  );
}

/** Ridge regression on absolute errors, by reweighting; the first input is 1 and free. */
function regress(inputs: number[][], goals: (number | undefined)[], ridge: number): number[] {
  const known = [...goals.keys()].filter((i) => goals[i] !== undefined);
  const F = inputs[0].length;
  let weights = known.map(() => 1);
  let found: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const sum = (term: (row: number[], goal: number) => number) =>
      known.reduce((total, i, k) => total + weights[k] * term(inputs[i], goals[i]!), 0);
    const matrix = Array.from({ length: F }, (_, a) =>
      Array.from(
        { length: F },
        (_, b) => sum((row) => row[a] * row[b]) + (a === b ? (a === 0 ? 1e-6 : ridge) : 0),
      ),
    );
    const right = Array.from({ length: F }, (_, a) => sum((row, goal) => row[a] * goal));
    found = solve(matrix, right);
    const errors = known.map((i) =>
      Math.abs(inputs[i].reduce((total, value, a) => total + value * found[a], 0) - goals[i]!),
    );
    weights = errors.map((error) => 1 / Math.max(SMALL, error));
    const scale = mean(weights);
    weights = weights.map((weight) => weight / scale);
  }
  return found;
}

/** Solves a small dense system by elimination. */
function solve(matrix: number[][], right: number[]): number[] {
  const F = right.length;
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

const text = (kind: HabitKind) =>
  learn(kind)
    .map((row) => `    [${row.map((value) => Number(value.toFixed(4))).join(", ")}],`)
    .join("\n");
writeFileSync(
  "src/fit/artist-habits-table.ts",
  `/**
 * Coefficients of the correction in \`artist-habits.ts\`, x, y and z of each joint; written by
 * \`npm run bench fit-habits\`.
 */
// biome-ignore format: generated
export const HABITS: Record<"biped" | "quadruped", readonly (readonly number[])[]> = {
  biped: [
${text("biped")}
  ],
  quadruped: [
${text("quadruped")}
  ],
};
`,
);
