/**
 * Trains the network that recognizes the kind of a body, for `chooseTemplate`:
 *
 *     npm run bench fit-kinds -- <data folder>
 *
 * Trains on up to two training characters per skeleton, whose kind is their category or follows from the roles of
 * their joints, on the samples, and on solids that are not bodies. Prints the fraction of characters whose kind is
 * recognized, by cross-validation over skeletons and on the validation characters, and writes
 * src/fit/body-kinds-table.ts.
 */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { makeSample, SAMPLES } from "../samples/index.ts";
import { readCharacterFile } from "../src/disk/character-files.ts";
import { TABLE } from "../src/files/evaluate-folder.ts";
import type { KindNetwork } from "../src/fit/body-kinds-table.ts";
import { bodyKindScores, KINDS, kindFeatures } from "../src/fit/choose-template.ts";
import { facing, findFront } from "../src/fit/find-front.ts";
import { mean } from "../src/math/arrays.ts";
import { createRandom, normal, shuffled } from "../src/math/random.ts";
import type { Mesh } from "../src/mesh/mesh.ts";
import { skeletonRoles } from "../src/skeleton/roles.ts";
import { tableRows } from "../src/train/data/character-table.ts";
import { notBodies, stretched } from "./not-bodies.ts";

type Kind = (typeof KINDS)[number];
interface Example {
  kind: Kind;
  group: string;
  /** The first is as `placeTemplate` sees it, the others are rotated. */
  views: number[][];
}

const PER_SKELETON = 2;
const HIDDEN = 16;
const STEPS = 1500;
const RATE = 4e-3;
const DECAY = 0.1;
const NOISE = 0.15;
const DROPPED = 0.2;
const FOLDS = 5;
/** Number of stretched copies per sample. */
const COPIES = 6;
/** Characters of these categories may be of any kind, so the roles of their joints decide. */
const BY_ROLES = new Set<string>(["biped", "quadruped", "spider", "insect", "dragon"]);

const [folder] = process.argv.slice(2);
const table = tableRows(readFileSync(path.join(folder, TABLE), "utf8"));
const column = (name: string) => table.columns.indexOf(name);

/** The kind of a character, if it is certain. */
function kindOf(category: string, isPart: boolean, roles: string, isUpright: boolean) {
  if (isPart || category === "garment") return "none";
  if (category === "humanoid") return "biped";
  if (category === "bird" || category === "fish") return category;
  if (category === "quadruped") {
    if (roles === "biped") return isUpright ? "biped" : undefined;
    return roles === "dragon" ? "dragon" : "quadruped";
  }
  if (category === "insect") return roles === "spider" || roles === "dragon" ? roles : "insect";
  if (BY_ROLES.has(roles)) return roles as Kind;
  return category === "other" ? "none" : undefined;
}

function viewsOf(mesh: Mesh): number[][] {
  const { front } = findFront(mesh);
  return [...new Set([front, "z", "-z"] as const)].flatMap((to) => {
    const found = kindFeatures({ ...mesh, positions: facing(to).forwards(mesh.positions) });
    return found ? [found] : [];
  });
}

const examples: Example[] = [];
const held: Example[] = [];
const seen = new Map<string, number>();
for (const row of table.rows) {
  const split = row[column("split")];
  const group = row[column("skeleton_group")];
  const known = seen.get(`${split} ${group}`) ?? 0;
  if (split === "test" || known >= PER_SKELETON) continue;
  seen.set(`${split} ${group}`, known + 1);
  const file = path.join(folder, "characters", `${row[column("id")]}.glb`);
  const { mesh, skeleton } = (await readCharacterFile(file)).character;
  const views = viewsOf(mesh);
  const isPart = row[column("garment_or_part")] === "1";
  const isUpright = views.length > 0 && views[0][1] < 0;
  const kind = kindOf(row[column("category")], isPart, skeletonRoles(skeleton).kind, isUpright);
  if (!kind || views.length === 0) continue;
  (split === "val" ? held : examples).push({ kind, group, views });
}
const random = createRandom(1);
/** Samples with a single kind. */
const SAMPLE_KINDS: Record<string, Kind> = {
  dancer: "biped",
  fox: "quadruped",
  bird: "bird",
  fish: "fish",
  dragon: "dragon",
  octopus: "spider",
  robot: "biped",
};
const made: Example[] = [];
for (const { name } of SAMPLES) {
  const kind = SAMPLE_KINDS[name];
  for (let copy = 0; kind && copy < COPIES; copy++) {
    const mesh = copy === 0 ? makeSample(name).mesh : stretched(makeSample(name).mesh, random);
    made.push({ kind, group: `sample ${name}`, views: viewsOf(mesh).slice(0, 1) });
  }
}
for (const { name, mesh, kind } of notBodies(random)) {
  made.push({ kind, group: name, views: viewsOf(mesh).slice(0, 1) });
}

