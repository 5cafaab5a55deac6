// Times HollowDist: `npm run bench distance`, which writes bench/results/distance.csv.

import { makeSample } from "../samples/index.ts";
import { prepareCharacter } from "../src/character/prepare-character.ts";
import { MEASURED_BONES } from "../src/distance/bone-distances.ts";
import {
  type MeasureOptions,
  measureDistances,
  voxelizeCharacter,
} from "../src/distance/measure.ts";
import { literalDistances } from "../test/helpers/hollow-literal.ts";
import { resizeSkeleton } from "./resize-skeleton.ts";
import { growthExponent, machineText, saveLines } from "./save-results.ts";

/** A row of the table. */
interface Case {
  name: string;
  vertices: number;
  bones: number;
  resolution: number;
  cells: number;
  threads: number;
  seconds: number;
  megabytes: number;
}

const rows: Case[] = [];

/** The sample with its longest bones split in two until it has `count` joints. */
function character(name: string, count?: number) {
  const { character } = prepareCharacter(makeSample(name));
  const skeleton =
    count === undefined ? character.skeleton : resizeSkeleton(character.skeleton, count);
  return { mesh: character.mesh, skeleton };
}

async function time(
  name: string,
  subject: ReturnType<typeof character>,
  options: MeasureOptions & { resolution: number },
  repeats: number,
): Promise<Case> {
  let seconds = Infinity;
  let cells = 0;
  for (let i = 0; i < repeats; i++) {
    const start = performance.now();
    const { grid } = await measureDistances(subject, options);
    seconds = Math.min(seconds, (performance.now() - start) / 1000);
    cells = grid.cells.length;
  }
  const row: Case = {
    name,
    vertices: subject.mesh.positions.length / 3,
    bones: subject.skeleton.parents.length,
    resolution: options.resolution,
    cells,
    threads: options.threads ?? 1,
    seconds,
    megabytes: process.memoryUsage().rss / 2 ** 20,
  };
  note(row);
  return row;
}

function note(row: Case): void {
  rows.push(row);
  const { name, vertices, bones, resolution, threads, seconds, megabytes } = row;
  console.log(
    `${name.padEnd(26)}${vertices} vertices, ${bones} bones, ${resolution} cells, ${threads} threads: ` +
      `${seconds.toFixed(3)} s, ${megabytes.toFixed(0)} MB`,
  );
}

/** Literal implementation of algorithm 1 and equation 1, for every bone and vertex; then the K nearest. */
function timeLiteral(subject: ReturnType<typeof character>, resolution: number): Case {
  const start = performance.now();
  const { grid, bones } = voxelizeCharacter(subject, { resolution });
  const perBone = literalDistances(subject.mesh, bones, grid, true);
  const nearest = Array.from({ length: subject.mesh.positions.length / 3 }, (_, v) =>
    perBone
      .map((distances, b) => [distances[v], b])
      .sort((p, q) => p[0] - q[0] || p[1] - q[1])
      .slice(0, MEASURED_BONES),
  );
  const row: Case = {
    name: "literal",
    vertices: nearest.length,
    bones: subject.skeleton.parents.length,
    resolution,
    cells: grid.cells.length,
    threads: 1,
    seconds: (performance.now() - start) / 1000,
    megabytes: process.memoryUsage().rss / 2 ** 20,
  };
  note(row);
  return row;
}

const dancer = character("dancer", 60);
await time("warm-up", dancer, { resolution: 88 }, 3);
const typical = await time("typical", dancer, { resolution: 88 }, 5);
const literal = timeLiteral(dancer, 88);
for (const name of ["fox", "octopus", "robot", "dragon"]) {
  await time(name, character(name, 60), { resolution: 88 }, 2);
}

const byCells: Case[] = [];
for (const resolution of [64, 88, 128, 176, 256]) {
  byCells.push(await time("growth in cells", dancer, { resolution }, 2));
}
const byBones: Case[] = [];
for (const bones of [25, 50, 100, 200]) {
  byBones.push(await time("growth in bones", character("dancer", bones), { resolution: 88 }, 3));
}
const large = character("dancer", 200);
await time("large, one thread", large, { resolution: 256, threads: 1 }, 3);
await time("large, two threads", large, { resolution: 256, threads: 2 }, 3);

const summary = [
  ["speed-up over literal", literal.seconds / typical.seconds],
  [
    "exponent in cells",
    growthExponent(
      byCells.map((r) => r.cells),
      byCells.map((r) => r.seconds),
    ),
  ],
  [
    "exponent in bones",
    growthExponent(
      byBones.map((r) => r.bones),
      byBones.map((r) => r.seconds),
    ),
  ],
] as const;
for (const [name, value] of summary) console.log(`${name}: ${value.toFixed(2)}`);

saveLines("distance.csv", [
  `# ${machineText()}`,
  "case,vertices,bones,resolution,cells,threads,seconds,megabytes",
  ...rows
    .filter((row) => row.name !== "warm-up")
    .map((r) =>
      [
        r.name.replace(",", ""),
        r.vertices,
        r.bones,
        r.resolution,
        r.cells,
        r.threads,
        r.seconds.toFixed(4),
        r.megabytes.toFixed(0),
      ].join(","),
    ),
  ...summary.map(([name, value]) => `${name},,,,,,${value.toFixed(3)},`),
]);
