/**
 * Fits the skeletons of rigged characters into the meshes of their siblings, which have the same joints in
 * another body, and compares the joints with the artist's:
 *
 *     npm run bench fit -- <data folder> [--split val,test] [--pairs 12] [--bind]
 *
 * The folder has a table `characters.tsv` with a column `skeleton_group`, and `characters/<id>.glb`. Errors
 * are fractions of the longest side of the target. `box` maps the bounding box of one mesh to that of the
 * other, `align` is `alignSkeleton`, `fit` is `fitSkeleton`. With --bind the targets are also bound: with the
 * source's weights blended in where the fit transfers them, as in `bind --fit`, and without (`l1_alone`). Pairs
 * with a garment, which covers only a part of a body, are counted separately. The templates of bipeds and
 * quadrupeds are fitted into all bodies of these kinds, and compared joint by joint with the roles of the
 * artist's skeleton. Figures go to bench/results/fit.csv (with --bind, fit-bind.csv) and fit-templates.csv, a
 * summary to standard output.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import type { Character } from "../src/character/character.ts";
import { prepareCharacter } from "../src/character/prepare-character.ts";
import { readCharacterFile } from "../src/disk/character-files.ts";
import { scoreWeights } from "../src/evaluate/score-weights.ts";
import { TABLE } from "../src/files/evaluate-folder.ts";
import { loadModel } from "../src/files/model-files.ts";
import { alignSkeleton } from "../src/fit/align-skeleton.ts";
import { isArmSpread } from "../src/fit/biped-habits.ts";
import { boxPlacement } from "../src/fit/box-placement.ts";
import { CARRIED_SHARE, fitSkeleton } from "../src/fit/fit-skeleton.ts";
import { meshDepth } from "../src/fit/fit-template.ts";
import { placeTemplate } from "../src/fit/place-template.ts";
import { boundsOf, longestSide } from "../src/math/aabb.ts";
import { mean } from "../src/math/arrays.ts";
import { distance, type Vec3 } from "../src/math/vec3.ts";
import { loadMethod } from "../src/methods/methods.ts";
import {
  jointsWithRole,
  type RolePart,
  type SkeletonRoles,
  skeletonRoles,
} from "../src/skeleton/roles.ts";
import type { Skeleton } from "../src/skeleton/skeleton.ts";
import { tableRows } from "../src/train/data/character-table.ts";
import { cellAt } from "../src/voxel/voxel-grid.ts";
import type { SkinWeights } from "../src/weights/skin-weights.ts";
import { saveLines } from "./save-results.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    split: { type: "string", default: "val" },
    pairs: { type: "string", default: "12" },
    bind: { type: "boolean", default: false },
  },
});
const [folder] = positionals;

/** A placed skeleton, with weights on its joints if the placement transfers them. */
interface Placed {
  skeleton: Skeleton;
  weights?: SkinWeights | undefined;
}

/** Ways to place the source's skeleton in the target's mesh. */
const WAYS: Record<string, (source: Character, target: Character) => Placed> = {
  box: ({ skeleton, mesh }, target) => ({ skeleton: boxPlacement(skeleton, mesh, target.mesh) }),
  fit: (source, target) => fitSkeleton(target.mesh, source),
  align: ({ skeleton }, { mesh }) => ({
    skeleton: alignSkeleton(meshDepth(mesh), skeleton).skeleton,
  }),
};

interface Row {
  split: string;
  /** Whether one of the two is a garment. */
  isPart: boolean;
  group: string;
  source: string;
  target: string;
  vertices: number;
  joints: number;
  figures: Record<string, number>;
}

const table = tableRows(readFileSync(path.join(folder, TABLE), "utf8"));
const column = (name: string) => table.columns.indexOf(name);
const garments = new Set(
  table.rows
    .filter(
      (row) => row[column("category")] === "garment" || row[column("garment_or_part")] === "1",
    )
    .map((row) => row[column("id")]),
);

/** The characters of each skeleton with at least two, by split. */
function siblings(split: string): Map<string, string[]> {
  const { rows } = table;
  const [id, part, group] = ["id", "split", "skeleton_group"].map(column);
  const groups = new Map<string, string[]>();
  for (const row of rows) {
    if (row[part] === split) groups.set(row[group], [...(groups.get(row[group]) ?? []), row[id]]);
  }
  return new Map([...groups].filter(([, ids]) => ids.length > 1));
}

/** Joint of the source for each joint of the target; undefined if the names differ or repeat. */
function sameJoints(source: Skeleton, target: Skeleton): Int32Array | undefined {
  const numbers = new Map(source.names.map((name, joint) => [name, joint]));
  if (numbers.size < source.names.length) return undefined;
  const found = target.names.map((name) => numbers.get(name) ?? -1);
  return found.includes(-1) ? undefined : Int32Array.from(found);
}

/** The fitted skeleton in the joint order of the target, with its hierarchy. */
function inOrder(fitted: Skeleton, target: Skeleton, order: Int32Array): Skeleton {
  const positions = new Float32Array(order.length * 3);
  order.forEach((from, to) => {
    positions.set(fitted.positions.subarray(from * 3, from * 3 + 3), to * 3);
  });
  return { ...target, positions };
}