/** Trains on all views, each kind and skeleton weighted by the square root of its count. */
function train(list: readonly Example[], seed: number): KindNetwork {
  const draw = createRandom(seed);
  const counts = new Map<string, number>();
  for (const { kind, group } of list)
    for (const key of [kind, group]) counts.set(key, (counts.get(key) ?? 0) + 1);
  const rows = list.flatMap(({ kind, group, views }) =>
    views.map((features) => ({
      features,
      kind: KINDS.indexOf(kind),
      weight: 1 / views.length / Math.sqrt(counts.get(group)! * counts.get(kind)!),
    })),
  );
  const average = mean(rows.map(({ weight }) => weight));
  const F = rows[0].features.length;
  const matrix = (height: number, width: number) =>
    Array.from({ length: height }, () =>
      Array.from({ length: width + 1 }, (_, i) =>
        i < width ? normal(draw) / Math.sqrt(width) : 0,
      ),
    );
  const network = { hidden: matrix(HIDDEN, F), out: matrix(KINDS.length, HIDDEN) };
  const layers = [network.hidden, network.out];
  const zeros = () => layers.map((layer) => layer.map((row) => row.map(() => 0)));
  const [first, second] = [zeros(), zeros()];
  for (let step = 1; step <= STEPS; step++) {
    const gradient = zeros();
    for (const { features, kind, weight } of rows) {
      const input = features.map((value) => value + NOISE * normal(draw));
      const state = network.hidden.map((row) =>
        Math.tanh(input.reduce((sum, value, i) => sum + value * row[i], row[F])),
      );
      const kept = state.map(() => (draw() < DROPPED ? 0 : 1 / (1 - DROPPED)));
      const scores = network.out.map((row) =>
        state.reduce((sum, value, i) => sum + value * kept[i] * row[i], row[HIDDEN]),
      );
      const top = Math.max(...scores);
      const powers = scores.map((score) => Math.exp(score - top));
      const total = powers.reduce((sum, value) => sum + value, 0);
      const back = new Array<number>(HIDDEN).fill(0);
      powers.forEach((power, k) => {
        const slope = ((power / total - Number(k === kind)) * weight) / average / rows.length;
        const row = gradient[1][k];
        for (let i = 0; i < HIDDEN; i++) {
          row[i] += slope * state[i] * kept[i];
          back[i] += slope * network.out[k][i] * kept[i];
        }
        row[HIDDEN] += slope;
      });
      back.forEach((slope, i) => {
        const inner = slope * (1 - state[i] ** 2);
        const row = gradient[0][i];
        for (let f = 0; f < F; f++) row[f] += inner * input[f];
        row[F] += inner;
      });
    }
    const rate = RATE * (1 - step / (STEPS + 1));
    layers.forEach((layer, l) => {
      layer.forEach((row, i) => {
        row.forEach((value, j) => {
          const slope = gradient[l][i][j];
          const one = 0.9 * first[l][i][j] + 0.1 * slope;
          const two = 0.999 * second[l][i][j] + 0.001 * slope ** 2;
          [first[l][i][j], second[l][i][j]] = [one, two];
          const scaled = one / (1 - 0.9 ** step) / (Math.sqrt(two / (1 - 0.999 ** step)) + 1e-8);
          row[j] = value - rate * (scaled + (j < row.length - 1 ? DECAY * value : 0));
        });
      });
    });
  }
  return network;
}

const found = (network: KindNetwork, { views }: Example): Kind => {
  const scores = bodyKindScores(views[0], network);
  return KINDS[scores.indexOf(Math.max(...scores))];
};
/** The kind suggested by the parts alone, an input of the network. */
const byParts = ({ views }: Example): Kind => {
  const flags = views[0].slice(-KINDS.length);
  return flags.includes(1) ? KINDS[flags.indexOf(1)] : "none";
};
function report(title: string, list: readonly Example[], kinds: readonly Kind[]): void {
  const share = (ok: number, of: number) => `${ok} of ${of} (${((100 * ok) / of).toFixed(0)} %)`;
  const right = list.filter(({ kind }, i) => kind === kinds[i]).length;
  console.log(`${title}: ${share(right, list.length)}`);
  for (const kind of KINDS) {
    const own = [...list.keys()].filter((i) => list[i].kind === kind);
    if (own.length > 0)
      console.log(`  ${kind}: ${share(own.filter((i) => kinds[i] === kind).length, own.length)}`);
  }
}

const groups = [...new Set(examples.map(({ group }) => group))];
const fold = new Map(shuffled(groups.length, random).map((at, i) => [groups[at], i % FOLDS]));
const kinds: Kind[] = [];
for (let part = 0; part < FOLDS; part++) {
  const network = train(
    [...examples.filter(({ group }) => fold.get(group) !== part), ...made],
    part + 1,
  );
  examples.forEach((example, i) => {
    if (fold.get(example.group) === part) kinds[i] = found(network, example);
  });
}
report("training characters, by parts", examples, examples.map(byParts));
report("training characters, cross-validated", examples, kinds);
const network = train([...examples, ...made], 9);
report("validation characters, by parts", held, held.map(byParts));
report(
  "validation characters",
  held,
  held.map((example) => found(network, example)),
);
report(
  "samples and solids",
  made,
  made.map((example) => found(network, example)),
);

const text = (layer: readonly (readonly number[])[]) =>
  layer
    .map((row) => `    [${row.map((value) => Number(value.toFixed(3))).join(", ")}],`)
    .join("\n");
writeFileSync(
  "src/fit/body-kinds-table.ts",
  `// biome-ignore-all lint/suspicious/noApproximativeNumericConstant: generated
/** A network with one hidden layer: rows of weights, each with its bias at the end. */
export interface KindNetwork {
  hidden: readonly (readonly number[])[];
  out: readonly (readonly number[])[];
}

/** The network of \`chooseTemplate\`; written by \`npm run bench fit-kinds\`. */
// biome-ignore format: generated
export const KIND_NETWORK: KindNetwork = {
  hidden: [
${text(network.hidden)}
  ],
  out: [
${text(network.out)}
  ],
};
`,
);