/** Mean distance of joints with weight, or with weighted descendants, in longest sides. */
function jointError(found: Skeleton, { mesh, skeleton, weights }: Character): number {
  const counts = new Uint8Array(skeleton.names.length);
  weights!.joints.forEach((joint, slot) => {
    if (weights!.weights[slot] === 0) return;
    for (let at = joint; at >= 0 && !counts[at]; at = skeleton.parents[at]) counts[at] = 1;
  });
  const size = longestSide(boundsOf(mesh.positions));
  const at = ({ positions }: Skeleton, joint: number) =>
    positions.subarray(joint * 3, joint * 3 + 3);
  const errors = [...counts.keys()]
    .filter((joint) => counts[joint])
    .map((joint) => distance(at(found, joint), at(skeleton, joint)) / size);
  return mean(errors);
}

/** Fraction of joints outside the body. */
function fractionOutside({ positions }: Skeleton, { mesh }: Character): number {
  const { grid, depths } = meshDepth(mesh);
  let out = 0;
  for (let at = 0; at < positions.length; at += 3) {
    if (depths[cellAt(grid, positions[at], positions[at + 1], positions[at + 2])] === 0) out++;
  }
  return out / (positions.length / 3);
}

const solve = await loadMethod("network");
const model = values.bind ? await loadModel("network") : undefined;
async function boundL1(target: Character, { skeleton, weights }: Placed): Promise<number> {
  const artist = prepareCharacter({ ...target, skeleton });
  const given = weights ? prepareCharacter({ ...target, skeleton, weights }) : artist;
  const solved = await solve(given, { model, ...(weights && { blend: CARRIED_SHARE }) });
  return scoreWeights(artist, solved.weights).l1;
}

/** Weights on the joints of the target instead of those of the source. */
function onTarget(given: SkinWeights, order: Int32Array): SkinWeights {
  const numbers = new Map(Array.from(order, (from, to) => [from, to]));
  const kept = given.weights.map((value, slot) => (numbers.has(given.joints[slot]) ? value : 0));
  return {
    influences: given.influences,
    joints: given.joints.map((joint) => numbers.get(joint) ?? 0),
    weights: kept,
  };
}

const rows: Row[] = [];
for (const split of values.split.split(",")) {
  for (const [group, ids] of siblings(split)) {
    const loaded = new Map<string, Character>();
    for (const id of ids) {
      const file = path.join(folder, "characters", `${id}.glb`);
      loaded.set(id, (await readCharacterFile(file)).character);
    }
    const artistL1 = new Map<string, number>();
    const pairs = ids.flatMap((a) => ids.filter((b) => b !== a).map((b) => [a, b]));
    for (const [a, b] of pairs.slice(0, Number(values.pairs))) {
      const [source, target] = [loaded.get(a)!, loaded.get(b)!];
      const order = sameJoints(source.skeleton, target.skeleton);
      if (!order) continue;
      const figures: Record<string, number> = {};
      for (const [way, place] of Object.entries(WAYS)) {
        const start = performance.now();
        const placed = place(source, target);
        figures[`ms_${way}`] = performance.now() - start;
        const skeleton = inOrder(placed.skeleton, target.skeleton, order);
        figures[`error_${way}`] = jointError(skeleton, target);
        figures[`outside_${way}`] = fractionOutside(skeleton, target);
        if (!model) continue;
        const weights = placed.weights && onTarget(placed.weights, order);
        figures[`l1_${way}`] = await boundL1(target, { skeleton, weights });
        if (way === "fit") figures.l1_alone = await boundL1(target, { skeleton });
      }
      if (model) {
        if (!artistL1.has(b)) artistL1.set(b, await boundL1(target, { skeleton: target.skeleton }));
        figures.l1_artist = artistL1.get(b)!;
      }
      const vertices = target.mesh.positions.length / 3;
      const joints = order.length;
      const isPart = garments.has(a) || garments.has(b);
      rows.push({ split, isPart, group, source: a, target: b, vertices, joints, figures });
      const errors = Object.keys(WAYS).map(
        (way) =>
          `${way} ${figures[`error_${way}`].toFixed(3)} (${figures[`ms_${way}`].toFixed(0)} ms)`,
      );
      console.error(`${group} ${a.slice(-24)} -> ${b.slice(-24)}: ${errors.join(", ")}`);
    }
  }
}

const columns = Object.keys(rows[0]?.figures ?? {});
const lines = [`split,part,group,source,target,vertices,joints,${columns.join(",")}`];
for (const { split, isPart, group, source, target, vertices, joints, figures } of rows) {
  const numbers = columns.map((column) => figures[column].toFixed(column.startsWith("ms") ? 0 : 4));
  lines.push(
    [split, Number(isPart), group, source, target, vertices, joints, ...numbers].join(","),
  );
}
saveLines(values.bind ? "fit-bind.csv" : "fit.csv", lines);

const middle = (list: number[]) => list.sort((x, y) => x - y)[list.length >> 1];
for (const split of values.split.split(",")) {
  for (const isPart of [false, true]) {
    const own = rows.filter((row) => row.split === split && row.isPart === isPart);
    if (own.length === 0) continue;
    const list = (name: string) => own.map(({ figures }) => figures[name]);
    console.log(`\n${split}: ${own.length} pairs of ${isPart ? "garments" : "bodies"}\n`);
    console.log(
      "| placement | error, mean | median | worse than box | outside | L1 / artist's | ms |",
    );
    console.log("|---|---|---|---|---|---|---|");
    for (const way of Object.keys(WAYS)) {
      const l1 = model ? mean(list(`l1_${way}`)) / mean(list("l1_artist")) : undefined;
      const worse = own.filter(
        ({ figures }) => figures[`error_${way}`] > figures.error_box + 0.005,
      ).length;
      const cells = [
        mean(list(`error_${way}`)).toFixed(4),
        middle(list(`error_${way}`)).toFixed(4),
        `${worse}`,
        `${(100 * mean(list(`outside_${way}`))).toFixed(1)} %`,
        l1?.toFixed(2) ?? "",
        mean(list(`ms_${way}`)).toFixed(0),
      ];
      console.log(`| ${way} | ${cells.join(" | ")} |`);
    }
  }
}

/** Parts whose position is compared between a template and the artist's skeleton. */
const PARTS: RolePart[] = [
  "hips",
  "neck",
  "head",
  "upperArm",
  "lowerArm",
  "hand",
  "upperLeg",
  "lowerLeg",
  "foot",
];
const bare = ["split,id,kind,spread,front,joints,error,outside,ms"];
for (const kind of ["biped", "quadruped"] as const) {
  const [errors, spread, out, times]: number[][] = [[], [], [], []];
  for (const row of table.rows) {
    const [id, split] = [row[column("id")], row[column("split")]];
    const isWanted = ["humanoid", "quadruped"].includes(row[column("category")]);
    if (!isWanted || !values.split.split(",").includes(split) || garments.has(id)) continue;
    const file = path.join(folder, "characters", `${id}.glb`);
    const { mesh, skeleton } = (await readCharacterFile(file)).character;
    const artist = skeletonRoles(skeleton);
    if (artist.kind !== kind) continue;
    const start = performance.now();
    const { skeleton: placed, front } = placeTemplate(mesh, kind, { hasLongSpine: true });
    times.push(performance.now() - start);
    const box = boundsOf(mesh.positions);
    const found = roleErrors({ placed, skeleton, artist }, box.max[1] - box.min[1]);
    if (found.length < 6) continue;
    errors.push(mean(found));
    const isSpread = kind === "biped" && hasArmsSpread(skeleton, artist);
    if (isSpread) spread.push(mean(found));
    out.push(fractionOutside(placed, { name: id, mesh, skeleton }));
    const figures = [errors.at(-1)!.toFixed(4), out.at(-1)!.toFixed(3), times.at(-1)!.toFixed(0)];
    bare.push([split, id, kind, Number(isSpread), front, found.length, ...figures].join(","));
  }
  const text = [mean(errors), middle([...errors])]
    .map((value) => value.toFixed(4))
    .join(", median ");
  const more = `outside ${(100 * mean(out)).toFixed(1)} %, ${mean(times).toFixed(0)} ms`;
  console.log(`\ntemplate ${kind}: ${errors.length} bodies, error of the roles ${text}, ${more}`);
  if (spread.length === 0) continue;
  const figures = [mean(spread), middle([...spread])].map((value) => value.toFixed(4));
  console.log(`with spread arms: ${spread.length} bodies, ${figures.join(", median ")}`);
}
saveLines("fit-templates.csv", bare);

/** Whether both arms of the artist's skeleton are in a T or A pose. */
function hasArmsSpread({ positions }: Skeleton, artist: SkeletonRoles): boolean {
  return ([1, -1] as const).every((side) => {
    const [upper, hand] = (["upperArm", "hand"] as const).map((part) => {
      const [joint] = jointsWithRole(artist, part, side, 0);
      return joint === undefined
        ? undefined
        : ([...positions.slice(joint * 3, joint * 3 + 3)] as Vec3);
    });
    return upper !== undefined && hand !== undefined && isArmSpread(upper, hand);
  });
}

/** Distances between joints with the same role, in heights of the body. */
function roleErrors(
  { placed, skeleton, artist }: { placed: Skeleton; skeleton: Skeleton; artist: SkeletonRoles },
  height: number,
): number[] {
  const own = skeletonRoles(placed);
  return PARTS.flatMap((part) =>
    ([0, 1, -1] as const).flatMap((side) =>
      [0, 1].flatMap((limb) => {
        const [a] = jointsWithRole(own, part, side, limb);
        const [b] = jointsWithRole(artist, part, side, limb);
        if (a === undefined || b === undefined) return [];
        const at = ({ positions }: Skeleton, j: number) => positions.subarray(j * 3, j * 3 + 3);
        return [distance(at(placed, a), at(skeleton, b)) / height];
      }),
    ),
  );
}
